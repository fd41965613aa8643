// Exports of odd models: what they throw comes out as it was, and what they change is put back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { withModel } from './export_models.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const o = (...shape) => om.ones(shape);

const oddly = (fields) => Object.assign(new Error('odd'), fields);
const withMessage = (get) => Object.defineProperty(new Error(), 'message', { get });
const revoked = Proxy.revocable({}, {});
revoked.revoke();

test('whatever a model throws comes out as it was', () => {
  const all = [
    [oddly({ message: 7 }), '7'],
    [oddly({ name: 3 }), 'odd'],
    [oddly({ name: 'constructor' }), 'odd'],
    [oddly({ stack: 3 }), 'odd'],
    [oddly({ message: Symbol('s') }), 'Symbol(s)'],
    [oddly({ message: Object.create(null) }), 'no text'],
    [withMessage(() => assert.fail('no message')), 'no text'],
    [withMessage(() => `odd ${Math.random()}`), 'odd'],
    [Object.assign(new om.ShapeError('odd', 'Shape'), { kind: 3 }), 'odd'],
    [new Error('half \ud800 of a pair'), 'half \ufffd of a pair'],
    [new Error('a zero \0 within'), 'a zero \ufffd within'],
    [Object.create(null), 'no text'],
    [revoked.proxy, 'no text'],
    [Symbol('s'), 'Symbol(s)'],
    [undefined, 'undefined'],
  ];
  om.scope(() => {
    for (const [odd, text] of all) {
      const failing = () => {
        throw odd;
      };
      let caught;
      try {
        om.exportProgram(failing, [o(2)]);
      } catch (error) {
        caught = { error };
      }
      assert.ok(caught && Object.is(caught.error, odd), text);
      const { failures } = om.draftExport(failing, [o(2)]);
      assert.equal(failures.length, 1);
      assert.equal(failures[0].kind, 'ModelError');
      assert.ok(failures[0].message.includes(text), failures[0].message);
    }
  });
});

test('what is in arrays, objects, Maps and Sets of a model is put back', () => {
  class Caching extends om.nn.Module {
    cache = [];
    counts = { calls: 0, nested: { list: [1, [2]], gone: true, last: 1 } };
    byName = new Map([['a', [1]]]);
    seen = new Set([1, 2]);
    frozen = Object.freeze([{ n: 0 }]);
    fails = false;
    constructor() {
      super();
      this.counts.self = this.counts;
    }
    forward(x) {
      this.cache.push(x.mul(2));
      this.counts.calls++;
      this.counts.nested.list[1].push(x);
      this.counts.nested.list = [];
      delete this.counts.nested.gone;
      this.counts.more = x;
      this.byName.get('a').push(x);
      this.byName.set('a', x).set('b', x);
      this.seen.delete(1);
      this.frozen[0].n = x;
      if (this.fails) throw new RangeError('no');
      return om.concat(this.cache);
    }
  }
  withModel(
    () => new Caching(),
    (model) => {
      const { cache, counts, byName, seen, frozen } = model;
      const { nested } = counts;
      const { list } = nested;
      const check = () => {
        const now = [model.cache, model.counts, model.byName, model.seen, model.frozen, counts.nested, nested.list];
        const before = [cache, counts, byName, seen, frozen, nested, list];
        assert.ok(now.every((each, i) => each === before[i]));
        const text = JSON.stringify([cache, { ...counts, self: null }, [...byName], [...seen], frozen]);
        const contents = { calls: 0, nested: { list: [1, [2]], gone: true, last: 1 }, self: null };
        assert.equal(text, JSON.stringify([[], contents, [['a', [1]]], [1, 2], [{ n: 0 }]]));
        assert.equal(counts.self, counts);
        assert.deepEqual(Object.keys(model), ['cache', 'counts', 'byName', 'seen', 'frozen', 'fails']);
      };
      const program = om.exportProgram(model, [o(2)]);
      check();
      assert.deepEqual(program.call(o(2)).toArray(), [2, 2]);
      program.dispose();
      model.fails = true;
      assert.throws(() => om.exportProgram(model, [o(2)]), RangeError);
      check();
    },
  );
});

test('typed arrays and Dates of a model are put back', () => {
  class Clock extends om.nn.Module {
    counts = new Int32Array([1, 2]);
    last = new Date(5);
    deep = { bytes: [new DataView(new ArrayBuffer(2))], big: new BigInt64Array(1), none: new Float64Array() };
    fails = false;
    forward(x) {
      this.counts[0]++;
      this.last.setTime(9);
      this.deep.bytes[0].setUint8(1, 7);
      this.deep.big[0] = 3n;
      if (this.fails) throw new RangeError('no');
      return x.mul(this.counts[0]);
    }
  }
  withModel(
    () => new Clock(),
    (model) => {
      const { counts, last } = model;
      const check = () => {
        assert.ok(model.counts === counts && model.last === last);
        assert.deepEqual([...counts, last.getTime()], [1, 2, 5]);
        assert.deepEqual([model.deep.bytes[0].getUint8(1), model.deep.big[0]], [0, 0n]);
      };
      om.exportProgram(model, [o(2)]).dispose();
      check();
      const report = om.draftExport(model, [o(2)]);
      assert.ok(report.failures.some(({ message }) => message.includes('has to be in a buffer')));
      report.dispose();
      check();
      model.fails = true;
      assert.throws(() => om.exportProgram(model, [o(2)]), RangeError);
      check();
    },
  );
});

test('accessors and constants among the fields are left alone', () => {
  class Odd extends om.nn.Module {
    reads = 0;
    steps = 0;
    constructor() {
      super();
      const get = () => this.#read();
      Object.defineProperty(this, 'random', { enumerable: true, configurable: true, get });
      Object.defineProperty(this, 'lazy', { enumerable: true, configurable: true, get });
      Object.defineProperty(this, 'fixed', { enumerable: true, value: 3 });
      Object.defineProperty(this, 'held', { value: { list: [] } });
      this.inside = Object.defineProperty({}, 'g', { enumerable: true, get: () => assert.fail('a getter was called') });
    }
    #read() {
      this.reads++;
      return Math.random();
    }
    forward(x) {
      this.steps++;
      this.readsBefore = this.reads;
      this.held.list.push(x);
      Object.defineProperty(this, 'lazy', { value: 1 });
      return x.mul(this.random);
    }
  }
  withModel(
    () => new Odd(),
    (model) => {
      const descriptors = () => {
        const { reads: _, ...others } = Object.getOwnPropertyDescriptors(model);
        return others;
      };
      const before = descriptors();
      om.exportProgram(model, [o(2)]).dispose();
      assert.deepEqual(descriptors(), before);
      assert.deepEqual(model.held.list, []);
      assert.equal(typeof model.lazy, 'number');
    },
  );
});
