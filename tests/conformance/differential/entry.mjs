// What both lists of known differences are made of.

/**
 * A known difference: `op`; `example`, a model that shows it, and the outputs `expected` of it by ONNX's `text` (null: that
 * it is refused); `covers(node, tensors)`, whether a drawn model with such a node shows it too.
 */
export function entry({ op, covers = () => true, kinds = ['values'], ...rest }) {
  return {
    op,
    ...rest,
    covers: (model, kind) =>
      kinds.includes(kind) &&
      model.nodes.some((node) => node.op === op && covers(node.attributes, inputsOf(model, node), model)),
  };
}

/** The tensors that a node takes, null for those left out or made by other nodes. */
function inputsOf(model, node) {
  return node.inputs.map((name) => model.tensors.find((each) => each.name === name) ?? null);
}
