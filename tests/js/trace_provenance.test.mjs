// Where nodes and constants came from: in the graph, in both files, and named by a session.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { useEngine } from './support.mjs';

await useEngine();

class Block extends om.nn.Module {
  weight = om.nn.parameter(om.rand([3, 2]));
  constructor() {
    super();
    this.registerBuffer('scale', om.rand([2]));
    this.registerBuffer('offset', om.rand([2]), { persistent: false });
  }
  forward(x) {
    return x
      .matmul(this.weight)
      .mul(this.scale)
      .add(this.offset)
      .add(om.ones([2]));
  }
}

class Tower extends om.nn.Module {
  encoder = [new Block()];
  fc = new om.nn.Linear(2, 2);
  forward(x) {
    return this.fc.forward(this.encoder[0].forward(x)).exp();
  }
}

function withTrace(fn) {
  const tower = new Tower();
  const traced = om.scope(() => om.trace(tower, om.ones([4, 3]), { axes: ['batch', null] }));
  tower.dispose();
  return Promise.resolve(fn(traced)).finally(() => traced.dispose());
}

const kindsOf = ({ values }) =>
  Object.fromEntries(values.filter(({ kind }) => kind !== null).map(({ name, kind }) => [name, kind]));
const pathsOf = ({ nodes }) => nodes.map(({ op, modulePath }) => [op, modulePath]);

test('module paths and kinds are in the graph and in both files', () =>
  withTrace(async (traced) => {
    const view = traced.view();
    const { constant, ...named } = kindsOf(view);
    assert.equal(constant, 'plain');
    assert.equal(named['encoder.0.weight'], 'parameter');
    assert.equal(named['encoder.0.scale'], 'buffer');
    assert.equal(named['encoder.0.offset'], 'non_persistent_buffer');
    assert.equal(named['fc.bias'], 'parameter');
    const weights = Object.entries(named).filter(([name]) => name.startsWith('fc.weight'));
    assert.deepEqual(weights, [['fc.weight.view_1', 'parameter']], 'the transposed weight of a linear layer');
    assert.deepEqual(pathsOf(view).slice(0, 4), [
      ['MatMul', 'encoder.0'],
      ['Mul', 'encoder.0'],
      ['Add', 'encoder.0'],
      ['Add', 'encoder.0'],
    ]);
    assert.deepEqual(pathsOf(view).at(-2)[1], 'fc');
    assert.deepEqual(pathsOf(view).at(-1), ['Exp', '']);
    for (const bytes of [traced.toOneModel(), traced.toOnnx()]) {
      const loaded = await om.loadGraph(bytes);
      assert.deepEqual(kindsOf(loaded.view()), kindsOf(view));
      assert.deepEqual(pathsOf(loaded.view()), pathsOf(view));
      assert.deepEqual(
        loaded.view().nodes.map(({ name }) => name),
        view.nodes.map(({ name }) => name),
      );
      loaded.dispose();
    }
  }));

test('an ONNX file has the paths before node names and in metadata_props', () =>
  withTrace((traced) => {
    const text = new TextDecoder('latin1').decode(traced.toOnnx());
    assert.ok(text.includes('encoder.0/MatMul_0'));
    assert.ok(text.includes('onemodel.module_path'));
    assert.ok(text.includes('onemodel.kind'));
    assert.ok(text.includes('non_persistent_buffer'));
  }));
