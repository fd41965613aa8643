/** The methods of tensors as functions of the tensor, as PyTorch and TensorFlow.js have them: `matmul(a, b)` is `a.matmul(b)`. */

import { handleOf } from './arguments.js';
import type { Tensor } from './tensor.js';

type Computing = {
  [Name in keyof Tensor]: Tensor[Name] extends (...args: never[]) => Tensor ? Name : never;
}[keyof Tensor];
type FunctionOf<Name extends Computing> = (x: Tensor, ...args: Parameters<Tensor[Name]>) => Tensor;

/** The method as a function. Throws ArgumentError naming it for an `x` that is no tensor. */
function functionOf<Name extends Computing>(name: Name): FunctionOf<Name> {
  const call: FunctionOf<Name> = (x, ...args) => {
    handleOf(name, x);
    return (x[name] as (...given: Parameters<Tensor[Name]>) => Tensor)(...args);
  };
  return Object.defineProperty(call, 'name', { value: name });
}

export const abs = /* @__PURE__ */ functionOf('abs');
export const add = /* @__PURE__ */ functionOf('add');
export const argmax = /* @__PURE__ */ functionOf('argmax');
export const argmin = /* @__PURE__ */ functionOf('argmin');
export const cast = /* @__PURE__ */ functionOf('cast');
export const clamp = /* @__PURE__ */ functionOf('clamp');
export const clip = /* @__PURE__ */ functionOf('clip');
export const div = /* @__PURE__ */ functionOf('div');
export const equal = /* @__PURE__ */ functionOf('equal');
export const erf = /* @__PURE__ */ functionOf('erf');
export const exp = /* @__PURE__ */ functionOf('exp');
export const flatten = /* @__PURE__ */ functionOf('flatten');
export const gather = /* @__PURE__ */ functionOf('gather');
export const gelu = /* @__PURE__ */ functionOf('gelu');
export const greater = /* @__PURE__ */ functionOf('greater');
export const leakyRelu = /* @__PURE__ */ functionOf('leakyRelu');
export const less = /* @__PURE__ */ functionOf('less');
export const log = /* @__PURE__ */ functionOf('log');
export const logSoftmax = /* @__PURE__ */ functionOf('logSoftmax');
export const logsumexp = /* @__PURE__ */ functionOf('logsumexp');
export const matmul = /* @__PURE__ */ functionOf('matmul');
export const max = /* @__PURE__ */ functionOf('max');
export const mean = /* @__PURE__ */ functionOf('mean');
export const min = /* @__PURE__ */ functionOf('min');
export const mul = /* @__PURE__ */ functionOf('mul');
export const neg = /* @__PURE__ */ functionOf('neg');
export const norm = /* @__PURE__ */ functionOf('norm');
export const permute = /* @__PURE__ */ functionOf('permute');
export const pow = /* @__PURE__ */ functionOf('pow');
export const relu = /* @__PURE__ */ functionOf('relu');
export const reshape = /* @__PURE__ */ functionOf('reshape');
export const select = /* @__PURE__ */ functionOf('select');
export const sigmoid = /* @__PURE__ */ functionOf('sigmoid');
export const softmax = /* @__PURE__ */ functionOf('softmax');
export const sqrt = /* @__PURE__ */ functionOf('sqrt');
export const squeeze = /* @__PURE__ */ functionOf('squeeze');
export const std = /* @__PURE__ */ functionOf('std');
export const sub = /* @__PURE__ */ functionOf('sub');
export const sum = /* @__PURE__ */ functionOf('sum');
export const tanh = /* @__PURE__ */ functionOf('tanh');
export const transpose = /* @__PURE__ */ functionOf('transpose');
export const unsqueeze = /* @__PURE__ */ functionOf('unsqueeze');
const variance = /* @__PURE__ */ functionOf('var');
export { variance as var };
