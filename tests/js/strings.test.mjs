import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { fileOf } from './model_files.mjs';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

const texts = [
  ['', 'a', 'ü'],
  ['a\0b', '\ufeffmark', '👍'.repeat(100)],
];

test('strings come back as they were given', () => {
  om.scope(() => {
    const x = om.tensor(texts);
    assert.equal(x.dtype, 'string');
    assert.deepEqual(x.shape, [2, 3]);
    assert.deepEqual(x.toArray(), texts);
    assert.deepEqual(x.data, texts.flat());
    assert.deepEqual(x.transpose().toArray()[2], ['ü', texts[1][2]]);
    assert.equal(om.tensor('one').item(), 'one');
    assert.equal(om.tensor([['one']]).toString(), 'string[1, 1] [["one"]]');
    assert.deepEqual(om.tensor([], 'string').toArray(), []);
    assert.deepEqual(om.tensor(['a', 'b'], { shape: [2, 1] }).toArray(), [['a'], ['b']]);
    assert.deepEqual(om.full([2], 1.5, 'string').data, ['1.5', '1.5']);
    assert.equal(om.tensor(['\ud800']).item(), '\ufffd');
  });
});

test('strings and numbers convert into each other', () => {
  om.scope(() => {
    assert.deepEqual(om.tensor([0.5, Number.NaN, -Infinity], 'string').data, ['0.5', 'NaN', '-INF']);
    assert.deepEqual(om.tensor([2n ** 62n], 'string').data, ['4611686018427387904']);
    assert.deepEqual(om.tensor(new Uint32Array([7]), 'string').data, ['7']);
    assert.deepEqual(om.tensor(['1e-1', '-inf'], 'float64').data, new Float64Array([0.1, -Infinity]));
    assert.deepEqual(om.tensor(['12']).cast('int8').data, new Int8Array([12]));
    assertThrows(() => om.tensor(['x1']).cast('float32'), om.ArgumentError, 'Argument', "Cast: the string 'x1'");
  });
});

test('what is no string among strings is refused', () => {
  const { ArgumentError, ShapeError, DTypeError } = om;
  assertThrows(() => om.tensor(['a', 1]), ArgumentError, 'Argument', 'a string at [1]', 'got a number');
  assertThrows(() => om.tensor([1, 'a']), ArgumentError, 'Argument', 'a number at [1]');
  assertThrows(() => om.tensor(['a', ['b']]), ShapeError, 'Shape', '[1]');
  assertThrows(() => om.tensor(['a'], { shape: [2] }), ShapeError, 'Shape', 'holds 2 elements, got 1');
  om.scope(() => {
    const x = om.tensor(['a']);
    assertThrows(() => x.add(x), DTypeError, 'DType', 'Add', 'string');
    assertThrows(() => x.relu(), DTypeError, 'DType', 'Relu', 'string');
    assertThrows(() => om.tensor([1], 'float8e5m2').exp(), DTypeError, 'DType', 'Exp', 'float8e5m2');
  });
});

test('operators move, compare, join and cut strings', () => {
  om.scope(() => {
    const x = om.tensor(['b', 'a', 'b']);
    const y = om.tensor(['b']);
    assert.deepEqual(x.equal(y).toArray(), [true, false, true]);
    assert.deepEqual(om.concat([x, y]).data, ['b', 'a', 'b', 'b']);
    assert.deepEqual(x.gather(om.tensor([2n, 1n])).data, ['b', 'a']);
    assert.deepEqual(om.where(x.equal(y), x, om.tensor('none')).data, ['b', 'none', 'b']);
    assert.deepEqual(om.ops.unique(x, {}, 1)[0].data, ['a', 'b']);
    assert.deepEqual(om.ops.stringConcat(x, y).data, ['bb', 'ab', 'bb']);
    const [parts, counts] = om.ops.stringSplit(om.tensor(['a b', 'c']));
    assert.deepEqual(parts.toArray(), [
      ['a', 'b'],
      ['c', ''],
    ]);
    assert.deepEqual(counts.toArray(), [2n, 1n]);
    const stopwords = om.tensor(['A']);
    assert.deepEqual(om.ops.stringNormalizer(x, { stopwords, caseChangeAction: 'UPPER' }).data, ['B', 'B']);
  });
});

test('texts are freed with their tensors', () => {
  const filler = 'x'.repeat(200);
  const before = om.memory().heapBytes;
  for (let round = 0; round < 200; round++) {
    om.scope(() => {
      om.tensor(Array.from({ length: 1000 }, (_, i) => `${filler} ${round} ${i}`));
    });
  }
  assert.ok(om.memory().heapBytes < before + (24 << 20), 'the rounds make 40 MB of texts');
});

test('small numbers convert, and show their bits', () => {
  om.scope(() => {
    for (const dtype of ['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz', 'float4e2m1']) {
      assert.deepEqual(om.tensor([1, -0.5, 3], dtype).toArray(), [1, -0.5, 3], dtype);
    }
    assert.deepEqual(om.tensor([1, 1e9, Number.NaN], 'float8e4m3fn').data, new Uint8Array([0x38, 0x7e, 0x7f]));
    assert.deepEqual(om.tensor(new Uint8Array([0x38, 0xb8]), 'float8e4m3fn').toArray(), [1, -1]);
    assert.deepEqual(om.tensor([2, 8], 'float8e8m0').toArray(), [2, 8]);
    assert.deepEqual(om.tensor([-8, 7], 'int4').data, new Int8Array([-8, 7]));
    assert.deepEqual(om.tensor(new Uint8Array([3, 15]), 'uint4').toArray(), [3, 15]);
    assert.deepEqual(om.tensor([1, -2], 'int2').toArray(), [1, -2]);
    assert.equal(om.tensor([6], 'float4e2m1').item(), 6);
    assertThrows(() => om.tensor(new Uint8Array([16]), 'float4e2m1'), om.ArgumentError, 'Argument', '16', 'float4e2m1');
    const packed = om.ops.quantizeLinear(om.tensor([1, 40, -3]), om.tensor(2), null, { outputDtype: 'uint4' });
    assert.deepEqual(packed.data, new Uint8Array([0, 15, 0]));
    assert.deepEqual(om.ops.dequantizeLinear(packed, om.tensor(2)).toArray(), [0, 30, 0]);
  });
});

/** string x [n] to y, each with a mark behind it, and whether it is "a". */
const markedFile = () =>
  fileOf(
    (x) => ({ y: om.ops.stringConcat(x, om.tensor(['!ü'])), isA: x.equal(om.tensor('a')) }),
    () => ({ x: om.tensor(['a', 'b', 'c']) }),
    { x: { 0: 'n' } },
  );

test('models keep, take and give strings', async () => {
  const file = markedFile();
  const graph = await om.loadGraph(file);
  const files = [file, graph.toOneModel()];
  graph.dispose();
  for (const bytes of files) {
    const session = await om.Session.load(bytes);
    assert.equal(session.inputs[0].dtype, 'string');
    for (const list of [['a', ''], ['b']]) {
      om.scope(() => {
        const { y, isA } = session.runSync({ x: om.tensor(list) });
        const marked = list.map((text) => `${text}!ü`);
        assert.deepEqual(y.data, marked);
        const equal = list.map((text) => text === 'a');
        assert.deepEqual(isA.toArray(), equal);
      });
    }
    session.dispose();
  }
});
