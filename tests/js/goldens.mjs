// What PyTorch computed, as scripts/make_goldens.py wrote it, and the objects of this package that compute the same.

import { readFileSync } from 'node:fs';
import * as om from 'onemodel';

const file = (name) => readFileSync(new URL(`../data/nn/${name}`, import.meta.url));

export const goldens = JSON.parse(file('goldens.json'));
export const savedState = (name = 'state') => new Uint8Array(file(`${name}.safetensors`));

export const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const numberOf = (value) => (value === 'inf' ? Number.POSITIVE_INFINITY : value);

/** Options with the names that script has for them. */
export function optionsOf(options) {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [camel(name), numberOf(value)]));
}

/** A tensor, a list as itself, null as null. */
export function operandOf(value, dtype = value?.dtype ?? 'float32') {
  if (value === null || Array.isArray(value)) return value;
  const { shape, data } = value;
  return om.tensor(dtype === 'bool' ? data.map(Boolean) : data, dtype).reshape(shape);
}

/** A module of that class and those arguments: those of the constructor by position, then options. */
export function architectureOf({ class: name, arguments: given, layers }) {
  if (layers) return new om.nn.Sequential(...layers.map(architectureOf));
  const Class = om.nn[name];
  const entries = Object.entries(given).map(([key, value]) => [key, value?.class ? architectureOf(value) : value]);
  const positional = entries.slice(0, Class.length).map(([, value]) => value);
  const made = new Class(...positional, optionsOf(Object.fromEntries(entries.slice(Class.length))));
  if (positional[0] instanceof om.nn.Module) positional[0].dispose(); // the stack has copies of it
  return made;
}

/** The same with the golden's state and mode. */
export function moduleOf(golden) {
  const module = architectureOf(golden);
  const state = Object.entries(golden.state).map(([path, value]) => [path, operandOf(value)]);
  module.loadStateDict(Object.fromEntries(state));
  return module.train(golden.training);
}

export const numbersOf = (tensor) => Array.from(tensor.detach().reshape([-1]).data, Number);

/** Sends back the golden's gradients of all outputs at once. */
export function backwardAll(outputs, gradients) {
  const parts = outputs.flatMap((each, i) => (gradients[i] ? [each.mul(operandOf(gradients[i])).sum()] : []));
  if (parts.length > 0) parts.reduce((sum, each) => sum.add(each)).backward();
}
