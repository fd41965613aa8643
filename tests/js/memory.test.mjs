// Who frees what, and what a call may hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, inNode, useEngine } from './support.mjs';

await useEngine();

test('what is collected is freed', async () => {
  const { before, after } = await inNode(
    `const { setImmediate: turn } = await import('node:timers/promises');
     await om.init({ threads: 1 });
     const alive = () => Object.entries(om.memory()).filter(([what]) => what !== 'heapBytes').map(([, count]) => count);
     function make() {
       for (let i = 0; i < 50; i++) om.ones([100]).add(1);
       const fc = new om.nn.Linear(3, 3);
       new om.optim.StepLR(new om.optim.Adam(fc.parameters()), 1);
       om.exportProgram(fc, [om.ones([2, 3])]).createSession().runSync(om.ones([2, 3]));
       om.trace(fc, om.ones([2, 3])).createSession().runSync(om.ones([2, 3]));
     }
     make();
     const before = alive();
     for (let i = 0; i < 100 && alive().some((count) => count > 0); i++) {
       globalThis.gc();
       await turn();
     }
     report({ before, after: alive() });`,
    ['--expose-gc'],
  );
  assert.ok(before.every((count) => count > 0));
  assert.ok(
    after.every((count) => count === 0),
    `alive: ${after}`,
  );
});

test('a tensor in use is not collected, and one disposed of is not freed twice', async () => {
  const { sum, tensors } = await inNode(
    `const { setImmediate: turn } = await import('node:timers/promises');
     await om.init({ threads: 1 });
     const kept = om.ones([10]);
     const views = () => { for (let i = 0; i < 20; i++) kept.reshape([2, 5]).dispose(); };
     views();
     const later = Array.from({ length: 20 }, () => om.ones([1]));
     for (let i = 0; i < 20; i++) { globalThis.gc(); await turn(); }
     report({ sum: kept.sum().item() + later.reduce((sum, each) => sum + each.item(), 0), tensors: om.memory().tensors });`,
    ['--expose-gc'],
  );
  assert.equal(sum, 30);
  assert.ok(tensors >= 21);
});

test('lists beyond the call buffer are refused and harm nothing', () => {
  om.scope(() => {
    const x = om.arange(0, 6);
    const before = om.memory();
    const long = Array(100_000).fill(0);
    assertThrows(
      () => om.ops.gather(x, long),
      om.ArgumentError,
      'Argument',
      "Gather: input 'indices'",
      '65536',
      '100000',
    );
    assertThrows(() => om.ops.transpose(x, { perm: long }), om.ArgumentError, 'Argument', 'Transpose: perm', '100000');
    assertThrows(() => om.concat(Array(70_000).fill(x)), om.ArgumentError, 'Argument', 'Concat: input', '65536');
    assertThrows(() => om.zeros(long), om.ShapeError, 'Shape', 'rank 100000');
    assertThrows(() => om.ops.gelu(x, { approximate: 'a'.repeat(70_000) }), om.ArgumentError, 'Argument', 'Gelu');
    assertThrows(() => new om.optim.SGD(Array(70_000).fill(x)), om.ArgumentError, 'Argument', 'SGD: input');
    assert.deepEqual(om.memory(), before);
    assert.deepEqual(om.ops.gather(x, long.slice(0, 60_000)).shape, [60_000]);
    assert.deepEqual(om.concat(Array(60_000).fill(x)).shape, [360_000]);
    assert.deepEqual(x.add(1).toArray(), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(om.rand([2, 2]).shape, [2, 2]);
  });
});

test('the longest lists that fit reach the engine whole', () => {
  om.scope(() => {
    const x = om.arange(0, 6);
    // The buffer holds the handle, the list's mark and length, the attribute's mark and number, and the list.
    for (let length = 65_530; length <= 65_540; length++) {
      let got;
      try {
        got = om.ops.gather(x, Array(length).fill(5), { axis: 0 });
      } catch (error) {
        assert.equal(error.name, 'ArgumentError');
        assert.ok(length > 65_530, 'a list that fits was refused');
        continue;
      }
      assert.equal(got.size, length);
      assert.equal(got.sum().item(), 5 * length);
    }
  });
});

test('a file that does not fit into memory is told with its size', { timeout: 60_000 }, () => {
  const bytes = 2 ** 32 - 4096;
  const huge = new Uint8Array(bytes);
  assertThrows(() => om.loadSafetensors(huge), om.MemoryError, 'OutOfMemory', `${bytes} bytes`);
  assert.deepEqual(
    om.scope(() => om.ones([2]).add(1).toArray()),
    [2, 2],
  );
});

test('a failing call keeps nothing', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    const before = om.memory();
    assert.throws(() => om.tensor([1, 2], { dtype: 'int64', requiresGrad: true }), om.DTypeError);
    assert.throws(() => om.tensor(new Float32Array(2), 'complex64'), om.ArgumentError);
    assert.throws(() => x.select(0, 5), om.ShapeError);
    const other = om.ones([3]);
    assert.throws(() => om.stack([x, other]), om.ShapeError);
    other.dispose();
    assert.deepEqual(om.memory(), before);
  });
});

test('errors leave nothing on the stack of the engine, however many there are', () => {
  om.scope(() => {
    const x = om.ones([3, 5]);
    const module = new om.nn.Linear(5, 2);
    const fail = {
      operator: () => x.matmul(x),
      module: () => module.forward(om.ones([3, 4])),
      constructor: () => new om.nn.Linear(0, 1),
      loss: () => om.nn.mseLoss(x, om.ones([2])),
      file: () => om.loadSafetensors(new Uint8Array(10)),
    };
    for (const [name, call] of Object.entries(fail)) {
      for (let i = 0; i < 20_000; i++) {
        try {
          om.scope(call);
          assert.fail(`${name} did not throw`);
        } catch (error) {
          assert.ok(error instanceof om.OneModelError, `${name}, call ${i}: ${error}`);
        }
      }
    }
    assert.deepEqual(x.add(1).data, new Float32Array(15).fill(2));
    module.dispose();
  });
});

test('what a scope gives is found however deep it is, and freed when it cannot be looked at', () => {
  const before = om.memory().tensors;
  const list = om.scope(() => {
    let list = null;
    for (let i = 0; i < 50_000; i++) list = { next: list, t: i % 10_000 ? 0 : om.ones([2]) };
    return list;
  });
  assert.equal(om.memory().tensors, before + 5);
  for (let each = list; each; each = each.next) if (each.t) each.t.dispose();
  const failing = () =>
    om.scope(() => ({
      t: om.ones([2]),
      get bad() {
        throw new RangeError('no');
      },
    }));
  assert.throws(failing, RangeError);
  assert.equal(om.memory().tensors, before);
});

test('what refuses to be disposed of can be disposed of later, or collected', async () => {
  const { refused, after } = await inNode(
    `const { setImmediate: turn } = await import('node:timers/promises');
     await om.init({ threads: 1 });
     const alive = () => om.memory().tensors + om.memory().sessions;
     let refused = 0;
     function run() {
       const graph = om.trace((x) => x.exp(), { x: om.ones([1]) });
       const session = graph.createSession();
       graph.dispose();
       const x = om.ones([1]);
       return () => session.runSync({ x }, { onProgress: () => {
         for (const each of [session, x]) try { each.dispose(); } catch (error) { refused += error.kind === 'Busy'; }
       } }).output.dispose();
     }
     const later = run();
     await turn();
     later();
     const drop = () => { run()(); };
     for (let i = 0; i < 10; i++) drop();
     for (let i = 0; i < 100 && alive() > 2; i++) { globalThis.gc(); await turn(); }
     report({ refused, after: alive() });`,
    ['--expose-gc'],
  );
  assert.ok(refused >= 11, `${refused} were refused`);
  assert.ok(after <= 2, `${after} are left`);
});
