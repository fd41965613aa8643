// The command `onemodel` on models whose weights are in files beside them.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as om from 'onemodel';
import { Arguments } from '../../web/dist/cli/command.js';
import { writerFor } from '../../web/dist/cli/write_model.js';
import { useCommand } from './cli_support.mjs';
import { withExternalData } from './external_data.mjs';
import { mixedFile } from './model_files.mjs';
import { modelFile, tensorType } from './onnx_builder.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const model = mixedFile();
const { file, weights } = withExternalData(model);
const { folder, textOf, jsonOf, assertFails } = useCommand({
  'whole.onnx': model,
  'split.onnx': file,
  'weights.bin': weights,
  'taken.onnx.data': weights,
  'takes.onnx': withExternalData(model, './taken.onnx.data').file,
  'anyrank.onnx': modelFile({
    inputs: { x: tensorType(null) },
    outputs: { y: tensorType(null) },
    nodes: [['Relu', ['x'], ['y']]],
  }),
});
const sizeOf = (name) => statSync(join(folder, name)).size;

test('every command reads them', () => {
  assert.equal(textOf(['check', 'split.onnx']), 'split.onnx: ok\n');
  assert.deepEqual(jsonOf(['info', 'split.onnx']).constants, jsonOf(['info', 'whole.onnx']).constants);
  const results = ['split.onnx', 'whole.onnx'].map((name) => jsonOf(['run', name, '--dim', 'n=2', '--dim', 'm=3']));
  assert.deepEqual(results[0].outputs, results[1].outputs);
  jsonOf(['diff', 'split.onnx', 'whole.onnx']); // whose exit code says that they are the same
});

test('convert writes them', () => {
  const { to } = jsonOf(['convert', 'split.onnx', 'out.onnx', '--external-data', '--external-from', '40']);
  assert.deepEqual(to.data, { file: 'out.onnx.data', bytes: 48 });
  assert.deepEqual([to.file, to.bytes], ['out.onnx', sizeOf('out.onnx')]);
  assert.equal(sizeOf('out.onnx.data'), 48);
  assert.ok(!existsSync(join(folder, 'out.onnx.part')) && !existsSync(join(folder, 'out.onnx.data.part')));
  assert.match(
    textOf(['convert', 'out.onnx', 'again.onnx', '--external-data']),
    /^out\.onnx \(.*B\) -> again\.onnx \(.*B\), with all weights in it: none is large enough for a file beside it\n$/,
  );
  assert.ok(!existsSync(join(folder, 'again.onnx.data')) && !existsSync(join(folder, 'again.onnx.data.part')));
  assert.equal(jsonOf(['convert', 'out.onnx', 'again.onnx', '--external-data']).to.data, null);
  textOf(['convert', 'out.onnx', 'one.onemodel']);
  textOf(['convert', 'one.onemodel', 'back.onnx']);
  textOf(['convert', 'split.onnx', 'direct.onnx']);
  assert.deepEqual(readFileSync(join(folder, 'back.onnx')), readFileSync(join(folder, 'direct.onnx')));
});

test('optimize writes them', () => {
  const { to } = jsonOf(['optimize', 'split.onnx', 'small.onnx', '--external-data', '--external-from', '0']);
  assert.equal(to.data.bytes, sizeOf('small.onnx.data'));
  assert.ok(to.data.bytes >= 48 && to.nodes > 0);
  assert.equal(textOf(['check', 'small.onnx']), 'small.onnx: ok\n');
});

test('files that were there stay when one of both cannot be written', () => {
  const files = ['pair.onnx', 'pair.onnx.data'];
  const write = (from) => ['convert', 'whole.onnx', 'pair.onnx', '--external-data', '--external-from', from];
  const contents = () => files.map((name) => readFileSync(join(folder, name)));
  textOf(write('0'));
  const before = contents();
  mkdirSync(join(folder, 'pair.onnx.part'));
  assertFails(write('40'), 1, 'onemodel convert: cannot write pair.onnx: it is a folder');
  assert.deepEqual(contents(), before);
  assert.ok(!existsSync(join(folder, 'pair.onnx.data.part')));
});

test('weights of IN are not replaced', () => {
  for (const command of ['convert', 'optimize']) {
    assertFails([command, 'takes.onnx', 'taken.onnx', '--external-data'], 2, 'taken.onnx.data holds weights of IN');
  }
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'taken.onnx.data'))), weights);
  assert.ok(!existsSync(join(folder, 'taken.onnx')));
  textOf(['convert', 'takes.onnx', 'taken.onnx']); // which leaves them alone
  textOf(['convert', 'whole.onnx', 'taken.onnx', '--external-data']); // no weights of this one
});

test('an error of the engine while writing names IN', async () => {
  const graph = {
    toOnnx() {
      throw new om.ModelError('the model has too many bytes', 'TooLarge');
    },
  };
  const write = writerFor('in.onnx', 'out.onnx', new Arguments([], {}));
  await assert.rejects(write(graph, { path: 'in.onnx', onnx: null }), {
    name: 'ModelError',
    kind: 'TooLarge',
    message: 'in.onnx: the model has too many bytes',
  });
});

test('refusals', () => {
  assertFails(['convert', 'whole.onnx', 'x.onemodel', '--external-data'], 2, '--external-data', '.onnx');
  assertFails(
    ['convert', 'whole.onnx', 'x.onnx', '--external-from', '1'],
    2,
    '--external-from expects --external-data',
  );
  assertFails(['convert', 'whole.onnx', 'x.onnx', '--external-data', '--external-from', 'few'], 2, '--external-from');
  assertFails(['convert', 'split.onnx', 'none/out.onnx', '--external-data'], 1, 'none/out.onnx.data');
  assert.ok(!existsSync(join(folder, 'x.onnx')));
  assertFails(['convert', 'taken.onnx.data', 'taken.onnx', '--external-data'], 2, 'one file: taken.onnx.data');
});

test('an input whose shape the model does not tell is fed from a file', () => {
  assert.deepEqual(jsonOf(['info', 'anyrank.onnx']).inputs, [{ name: 'x', dtype: 'float32', shape: null }]);
  assert.match(textOf(['info', 'anyrank.onnx']), /^ {2}x +float32 +of any rank$/m);
  assertFails(['run', 'anyrank.onnx'], 2, "which shape input 'x' (float32) has", "--input 'x=FILE.npy'");
});
