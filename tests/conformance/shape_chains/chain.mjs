// A chain: inputs with symbolic axes, and steps that make values of earlier ones. It knows its JavaScript source, which is
// what runs.

import { divides, elements, fixed, isFixed, isLikeSymbol, same, symbol } from './sizes.mjs';

const symbolNames = { A: 'batch', B: 'length', C: 'width' };
const templates = ['Af', 'ABf', 'AfB', 'AfBC', 'fA', 'AB', 'AfBf', 'ABfC', 'ffA', 'ABC', 'fAfB', 'Afff', 'BA', 'ABff'];
const tokenTemplates = ['A', 'AB', 'BA', 'Af'];
const fixedSizes = [1, 2, 2, 3, 4, 4, 6, 8, 8, 12];
const clearExamples = [5, 7, 11, 13];

/** Tokens are below it: every table and gathered axis is at least as long. */
export const vocabulary = 3;

const mostElements = 6000;

export class Chain {
  inputs = [];
  steps = [];
  /** Inputs and results so far: {name, shape, dtype}. */
  values = [];
  symbols = {};

  /** An empty chain of one or two inputs. `clear`: example sizes that no fixed size has as a factor. */
  constructor(random, clear) {
    this.clear = clear;
    const examples = random.shuffled(clear ? clearExamples : [2, 3, 4, 5, 6, 8, 9, 10, 12]);
    const tokens = random.chance(0.15);
    const second = random.chance(0.5);
    this.#input(random, examples, tokens ? 'tokens' : 'x', random.pick(tokens ? tokenTemplates : templates));
    if (second) this.#input(random, examples, 'y', random.pick(templates));
  }

  #input(random, examples, name, template) {
    const shape = [];
    const axes = [];
    for (const letter of template) {
      const known = this.values.flatMap((value) => value.shape).filter(isFixed);
      if (letter === 'f') {
        shape.push(known.length && random.chance(0.5) ? random.pick(known) : fixed(random.pick(fixedSizes)));
        axes.push(null);
        continue;
      }
      const symbolName = symbolNames[letter];
      this.symbols[symbolName] ??= symbol(random, examples.pop(), random.pick([1, 1, 1, 4, 6]));
      shape.push(this.symbols[symbolName]);
      axes.push(symbolName);
    }
    const value = { name, shape, dtype: name === 'tokens' ? 'int64' : 'float32' };
    this.inputs.push({ ...value, axes });
    this.values.push(value);
  }

  /** Values that satisfy `wanted`, of floats unless `dtype` says otherwise. */
  filter(wanted = () => true, dtype = 'float32') {
    return this.values.filter((value) => value.dtype === dtype && wanted(value));
  }

  /** One of those, rather a late one; undefined when there is none. */
  recent(random, wanted, dtype) {
    const list = this.filter(wanted, dtype);
    if (list.length === 0) return undefined;
    return random.weighted(list, (value) => (value === list.at(-1) ? 3 * list.length : 1));
  }

  #next = 1;

  /** A name for something made before the model runs: a module or weight. */
  fresh(letter) {
    return `${letter}${this.#next++}`;
  }

  /**
   * Appends a drawn step, unless a result is too large, has a symbolic axis that is empty somewhere or 1 in the example
   * or, in a clear chain, a fixed size that could be a symbol's.
   */
  add(op, { code, shapes, setup = [], dtype = 'float32', mayRefuse = '' }) {
    const fits = (shape) =>
      shape.length <= 6 &&
      elements(shape) <= mostElements &&
      shape.every((size) => size.every((value) => Number.isInteger(value) && value >= 1)) &&
      shape.every((size) => isFixed(size) || size[0] >= 2) &&
      !(this.clear && shape.some((size) => isLikeSymbol(this, size)));
    if (!shapes.every(fits)) return false;
    const made = shapes.map((shape) => ({ name: this.fresh('v'), shape, dtype }));
    this.values.push(...made);
    this.steps.push({ op, results: made.map(({ name }) => name), code, setup, mayRefuse });
    return true;
  }

  shapeOf(name) {
    return this.values.find((value) => value.name === name).shape;
  }

  /** Whether a step or output reads `name`. */
  static reads(code, name) {
    return new RegExp(`\\b${name}\\b`).test(code);
  }

  /** The values that nothing else reads: what the model returns. */
  outputs() {
    return this.steps
      .flatMap(({ results }) => results)
      .filter((name) => !this.steps.some(({ code }) => Chain.reads(code, name)));
  }

  /** The inputs that the model reads. */
  usedInputs() {
    return this.inputs.filter(({ name }) => this.steps.some(({ code }) => Chain.reads(code, name)));
  }

  /** A chain of some of these steps, which make what they read. */
  withSteps(steps) {
    const copy = Object.create(Chain.prototype);
    Object.assign(copy, this, { steps });
    const made = new Set([...this.inputs.map(({ name }) => name), ...steps.flatMap(({ results }) => results)]);
    copy.values = this.values.filter(({ name }) => made.has(name));
    return copy;
  }

  /** The model as someone would write it; `before` gives what stands before each step, `outputs` what it returns. */
  source(before = () => '', outputs = this.outputs()) {
    const setup = this.steps.flatMap((step) => step.setup.map(([name, code]) => `const ${name} = ${code};`));
    const lines = this.steps.map(({ results, code }, i) => {
      const left = results.length === 1 ? results[0] : `[${results.join(', ')}]`;
      return `  ${before(i)}const ${left} = ${code};`;
    });
    const head = `const model = (${this.usedInputs()
      .map(({ name }) => name)
      .join(', ')}) => {`;
    return [...setup, head, ...lines, `  return { ${outputs.join(', ')} };`, '};'].join('\n');
  }

  /** The source, and the inputs as a comment: all that is needed to see a failure again. */
  toString() {
    const inputs = this.usedInputs().map(({ name, shape, axes, dtype }) => {
      const extents = shape.map((size, axis) => (axes[axis] ? `${axes[axis]}=${size[0]}` : size[0]));
      return `// ${name}: ${dtype}[${extents.join(', ')}]`;
    });
    return [...inputs, this.source()].join('\n');
  }

  /** The model, and the modules and weights that it uses, which the caller disposes of. `at` is told each step. */
  build(om, at = () => {}, outputs = this.outputs()) {
    const names = this.steps.flatMap(({ setup }) => setup.map(([name]) => name));
    const source = this.source((i) => `at(${i}); `, outputs);
    om.manualSeed(1);
    return new Function('om', 'at', `${source}\nreturn { model, owned: [${names.join(', ')}] };`)(om, at);
  }

  /** As `build`, of a model that returns every value. */
  buildOpen(om) {
    return this.build(
      om,
      undefined,
      this.steps.flatMap(({ results }) => results),
    );
  }
}

/** The common shape of two broadcast shapes; null when sizes differ. */
export function broadcast(a, b) {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const out = [...long];
  for (let i = 0; i < short.length; i++) {
    const at = long.length - short.length + i;
    const [x, y] = [long[at], short[i]];
    if (same(x, y) || y.every((value) => value === 1)) continue;
    if (!x.every((value) => value === 1)) return null;
    out[at] = y;
  }
  return out;
}

/** The fixed divisors of a size between 2 and itself. */
export const divisorsOf = (size) =>
  [2, 3, 4, 5, 6, 8].map(fixed).filter((divisor) => divides(divisor, size) && !same(divisor, size));
