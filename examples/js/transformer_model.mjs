// A small transformer that continues text character by character: shared by Node, tests and the playground.

import * as om from 'onemodel';

/** Gives the logits of the next character [N, T, characters] for each place of texts [N, T], T up to `context`. */
export class CharTransformer extends om.nn.Module {
  constructor(characters, { width = 64, heads = 4, layers = 2, context = 48 } = {}) {
    super();
    this.character = new om.nn.Embedding(characters, width);
    this.place = new om.nn.Embedding(context, width);
    this.blocks = new om.nn.ModuleList(
      Array.from({ length: layers }, () => {
        const options = {
          dimFeedforward: 4 * width,
          dropout: 0,
          activation: 'gelu',
          batchFirst: true,
          normFirst: true,
        };
        return new om.nn.TransformerEncoderLayer(width, heads, options);
      }),
    );
    this.norm = new om.nn.LayerNorm(width);
    this.head = new om.nn.Linear(width, characters);
  }

  forward(tokens) {
    const places = om.arange(0, tokens.dim(1), 1, 'int64'); // not shape[1], so that a traced graph takes any length
    const future = om.ops.greater(places.unsqueeze(0), places.unsqueeze(1)); // what a place must not see
    let h = this.character.forward(tokens).add(this.place.forward(places));
    for (const block of this.blocks) h = block.forward(h, future);
    return this.head.forward(this.norm.forward(h));
  }
}

/** The characters of a text, in which white space is one space each, and the text as numbers of them. */
export function readCharacters(source) {
  const text = source.trim().replace(/\s+/g, ' ');
  const characters = [...new Set(text)].sort();
  const numbers = new Map(characters.map((character, i) => [character, i]));
  const encode = (part) => Array.from(part, (character) => numbers.get(character) ?? numbers.get(' '));
  return { characters, encode, tokens: encode(text) };
}

/** `count` pieces of the text at random places, and what follows each of their characters: two int64 [count, length]. */
export function batch(tokens, count, length) {
  const starts = om.scope(() => Array.from(om.rand([count], 0, tokens.length - length - 1).data, Math.floor));
  const pieces = (shift) => {
    const rows = starts.flatMap((start) => tokens.slice(start + shift, start + shift + length));
    return om.tensor(BigInt64Array.from(rows, BigInt), { shape: [count, length] });
  };
  return [pieces(0), pieces(1)];
}

/** One step of training. Returns the loss: the mean surprise about the next character. */
export function learn(model, optimizer, [texts, next]) {
  const logits = model.forward(texts);
  const loss = om.nn.crossEntropy(logits.reshape([-1, logits.shape[2]]), next.reshape([-1]));
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

/** Continues `prompt` by `count` characters, drawn as the model expects them; a low temperature takes fewer risks. */
export function continueText(model, { characters, encode }, prompt, count, temperature = 0.5, context = 48) {
  const written = encode(prompt || ' ');
  for (let i = 0; i < count; i++) {
    const next = om.scope(() => {
      const seen = written.slice(-context);
      const logits = model.forward(om.tensor(BigInt64Array.from(seen, BigInt), { shape: [1, seen.length] }));
      const chances = logits.select(1, -1).div(temperature);
      const luck = om.rand(chances.shape, 1e-9, 1).log().neg().log(); // Gumbel's: the largest difference draws fairly
      return om.ops.argMax(chances.sub(luck), { axis: -1, keepdims: false }).item();
    });
    written.push(next);
  }
  return written
    .slice(-count)
    .map((token) => characters[token])
    .join('');
}
