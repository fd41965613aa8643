// A small transformer that reads a character at a time and remembers what it has seen: shared by Node, tests and the playground.

import * as om from 'onemodel';
import { drawCharacter } from './characters.mjs';

/** Attention to the last `window` places, with a bias for each distance. */
class WindowAttention extends om.nn.Module {
  constructor(width, heads, window) {
    super();
    this.heads = heads;
    this.window = window;
    this.query = new om.nn.Linear(width, width);
    this.key = new om.nn.Linear(width, width);
    this.value = new om.nn.Linear(width, width);
    this.out = new om.nn.Linear(width, width);
    this.bias = om.nn.parameter(om.zeros([heads, window]));
    const cache = [1, heads, window, width / heads];
    this.registerBuffer('keys', om.zeros(cache), { persistent: false });
    this.registerBuffer('values', om.zeros(cache), { persistent: false });
  }

  /** x [N, T, width]; distances int64 [T, …] to the places that each sees: those of x, or with a slot, where x goes, the cache. */
  forward(x, distances, slot) {
    const [count, length] = x.shape;
    const split = (y) => y.reshape([count, length, this.heads, -1]).transpose(1, 2);
    const query = split(this.query.forward(x));
    let keys = split(this.key.forward(x));
    let values = split(this.value.forward(x));
    if (slot) {
      keys = this.keys.indexCopy_(2, slot, keys);
      values = this.values.indexCopy_(2, slot, values);
    }
    const nearest = distances.clip(0, this.window - 1);
    const isSeen = om.ops.equal(distances, nearest);
    const bias = om.where(isSeen, this.bias.gather(nearest, 1), -1e9);
    const scores = query.matmul(keys.transpose()).div(Math.sqrt(keys.shape[3])).add(bias);
    return this.out.forward(scores.softmax(-1).matmul(values).transpose(1, 2).flatten(2));
  }
}

class Block extends om.nn.Module {
  constructor(width, heads, window) {
    super();
    this.norm1 = new om.nn.LayerNorm(width);
    this.attention = new WindowAttention(width, heads, window);
    this.norm2 = new om.nn.LayerNorm(width);
    this.up = new om.nn.Linear(width, 4 * width);
    this.down = new om.nn.Linear(4 * width, width);
  }

  forward(x, distances, slot) {
    const h = x.add(this.attention.forward(this.norm1.forward(x), distances, slot));
    return h.add(this.down.forward(this.up.forward(this.norm2.forward(h)).gelu()));
  }
}

/** Learns from whole texts by `read`, and goes on with one, a character at a time, by `forward`. */
export class CachedTransformer extends om.nn.Module {
  constructor(characters, { width = 64, heads = 4, layers = 2, window = 32 } = {}) {
    super();
    this.window = window;
    /** How many characters the logits of the last one depend on: each layer sees further back. */
    this.reach = layers * (window - 1) + 1;
    this.character = new om.nn.Embedding(characters, width);
    this.blocks = new om.nn.ModuleList(Array.from({ length: layers }, () => new Block(width, heads, window)));
    this.norm = new om.nn.LayerNorm(width);
    this.head = new om.nn.Linear(width, characters);
    this.registerBuffer('position', om.zeros([1], 'int64'), { persistent: false });
  }

  /** The logits of the next character [1, characters] after token, int64 [1], and all before it. */
  forward(token) {
    const slot = om.ops.mod(this.position, this.window); // the cache is a ring
    const ages = om.ops.mod(this.position.sub(om.arange(0, this.window, 1, 'int64')), this.window);
    const distances = om.where(om.ops.lessOrEqual(ages, this.position), ages, this.window); // too far: nothing there yet
    const logits = this.logits(token.unsqueeze(0), distances.unsqueeze(0), slot);
    this.position.add_(1);
    return logits.squeeze(0);
  }

  /** The same for each place of texts [N, T], all at once and without the cache: [N, T, characters]. */
  read(texts) {
    const places = om.arange(0, texts.shape[1], 1, 'int64');
    return this.logits(texts, places.unsqueeze(1).sub(places.unsqueeze(0)));
  }

  logits(tokens, distances, slot) {
    let h = this.character.forward(tokens);
    for (const block of this.blocks) h = block.forward(h, distances, slot);
    return this.head.forward(this.norm.forward(h));
  }
}

/** The `count` characters after `prompt`, one at a time, of a session of the exported model. */
export function* streamText(session, { characters, encode }, prompt, count) {
  const read = (token, use) => om.scope(() => use(session.runSync({ token: om.tensor([token], 'int64') }).output));
  const [...tokens] = encode(prompt || ' ');
  let next = tokens.pop();
  for (const token of tokens) read(token, () => {});
  for (let i = 0; i < count; i++) {
    next = read(next, (logits) => drawCharacter(logits));
    yield characters[next];
  }
}
