// Graphs inside graphs, and functions that call functions, as deep as they may be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { bytesField, integerField } from '../../web/dist/protobuf.js';
import { tensorType } from './onnx_builder.mjs';
import { assertRejects, useEngine } from './support.mjs';

await useEngine();

const join = (...parts) => new Uint8Array(Buffer.concat(parts));
const text = (number, value) => bytesField(number, new TextEncoder().encode(value));
const typed = (number, name, type) => bytesField(number, join(text(1, name), bytesField(2, type)));
const node = (op, inputs, output, ...more) =>
  join(...inputs.map((each) => text(1, each)), text(2, output), text(3, `${op}_${output}`), text(4, op), ...more);
const graph = (result, inner) => join(bytesField(1, inner), text(2, 'inner'), typed(12, result, tensorType(null)));
const branch = (name, inner) => bytesField(5, join(text(1, name), bytesField(6, inner), integerField(20, 5)));

/** -x as `result`, that many graphs deep inside. */
function nested(depth, result, innermost = (name) => node('Neg', ['x'], name)) {
  let inner = innermost(`${result}0`);
  for (let i = 1; i <= depth; i++) {
    const then = branch('then_branch', graph(`${result}${i - 1}`, inner));
    const other = branch('else_branch', graph(`r${i}`, node('Relu', ['x'], `r${i}`)));
    inner = node('If', ['c'], i === depth ? result : `${result}${i}`, then, other);
  }
  return inner;
}

function modelOf(outermost, functions = []) {
  const inputs = [typed(11, 'x', tensorType([2])), typed(11, 'c', tensorType([], 9))];
  const whole = join(bytesField(1, outermost), text(2, 'nested'), ...inputs, typed(12, 'y', tensorType([2])));
  const opsets = [bytesField(8, integerField(2, 20)), bytesField(8, join(text(1, 'own'), integerField(2, 1)))];
  return join(integerField(1, 9), bytesField(7, whole), ...opsets, ...functions.map((each) => bytesField(25, each)));
}

const call = (i, output) => node(`F${i}`, ['x', 'c'], output, text(7, 'own'));

/** Functions that each call the next one inside that many graphs. */
function functionsOf(count, depth) {
  return Array.from({ length: count }, (_, i) =>
    join(
      ...[text(1, `F${i}`), text(4, 'x'), text(4, 'c'), text(5, 'y')],
      bytesField(7, i + 1 < count ? calling(i + 1, depth) : node('Neg', ['x'], 'y')),
      ...[bytesField(9, integerField(2, 20)), bytesField(9, join(text(1, 'own'), integerField(2, 1))), text(10, 'own')],
    ),
  );
}

const calling = (i, depth) => (depth === 0 ? call(i, 'y') : nested(depth, 'y', (name) => call(i, name)));

async function assertRuns(file) {
  const loaded = await om.loadGraph(file);
  for (const written of [loaded.toOnnx(), loaded.toOneModel()]) {
    const session = await om.Session.load(written);
    om.scope(() => {
      const feeds = { x: om.tensor([1, 2]), c: om.tensor(true) };
      assert.deepEqual(session.runSync(feeds).y.toArray(), [-1, -2]);
    });
    session.dispose();
  }
  loaded.dispose();
}

const assertRefused = (file, ...parts) => assertRejects(om.loadGraph(file), om.ModelError, ...parts);

test('graphs inside each other run, and are read again when they were written', async () => {
  for (const depth of [1, 33, 64, 100]) await assertRuns(modelOf(nested(depth, 'y')));
  for (const depth of [101, 130]) {
    await assertRefused(modelOf(nested(depth, 'y')), 'Unsupported', 'graphs are nested more than 100 deep');
  }
  await assertRefused(modelOf(nested(300, 'y')), 'Malformed', 'not a protocol buffer, or one nested far too deep');
});

test('functions that call each other run', async () => {
  for (const [count, depth] of [
    [200, 0],
    [256, 0],
    [101, 1],
    [26, 4],
  ]) {
    await assertRuns(modelOf(call(0, 'y'), functionsOf(count, depth)));
  }
  const graphs = 'graphs are nested more than 100 deep';
  await assertRefused(modelOf(call(0, 'y'), functionsOf(103, 1)), 'Unsupported', graphs);
  for (const [count, depth] of [
    [257, 0],
    [100, 30],
    [200, 100],
  ]) {
    const file = modelOf(call(0, 'y'), functionsOf(count, depth));
    await assertRefused(file, 'Unsupported', 'functions, and graphs in them, are nested more than 256 deep');
  }
});
