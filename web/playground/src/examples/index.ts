/** The examples: what the editor starts with, and the section that shows what the model does. */

import cachedModel from '../../../../examples/js/cached_model.mjs?raw';
import characters from '../../../../examples/js/characters.mjs?raw';
import digitsModel from '../../../../examples/js/digits_model.mjs?raw';
import taggerModel from '../../../../examples/js/tagger_model.mjs?raw';
import transformerModel from '../../../../examples/js/transformer_model.mjs?raw';
import unetModel from '../../../../examples/js/unet_model.mjs?raw';
import cached from './cached.js?raw';
import digits from './digits.js?raw';
import line from './line.js?raw';
import tagger from './tagger.js?raw';
import transformer from './transformer.js?raw';
import unet from './unet.js?raw';

/** One module of several, which then need not import the engine again, nor each other. */
function joined(first: string, ...others: string[]): string {
  const imports = /^import .* from '(onemodel|\.\/.*)';\n/gm;
  return [first, ...others.map((each) => each.replace(imports, ''))].join('\n');
}

export const examples = {
  line: { title: 'Line', code: line, result: null },
  digits: { title: 'Digits', code: joined(digitsModel, digits), result: 'drawing' },
  transformer: { title: 'Transformer', code: joined(characters, transformerModel, transformer), result: 'writing' },
  cached: { title: 'Key-value cache', code: joined(characters, cachedModel, cached), result: 'streaming' },
  unet: { title: 'U-Net', code: joined(unetModel, unet), result: 'masks' },
  tagger: { title: 'LSTM', code: joined(taggerModel, tagger), result: 'words' },
} as const;

export type ExampleName = keyof typeof examples;
export type ResultName = NonNullable<(typeof examples)[ExampleName]['result']>;
