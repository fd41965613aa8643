import { join } from 'node:path';
import type { TypedArray } from '../dtype.js';
import { scope } from '../memory.js';
import type { ItemMap, TensorMap } from '../session_feeds.js';
import type { Tensor } from '../tensor.js';
import type { Command } from './command.js';
import { numbersOf } from './elements.js';
import { tensorsOf } from './items.js';
import { feedHelp, feedOptions, readFeeds } from './feeds.js';
import { writeBytes } from './files.js';
import { runOptions, shapeText, withSession } from './model.js';
import { writeNpy } from './npy.js';
import { type Statistics, statisticsOf } from './statistics.js';
import { number, section, table } from './terminal.js';

interface Shown extends Statistics {
  name: string;
  dtype: string;
  shape: readonly number[];
}

interface Result extends Shown {
  npy: Uint8Array | null;
}

const shown = (name: string, tensor: Tensor): Shown => ({
  name,
  dtype: tensor.dtype,
  shape: tensor.shape,
  ...statisticsOf(tensor.dtype === 'string' ? new Float64Array() : numbersOf(tensor)),
});

const shownAll = (tensors: TensorMap) => Object.entries(tensors).map(([name, tensor]) => shown(name, tensor));

/** The .npy file of a tensor; floats that NumPy lacks become float32, integers of a few bits int8. Null for strings. */
function npyOf(tensor: Tensor): Uint8Array | null {
  if (tensor.dtype === 'string') return null;
  const isForeign = tensor.dtype === 'bfloat16' || /^(float[48]\D|u?int[24]$)/.test(tensor.dtype);
  const { dtype, shape, data } = isForeign ? tensor.cast(tensor.dtype.includes('float') ? 'float32' : 'int8') : tensor;
  return writeNpy({ dtype, shape, data: data as TypedArray<ArrayBuffer> });
}

function tensorTable(tensors: readonly Shown[]): string {
  const extra = tensors.some(({ nonFinite }) => nonFinite > 0);
  const rows = tensors.map(({ name, dtype, shape, min, max, mean, nonFinite }) => [
    name,
    dtype,
    shapeText(shape),
    number(min),
    number(max),
    number(mean),
    ...(extra ? [String(nonFinite)] : []),
  ]);
  const head = ['name', 'dtype', 'shape', 'min', 'max', 'mean', ...(extra ? ['NaN or infinite'] : [])];
  return table(head, rows, ['left', 'left', 'left', 'right', 'right', 'right', 'right']);
}

/** A name as a file name: no folders, nothing hidden, none twice. */
function fileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replace(/[^\w.-]/g, '_').replace(/^[.-]/, '_') || '_';
    let unique = plain;
    for (let i = 2; taken.has(unique.toLowerCase()); i++) unique = `${plain}_${i}`;
    taken.add(unique.toLowerCase());
    return `${unique}.npy`;
  });
}

/** Writes those that have a file; gives its path for each, or null. */
async function writeResults(folder: string, results: readonly Result[]): Promise<(string | null)[]> {
  const names = fileNames(results.map(({ name }) => name));
  const files: (string | null)[] = [];
  for (const [i, { npy }] of results.entries()) {
    const path = npy && join(folder, names[i] as string);
    if (path) await writeBytes(path, npy, true);
    files.push(path);
  }
  return files;
}

export const run: Command = {
  name: 'run',
  summary: 'Runs a model once and shows what comes out.',
  positionals: ['MODEL'],
  options: {
    ...feedOptions,
    output: { value: 'FOLDER', help: 'Write each output to FOLDER/NAME.npy.' },
    ...runOptions,
  },
  details: feedHelp,
  examples: [
    'run model.onnx --dim batch=1',
    'run model.onnx --input image=photo.npy --output results',
    'run model.onnx --input ids=random:0:30000 --input mask=ones --dim batch=1 --dim length=12 --arithmetic exact',
  ],
  async run(args) {
    const folder = args.text('output');
    const [inputs, results] = await withSession(args.positionals[0] as string, args, async (session) => {
      const makeFeeds = await readFeeds(session, args);
      return scope(() => {
        const feeds = makeFeeds();
        const outputs: Result[] = tensorsOf(session.runSync<ItemMap>(feeds)).map(([name, tensor]) => ({
          ...shown(name, tensor),
          npy: folder === undefined ? null : npyOf(tensor),
        }));
        return [shownAll(feeds), outputs] as const;
      });
    });
    const files = folder === undefined ? [] : await writeResults(folder, results);
    const outputs = results.map(({ npy: _, ...rest }, i) => (files[i] ? { ...rest, file: files[i] } : rest));
    const parts = [section('Inputs', tensorTable(inputs)), section('Outputs', tensorTable(outputs))];
    const rows = results.map(
      ({ name }, i) => files[i] ?? `${name}: not written, as .npy files of strings are not portable`,
    );
    if (files.length > 0) parts.push(section('Written', rows.map((row) => `  ${row}`).join('\n')));
    return { json: { inputs, outputs }, text: parts.join('\n\n') };
  },
};
