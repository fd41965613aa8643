// A small transformer that continues text character by character: shared by Node, tests and the playground.

import * as om from 'onemodel';

/** Gives the logits of the next character [N, T, characters] for each place of texts [N, T], T up to `context`. */
export class CharTransformer extends om.nn.Module {
  constructor(characters, { width = 64, heads = 4, layers = 2, context = 48 } = {}) {
    super();
    this.context = context;
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
