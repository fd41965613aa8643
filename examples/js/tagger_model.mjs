// A bidirectional LSTM that finds the words in text without spaces: shared by Node, tests and the playground.

import * as om from 'onemodel';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/** Gives the logits of "inside a word" and "begins a word" [N, T, 2] for each letter of [N, T]. */
export class WordTagger extends om.nn.Module {
  letter = new om.nn.Embedding(alphabet.length, 16);
  lstm = new om.nn.LSTM(16, 48, { bidirectional: true, batchFirst: true });
  head = new om.nn.Linear(2 * 48, 2);

  forward(letters) {
    const [read] = this.lstm.forward(this.letter.forward(letters));
    return this.head.forward(read);
  }
}

/** A text as numbers of letters, and for each whether a word begins there. */
export function readWords(text) {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const letters = Array.from(words.join(''), (letter) => alphabet.indexOf(letter));
  const begins = words.flatMap((word) => Array.from(word, (_, i) => (i === 0 ? 1 : 0)));
  return { letters, begins };
}

const integers = (rows, shape) => om.tensor(BigInt64Array.from(rows, BigInt), { shape });

/** The first nine tenths of the letters to learn from, and the others held out. */
export function splitWords({ letters, begins }) {
  const end = Math.floor(letters.length * 0.9);
  const part = (from, to) => ({ letters: letters.slice(from, to), begins: begins.slice(from, to) });
  return { train: part(0, end), heldOut: part(end) };
}

/** Pieces of `length` letters from `starts` on, and their tags: two int64 [count, length]. */
export function batch({ letters, begins }, starts, length) {
  const pieces = (list) =>
    integers(
      starts.flatMap((start) => list.slice(start, start + length)),
      [starts.length, length],
    );
  return [pieces(letters), pieces(begins)];
}

/** `count` places at which a piece of `length` letters can start. */
export function randomStarts({ letters }, count, length) {
  return om.scope(() => Array.from(om.rand([count], 0, letters.length - length).data, Math.floor));
}

/** One step of training. Returns the loss. */
export function learn(model, optimizer, [letters, begins]) {
  const loss = om.nn.crossEntropy(model.forward(letters).reshape([-1, 2]), begins.reshape([-1]));
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

/** How likely a word begins at each letter of `text`, of which only the letters are read. */
export function wordBegins(model, text) {
  const { letters } = readWords(text);
  if (letters.length === 0) return [];
  return om.scope(() => {
    const shares = model.forward(integers(letters, [1, letters.length])).softmax(-1).data;
    return letters.map((letter, i) => ({ letter: alphabet[letter], begins: shares[2 * i + 1] }));
  });
}

/** The share of letters that are tagged rightly. */
export function shareTagged(model, data) {
  return om.scope(() => {
    const [letters] = batch(data, [0], data.letters.length);
    const tags = om.ops.argMax(model.forward(letters), { axis: -1, keepdims: false }).data;
    return data.begins.filter((tag, i) => tag === Number(tags[i])).length / tags.length;
  });
}
