/** The examples: what the editor starts with, and the section that shows what the model does. */

import digitsModel from '../../../../examples/js/digits_model.mjs?raw';
import taggerModel from '../../../../examples/js/tagger_model.mjs?raw';
import transformerModel from '../../../../examples/js/transformer_model.mjs?raw';
import unetModel from '../../../../examples/js/unet_model.mjs?raw';
import digits from './digits.js?raw';
import line from './line.js?raw';
import tagger from './tagger.js?raw';
import transformer from './transformer.js?raw';
import unet from './unet.js?raw';

export const examples = {
  line: { title: 'Line', code: line, result: null },
  digits: { title: 'Digits', code: `${digitsModel}\n${digits}`, result: 'drawing' },
  transformer: { title: 'Transformer', code: `${transformerModel}\n${transformer}`, result: 'writing' },
  unet: { title: 'U-Net', code: `${unetModel}\n${unet}`, result: 'masks' },
  tagger: { title: 'LSTM', code: `${taggerModel}\n${tagger}`, result: 'words' },
} as const;

export type ExampleName = keyof typeof examples;
export type ResultName = NonNullable<(typeof examples)[ExampleName]['result']>;
