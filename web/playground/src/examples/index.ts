/** The examples: what the editor starts with, and whether drawings go to the model. */

import digitsModel from '../../../../examples/js/digits_model.mjs?raw';
import digits from './digits.js?raw';
import line from './line.js?raw';

export const examples = {
  line: { title: 'Line', code: line, draws: false },
  digits: { title: 'Digits', code: `${digitsModel}\n${digits}`, draws: true },
} as const;

export type ExampleName = keyof typeof examples;
