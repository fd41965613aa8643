// Models that the tests of exported programs share.

import assert from 'node:assert/strict';
import * as om from 'onemodel';

/** Counts its calls in a buffer and scales by the count before and after. */
export class Counter extends om.nn.Module {
  constructor() {
    super();
    this.registerBuffer('count', om.zeros([1]));
  }

  forward(x) {
    const before = x.mul(this.count);
    this.count.add_(1);
    return before.add(x.mul(this.count).mul(10));
  }
}

/** A block with a parameter, buffers of both kinds, a constant and a module of the engine. */
export class Block extends om.nn.Module {
  scale = om.nn.parameter(om.full([4], 2));
  fc = new om.nn.Linear(4, 4);
  shift = om.full([4], 3).keep();

  constructor() {
    super();
    this.registerBuffer('seen', om.zeros([1]), { persistent: false });
    this.registerBuffer('total', om.zeros([4]));
  }

  forward(x) {
    const y = this.fc.forward(x).mul(this.scale).add(this.shift);
    this.total.add_(y.mean(0));
    this.seen.add_(1);
    return y.add(this.total);
  }

  dispose() {
    super.dispose();
    this.shift.dispose();
  }
}

export class Net extends om.nn.Module {
  blocks = [new Block(), new Block()];
  forward(x) {
    return this.blocks.reduce((h, block) => block.forward(h), x);
  }
}

/** Runs `fn` with a new model and disposes of everything made. */
export function withModel(make, fn) {
  om.scope(() => {
    const model = make();
    try {
      fn(model);
    } finally {
      model.dispose();
    }
  });
}

/** Everything of a model that an export must leave alone. */
export function stateOf(model) {
  return model.namedModules().map(([path, module]) => ({
    path,
    training: module.training,
    fields: { ...module },
    tensors: module.ownTensors().map(({ path: name, kind, tensor }) => ({
      name,
      kind,
      tensor,
      data: Array.from(tensor.data),
      requiresGrad: tensor.requiresGrad,
    })),
  }));
}

/** Exports, checks that the model is as before, runs `fn` with the program and disposes of it. */
export function withProgram(model, examples, options, fn) {
  const before = model instanceof om.nn.Module ? stateOf(model) : null;
  const program = om.exportProgram(model, examples, options);
  try {
    if (before) assert.deepEqual(stateOf(model), before);
    program.validate();
    fn(program);
  } finally {
    program.dispose();
  }
}

class CachedAttention extends om.nn.Module {
  constructor(width, heads, length) {
    super();
    this.heads = heads;
    this.width = width;
    this.query = new om.nn.Linear(width, width);
    this.key = new om.nn.Linear(width, width);
    this.value = new om.nn.Linear(width, width);
    this.out = new om.nn.Linear(width, width);
    const shape = [heads, length, width / heads];
    this.registerBuffer('keys', om.zeros(shape), { persistent: false });
    this.registerBuffer('values', om.zeros(shape), { persistent: false });
  }

  /** x [1, width], position int64 [1], visible bool [length]. */
  forward(x, position, visible) {
    const split = (y) => y.reshape([this.heads, 1, this.width / this.heads]);
    this.keys.indexCopy_(1, position, split(this.key.forward(x)));
    this.values.indexCopy_(1, position, split(this.value.forward(x)));
    const scores = split(this.query.forward(x))
      .matmul(this.keys.transpose())
      .div(Math.sqrt(this.width / this.heads));
    const weights = om.where(visible, scores, -1e9).softmax(-1);
    return this.out.forward(weights.matmul(this.values).reshape([1, this.width]));
  }
}

class CachedBlock extends om.nn.Module {
  constructor(width, heads, length) {
    super();
    this.norm1 = new om.nn.LayerNorm([width]);
    this.attention = new CachedAttention(width, heads, length);
    this.norm2 = new om.nn.LayerNorm([width]);
    this.up = new om.nn.Linear(width, 4 * width);
    this.down = new om.nn.Linear(4 * width, width);
  }

  forward(x, position, visible) {
    const h = x.add(this.attention.forward(this.norm1.forward(x), position, visible));
    return h.add(this.down.forward(this.up.forward(this.norm2.forward(h)).gelu()));
  }
}

/** A character-level transformer that takes one token, int64 [1], and keeps keys, values and its position in buffers. */
export class CachedTransformer extends om.nn.Module {
  constructor({ vocabulary = 27, width = 16, heads = 2, length = 24, depth = 2 } = {}) {
    super();
    this.length = length;
    this.tokens = new om.nn.Embedding(vocabulary, width);
    this.places = om.nn.parameter(om.randn([length, width]));
    this.blocks = Array.from({ length: depth }, () => new CachedBlock(width, heads, length));
    this.head = new om.nn.Linear(width, vocabulary);
    this.registerBuffer('position', om.zeros([1], 'int64'), { persistent: false });
  }

  forward(token) {
    const visible = om.ops.lessOrEqual(om.arange(0, this.length, 1, 'int64'), this.position);
    let h = this.tokens.forward(token).add(this.places.gather(this.position));
    for (const block of this.blocks) h = block.forward(h, this.position, visible);
    this.position.add_(1);
    return this.head.forward(h);
  }
}

/** The tokens that `step`, which takes a token and gives logits, goes on with. */
export function generate(step, count, first = 1) {
  const tokens = [first];
  while (tokens.length <= count) {
    om.scope(() => {
      const logits = step(om.tensor([tokens.at(-1)], 'int64'));
      tokens.push(logits.data.indexOf(Math.max(...logits.data)));
    });
  }
  return tokens;
}
