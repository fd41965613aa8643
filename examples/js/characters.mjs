// Text as numbers of its characters, what models learn from it, and how they go on with it: shared by the transformers.

import * as om from 'onemodel';

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

/** One step of training, from logits [N, T, characters] and what follows. Returns the loss: the mean surprise about that. */
export function learn(optimizer, logits, next) {
  const loss = om.nn.crossEntropy(logits.reshape([-1, logits.shape[2]]), next.reshape([-1]));
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

/** A character as likely as its logit in [1, characters] says; a low temperature takes fewer risks. */
export function drawCharacter(logits, temperature = 0.5) {
  const luck = om.rand(logits.shape, 1e-9, 1).log().neg().log(); // Gumbel's: the largest difference draws fairly
  return om.ops.argMax(logits.div(temperature).sub(luck), { axis: -1, keepdims: false }).item();
}

/** Continues `prompt` by `count` characters. `predict` gives the logits for texts [1, T], T up to `context`. */
export function continueText(predict, { characters, encode }, prompt, count, context) {
  const written = encode(prompt || ' ');
  for (let i = 0; i < count; i++) {
    const next = om.scope(() => {
      const seen = written.slice(-context);
      const logits = predict(om.tensor(BigInt64Array.from(seen, BigInt), { shape: [1, seen.length] }));
      return drawCharacter(logits.select(1, -1));
    });
    written.push(next);
  }
  return written
    .slice(-count)
    .map((token) => characters[token])
    .join('');
}
