// What both lists of known differences are made of.

/** The tensors that a node takes, null for those left out or made by other nodes. */
function inputsOf(model, node) {
  return node.inputs.map((name) => model.tensors.find((each) => each.name === name) ?? null);
}

/**
 * A known difference: `op`, the operator or a list of them; `fault`, what is wrong; `text`, the sentence of ONNX that says
 * so; `example`, a model that shows it, and the outputs `expected` of it (null: that it is refused). `covers(attributes,
 * inputs, model)` tells whether a node of a drawn model shows it too, with a difference of one of the `kinds`.
 */
export function entry({ op, covers, kinds = ['values'], ...rest }) {
  const ops = [op].flat();
  const isCovered = (model) => (node) => ops.includes(node.op) && covers(node.attributes, inputsOf(model, node), model);
  return {
    op: ops.join(', '),
    ...rest,
    covers: (model, kind) => kinds.includes(kind) && model.nodes.some(isCovered(model)),
  };
}
