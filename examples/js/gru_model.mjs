// A GRU that continues text character by character, its memory passed in and out. Shared by Node and tests.

import * as om from 'onemodel';
import { drawCharacter } from './characters.mjs';

const width = 96;

/** Gives the logits of the next character [N, T, characters] for each of `tokens` [N, T], and the state [1, N, 96] with which what follows goes on. */
export class CharGRU extends om.nn.Module {
  constructor(characters) {
    super();
    this.character = new om.nn.Embedding(characters, 32);
    this.gru = new om.nn.GRU(32, width, { batchFirst: true });
    this.head = new om.nn.Linear(width, characters);
  }

  forward(tokens, before) {
    const [read, state] = this.gru.forward(this.character.forward(tokens), before);
    return { logits: this.head.forward(read), state };
  }
}

/** What is remembered of `count` texts before they begin. */
export const noState = (count) => om.zeros([1, count, width]);

/** Continues `prompt` by `count` characters. `read` takes `{ tokens, before }`, and is given each character once. */
export function writeOn(read, { characters, encode }, prompt, count) {
  return om.scope(() => {
    let unread = encode(prompt);
    let state = noState(1);
    let written = '';
    for (let i = 0; i < count; i++) {
      const tokens = om.tensor(BigInt64Array.from(unread, BigInt), { shape: [1, unread.length] });
      const result = read({ tokens, before: state });
      state = result.state;
      unread = [drawCharacter(result.logits.select(1, -1))];
      written += characters[unread[0]];
    }
    return written;
  });
}
