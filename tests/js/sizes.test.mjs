// Sizes taken with `dim` stay symbolic in a trace; outside of one they are numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

/** Traced at the first shape, the session gives what the model computes at every shape. */
async function follows(axes, shapes, model) {
  const count = (shape) => shape.reduce((a, b) => a * b);
  const inputs = om.scope(() => shapes.map((shape) => om.arange(0, count(shape)).reshape(shape)));
  const traced = om.trace(model, inputs[0], { axes, verify: true });
  const session = traced.createSession();
  try {
    assert.ok(traced.verification.ok);
    for (const input of inputs) {
      const { output } = await session.run({ input });
      const expected = om.scope(() => model(input));
      assert.deepEqual(output.toArray(), expected.toArray());
      for (const each of [output, expected]) each.dispose();
    }
    return session.outputs[0].shape;
  } finally {
    for (const each of [...inputs, session, traced]) each.dispose();
  }
}

test('outside of a trace a size is an int64 scalar with the number', () => {
  om.scope(() => {
    const x = om.zeros([2, 3]);
    assert.equal(x.dim(-1).item(), 3);
    assert.deepEqual(x.reshape([x.dim(1), -1]).shape, [3, 2]);
    assert.deepEqual(om.zeros([x.dim(0), 4], 'int32').shape, [2, 4]);
    assert.deepEqual(om.rand([x.dim(1), 1]).shape, [3, 1]);
    assert.deepEqual(om.arange(1, x.dim(1)).toArray(), [1, 2]);
    assert.deepEqual(x.slice(1, 0, x.dim(0)).shape, [2, 2]);
  });
});

test('what is no size is named', () => {
  om.scope(() => {
    const x = om.zeros([2, 3]);
    assertThrows(() => x.dim(2), om.ShapeError, 'Shape', 'dim: axis 2 is out of range for rank 2');
    assertThrows(
      () => x.reshape([x, 3]),
      om.ArgumentError,
      'Argument',
      'a size is a number or one int64',
      'got float32[2, 3]',
    );
    assertThrows(
      () => x.reshape(['6']),
      om.ArgumentError,
      'Argument',
      "Reshape: input 'shape': expected integers, got a string",
    );
  });
});

test('ambiguous reshapes become exact', async () => {
  const shapes = [
    [6, 12],
    [3, 12],
    [1, 12],
  ];
  assert.deepEqual(await follows(['batch', null], shapes, (x) => x.reshape([x.dim(0), 6, 2])), ['batch', 6, 2]);
  assert.deepEqual(await follows(['batch', null], shapes, (x) => x.reshape([6, 2, x.dim(0)])), [6, 2, 'batch']);
});

test('expand, new tensors and bounds follow the input', async () => {
  const shapes = [
    [2, 5],
    [4, 1],
    [1, 9],
  ];
  const row = om.ones([1, 3]);
  const expanded = (x) => om.concat([row.expand([x.dim(0), 3]), x], 1);
  assert.deepEqual((await follows(['batch', 'time'], shapes, expanded))[0], 'batch');
  row.dispose();
  const positions = (x) =>
    x
      .add(om.arange(0, x.dim(1)))
      .add(om.zeros([x.dim(0), x.dim(1)]))
      .mul(x.dim(0).cast('float32'));
  assert.deepEqual(await follows(['batch', 'time'], shapes, positions), ['batch', 'time']);
  const whole = (x) => x.slice(1, 0, x.dim(1)).add(x.dim(1).div(2).cast('float32'));
  assert.deepEqual(await follows(['batch', 'time'], shapes, whole), ['batch', 'time']);
});

test('a size is not read in a trace', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    for (const read of [(s) => s.item(), (s) => s * 2, (s) => s.toArray()]) {
      const trace = () => om.trace((y) => y.mul(Number(read(y.dim(0)))), x, { axes: ['batch', null] });
      assertThrows(trace, om.TraceError, 'DataDependent', 'int64[]');
    }
  });
});
