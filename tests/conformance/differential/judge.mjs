// Who agrees with whom about one model.

import { compareOutputs, plain } from './compare.mjs';
import { Refusal } from './engines.mjs';
import { tensorText } from './model.mjs';

/** Why onnxruntime-web may refuse a model that ONNX allows, or this engine run one that it does not. */
const reasons = [
  {
    pattern: /Could not find an implementation|data type is not supported/,
    reason: 'onnxruntime-web has no kernel for the type',
  },
  { pattern: /Type Error: Type .* of input parameter .* is invalid/, reason: 'ONNX does not allow the type' },
];

const resultText = (result) =>
  result instanceof Refusal
    ? `refuses: ${result.message}`
    : result.map((each) => tensorText(each, plain)).join('\n      ');

/** The texts of what each engine gave. */
export function resultsText({ oracle, fast, exact }) {
  const ours = resultText(fast);
  const also = resultText(exact);
  return [
    `    ours: ${ours}`,
    ...(also === ours ? [] : [`    exact: ${also}`]),
    `    onnxruntime-web: ${resultText(oracle)}`,
  ].join('\n');
}

/** How one of ours differs from the oracle, or null. */
function differenceTo(oracle, ours) {
  if (ours instanceof Refusal) return { kind: 'ours refuses', text: ours.message };
  if (oracle instanceof Refusal) return { kind: 'onnxruntime-web refuses', text: oracle.message };
  return compareOutputs(ours, oracle);
}

/** { agree }, { lacking: reason }, { refused: true } or { kind, text } of a difference. */
export function judge({ oracle, fast, exact }) {
  const lacking = oracle instanceof Refusal && reasons.find(({ pattern }) => pattern.test(oracle.message))?.reason;
  const ours = [fast, exact];
  if (oracle instanceof Refusal && !lacking && ours.every((each) => each instanceof Refusal)) return { refused: true };
  if (lacking && !ours.some((each) => each instanceof Refusal)) return { lacking };
  if (lacking === reasons[1].reason) return { refused: true };
  const difference = differenceTo(oracle, fast) ?? differenceTo(oracle, exact);
  if (!difference) return { agree: true };
  const where = differenceTo(oracle, fast) ? '' : 'in exact arithmetic: ';
  return { kind: difference.kind, text: where + difference.text };
}
