// The command `onemodel`: what all of its commands share, info, check and convert.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';
import { describe, programsIn } from '../../web/dist/cli/info.js';
import { useCommand } from './cli_support.mjs';
import { classifier, mixedFile } from './model_files.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const root = fileURLToPath(new URL('../../', import.meta.url));
const mixed = mixedFile();

/** The file with every such text replaced by one as long. */
function replaced(file, changes) {
  let text = Buffer.from(file).toString('latin1');
  for (const [from, to] of Object.entries(changes)) {
    assert.equal(from.length, to.length);
    assert.ok(text.includes(from));
    text = text.replaceAll(from, to);
  }
  return Buffer.from(text, 'latin1');
}

class Counting extends om.nn.Module {
  count = this.registerBuffer('count', om.zeros([]));
  fc = new om.nn.Linear(4, 2);
  forward(x, y) {
    this.count.add_(1);
    return this.fc.forward(x).add(this.count).sum().add(y.sum());
  }
}

/** Files of a program that counts its runs, of this and another, and of its graph as ONNX. */
function programFiles() {
  return om.scope(() => {
    const [counting, linear] = [new Counting(), new om.nn.Linear(4, 2)];
    const batch = om.Dim('batch', { min: 2, max: 16 });
    const inputs = { x: om.ones([3, 4]), y: om.ones([7]) };
    const program = om.exportProgram(counting, inputs, {
      dynamicShapes: { x: [batch, null], y: [batch.mul(2).add(1)] },
    });
    const other = om.exportProgram(linear, [om.ones([3, 4])]);
    const files = {
      'program.onemodel': program.toOneModel(),
      'program.onnx': program.toOnnx(),
      'programs.onemodel': om.savePrograms({ counting: program, linear: other }),
    };
    for (const each of [program, other, counting, linear]) each.dispose();
    return files;
  });
}

const { folder, spawn, textOf, jsonOf, assertFails } = useCommand({
  'mixed.onnx': mixed,
  'weights.safetensors': om.scope(() => om.saveSafetensors({ w: om.ones([2]) })),
  ...programFiles(),
  'broken.onnx': replaced(mixed, { MatMul: 'MatMux', Greater: 'Grander' }),
  'hostile.onnx': replaced(mixed, { product: 'pro\u001b[2J' }),
  'notes.txt': 'no model',
});

const commands = ['info', 'check', 'run', 'convert', 'optimize', 'bench', 'diff'];

test('the overview names every command, and each has its help', () => {
  const overview = textOf(['--help']);
  assert.equal(textOf(['help']), overview);
  for (const name of commands) {
    assert.match(overview, new RegExp(`^  ${name} +\\w`, 'm'));
    const help = textOf([name, '--help']);
    assert.equal(textOf(['help', name]), help);
    assert.match(help, new RegExp(`^Usage: onemodel ${name} `));
    for (const part of ['Options:', '--json', '-h, --help', 'Examples:', `  onemodel ${name} `, 'Exit code: 0']) {
      assert.ok(help.includes(part), `no '${part}' in: ${help}`);
    }
    assert.ok(help.split('\n').every((line) => line.length <= 132));
  }
});

test('wrong arguments', () => {
  for (const name of commands)
    assertFails([name, 'a', 'b', '--no-such-option'], 2, `onemodel ${name}`, '--no-such-option');
  assertFails([], 2, 'a command is missing');
  assertFails(['fly'], 2, "'fly'", 'info, check, run');
  assertFails(['convret'], 2, "did you mean 'convert'?");
  assertFails(['run', 'mixed.onnx', '--inptu', 'ones'], 2, "'--inptu': did you mean '--input'?");
  assertFails(['run', 'mixed.onnx', '--dim', 'batch', '2'], 2, 'NAME=SIZE: --dim batch=2, got --dim batch 2');
  assertFails(['run', 'mixed.onnx', '--seed', '1', '2'], 2, "unexpected argument '2'");
  assertFails(['help', 'fly'], 2, "'fly'");
  assertFails(['info'], 2, 'onemodel info', 'MODEL is missing');
  assertFails(['convert', 'mixed.onnx'], 2, 'OUT is missing');
  assertFails(['info', 'mixed.onnx', 'more'], 2, "'more'");
  assertFails(['bench', 'mixed.onnx', '--runs', 'many'], 2, '--runs', "'many'");
  assertFails(['bench', 'mixed.onnx', '--runs', '0'], 2, '--runs', "'0'");
  assertFails(['run', 'mixed.onnx', '--threads', '65'], 2, '--threads', '1 to 64');
  assertFails(['run', 'mixed.onnx', '--arithmetic', 'slow'], 2, 'exact or fast', "'slow'");
  assertFails(['diff', 'mixed.onnx', 'mixed.onnx', '--tolerance', '-1'], 2, '--tolerance');
  assertFails(['diff', 'mixed.onnx', 'mixed.onnx', '--no-graph'], 2, '--run');
});

test('files that cannot be read', () => {
  for (const [name, ...more] of [['info'], ['run'], ['convert', 'out.onnx'], ['bench'], ['diff', 'mixed.onnx']]) {
    assertFails([name, 'none.onnx', ...more], 1, `onemodel ${name}: cannot read none.onnx: there is no such file`);
    assertFails([name, 'notes.txt', ...more], 1, `onemodel ${name}: 'notes.txt': the ONNX model cannot be read`);
  }
  assertFails(['info', '.'], 1, 'cannot read .: it is a folder');
  assert.match(textOf(['check', 'none.onnx'], 1), /^ {2}cannot read none\.onnx: there is no such file or folder$/m);
});

test('colour is for terminals', () => {
  const beginning = '\u001b[';
  assert.ok(!textOf(['info', 'mixed.onnx']).includes(beginning));
  assert.ok(textOf(['info', 'mixed.onnx'], 0, { FORCE_COLOR: '1' }).includes(beginning));
});

test('info: a model from a trace', () => {
  const { file, bytes, irVersion, opsets, producer, inputs, outputs, constants, operators } = jsonOf([
    'info',
    'mixed.onnx',
  ]);
  assert.deepEqual(
    [file, bytes, irVersion, opsets, producer],
    ['mixed.onnx', mixed.length, 9, { 'ai.onnx': 20 }, 'onemodel'],
  );
  assert.deepEqual(inputs, [
    { name: 'x', dtype: 'float32', shape: ['n', 3] },
    { name: 'y', dtype: 'int64', shape: ['m'] },
  ]);
  assert.deepEqual(outputs[0], { name: 'product', dtype: 'float32', shape: ['n', 4] });
  assert.deepEqual(operators, { Add: 1, Cast: 1, Greater: 1, MatMul: 1 });
  assert.deepEqual(constants, { tensors: 3, elements: 14, bytes: 12 * 4 + 2 * 8 });
});

test('info: programs, what they keep and update, and the ranges of their sizes', () => {
  const sizes = ['2 <= batch <= 16', '2*batch + 1 = 2*batch + 1'];
  const counting = { parameters: 2, buffers: 1, updates: 1 };
  const only = jsonOf(['info', 'program.onemodel']);
  assert.deepEqual(only.programs, [{ name: 'main', ...counting }]);
  assert.deepEqual(only.sizes, sizes);
  assert.deepEqual(jsonOf(['info', 'programs.onemodel']).programs, [
    { name: 'counting', ...counting },
    { name: 'linear', parameters: 2, buffers: 0, updates: 0 },
  ]);
  const text = textOf(['info', 'programs.onemodel']);
  assert.match(text, /program +counting: 2 parameters, 1 buffer, 1 update a run\n/);
  assert.match(text, /program +linear: 2 parameters, 0 buffers, 0 updates a run\n/);
  assert.match(text, /\nSizes\n {2}2 <= batch <= 16\n/);
  const onnx = jsonOf(['info', 'program.onnx']);
  assert.deepEqual([onnx.programs, onnx.sizes], [[], sizes]);
  const plain = jsonOf(['info', 'mixed.onnx']);
  assert.deepEqual([plain.programs, plain.sizes], [[], []]);
  assert.doesNotMatch(textOf(['info', 'mixed.onnx']), /Sizes|program/);
});

test('info: programs of a file that is too large are left out, which is said', async () => {
  const graph = await om.loadGraph(mixed);
  const model = { path: 'none.onemodel', bytes: 2 ** 31, view: graph.view(), onnx: null };
  graph.dispose();
  const programs = await programsIn(model);
  assert.equal(programs, null);
  const { json, text } = describe(model, programs);
  assert.deepEqual([json.programs, json.bytes], [null, 2 ** 31]);
  assert.match(text, /\n {2}programs +not read, since the file is too large\n/);
  assert.equal(om.memory().programs, 0);
});

test('names from a file do not reach the terminal as they are', () => {
  const shown = textOf(['info', 'hostile.onnx']);
  assert.ok(shown.includes('pro\ufffd[2J'));
  assert.equal(jsonOf(['info', 'hostile.onnx']).outputs[0].name, 'pro\u001b[2J');
  assertFails(['run', 'hostile.onnx', '--input', 'z\u0007=1'], 2, "'z\ufffd'");
});

test('info: a real model, as text in columns', () => {
  const text = textOf(['info', classifier]);
  for (const line of [
    /^ {2}format +ONNX, opset 9, IR version 8$/m,
    /^ {2}nodes +221 of 17 kinds$/m,
    /^ {2}x +float32 {2}\[p2o.DynamicDimension.0, 3, /m,
    /^ {2}Conv +53 {2}▇{24}$/m,
    /^ {2}Softmax +1 {2}▇$/m,
  ]) {
    assert.match(text, line);
  }
});

test('check: all is well', () => {
  assert.equal(textOf(['check', 'mixed.onnx', classifier]), `mixed.onnx: ok\n${classifier}: ok\n`);
});

test('check: every problem of every file', () => {
  const { models } = jsonOf(['check', 'broken.onnx', 'mixed.onnx', 'none.onnx', 'notes.txt'], 1);
  assert.deepEqual(
    models.map(({ file, ok, problems }) => [file, ok, problems.length]),
    [
      ['broken.onnx', false, 2],
      ['mixed.onnx', true, 0],
      ['none.onnx', false, 1],
      ['notes.txt', false, 1],
    ],
  );
  const [matMul, greater] = models[0].problems.toSorted().reverse();
  assert.match(matMul, /^node '.*' \(MatMux, ai\.onnx opset 20\): unknown operator$/);
  assert.match(greater, /Grander/);
  const text = textOf(['check', 'broken.onnx'], 1);
  assert.match(text, /^broken\.onnx: 2 problems\n {2}node .*\n {2}node .*\n$/);
  assert.deepEqual(models[2].problems, ['cannot read none.onnx: there is no such file or folder']);
  assert.match(
    textOf(['check', 'weights.safetensors'], 1),
    /: 1 problem\n {2}this file is no model but the weights of one/,
  );
});

test('check: an engine that does not start is no finding about a model', () => {
  const withoutSimd = '--import=data:text/javascript,WebAssembly.validate=()=>false';
  const { status, stdout, stderr } = spawn(['check', 'mixed.onnx'], { NODE_OPTIONS: withoutSimd });
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr, 'onemodel check: init: this machine has no WebAssembly SIMD\n');
});

test('convert: there and back', async () => {
  const { from, to } = jsonOf(['convert', 'mixed.onnx', 'mixed.onemodel']);
  const graph = await om.loadGraph(mixed);
  const written = new Uint8Array(readFileSync(join(folder, 'mixed.onemodel')));
  assert.deepEqual(written, graph.toOneModel());
  graph.dispose();
  assert.deepEqual([from.bytes, to.bytes], [mixed.length, written.length]);
  assert.match(
    textOf(['convert', 'mixed.onemodel', 'back.onnx']),
    /^mixed\.onemodel \(.* KB\) -> back\.onnx \(.*B\)\n$/,
  );
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'back.onnx'))), mixed);
  assert.equal(jsonOf(['info', 'mixed.onemodel']).format, 'onemodel');
});

test('optimize: what a session would run', async () => {
  const { from, to } = jsonOf(['optimize', 'mixed.onnx', 'optimized.onnx']);
  const graph = await om.loadGraph(mixed);
  const optimized = graph.optimize();
  assert.equal(from.nodes, graph.view().nodes.length);
  assert.equal(to.nodes, optimized.view().nodes.length);
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'optimized.onnx'))), optimized.toOnnx());
  optimized.dispose();
  graph.dispose();
  assertFails(['optimize', 'mixed.onnx', './mixed.onnx'], 2, 'one file');
});

test('convert: refusals', () => {
  assertFails(['convert', 'mixed.onnx', 'mixed.tflite'], 2, '.onnx or .onemodel', 'mixed.tflite');
  assertFails(['convert', 'mixed.onnx', './mixed.onnx'], 2, 'one file');
  assertFails(['convert', 'broken.onnx', 'out.onnx'], 1, "'broken.onnx': ", 'MatMux', 'Grander');
  assertFails(
    ['convert', 'mixed.onnx', 'none/out.onnx'],
    1,
    'onemodel convert: cannot write none/out.onnx: there is no such file or folder',
  );
  assertFails(['optimize', 'mixed.onnx', 'none/out.onnx'], 1, 'onemodel optimize: cannot write none/out.onnx');
});

test('the package carries the command, what its exports name, licence and readme', () => {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--workspace=onemodel'], { cwd: root, stdio: 'pipe' }),
  );
  const packed = new Set(files.map(({ path }) => `./${path}`));
  const { exports, bin, version } = JSON.parse(readFileSync(join(root, 'web/package.json'), 'utf8'));
  const named = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)));
  for (const path of [...named, ...Object.values(bin)]) {
    if (!path.includes('*')) assert.ok(packed.has(path), `${path} is not packed`);
  }
  for (const name of ['LICENSE', 'NOTICE', 'README.md']) assert.ok(packed.has(`./${name}`), `${name} is not packed`);
  const [readme, licence] = ['README.md', 'LICENSE'].map((name) => readFileSync(join(root, 'web', name), 'utf8'));
  assert.equal(licence, readFileSync(join(root, 'LICENSE'), 'utf8'));
  assert.match(readme, /^# OneModel\n[\s\S]*\nimport \* as om from 'onemodel';\n[\s\S]*npx onemodel info/);
  const texts = ['README.md', ...[...packed].filter((path) => path.startsWith('./docs/'))];
  assert.ok(texts.includes('./docs/tensors.md') && readme.includes('](docs/tensors.md)'));
  for (const text of texts) {
    const links = readFileSync(join(root, 'web', text), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]*)/g);
    for (const [, target] of links) {
      assert.ok(packed.has(`./${posix.join(posix.dirname(text), target)}`), `${text} links to ${target}`);
    }
  }
  assert.equal(textOf(['--version']), `${version}\n`);
  const throughNpx = execFileSync('npx', ['--no-install', 'onemodel', '--version'], { cwd: root, encoding: 'utf8' });
  assert.equal(throughNpx, `${version}\n`);
});
