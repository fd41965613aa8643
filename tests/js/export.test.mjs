// Exports: what is lifted, and the form of arguments, results and calls of modules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { Net, withModel, withProgram } from './export_models.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

test('state is lifted module by module: parameters, buffers, constants', () => {
  withModel(
    () => new Net(),
    (net) => {
      withProgram(net, [om.ones([2, 4])], {}, ({ signature, arguments: args }) => {
        assert.deepEqual(
          signature.inputs.map(({ kind, name, target }) => [kind, name, target]),
          [0, 1]
            .flatMap((i) => [
              ['Parameter', `p_blocks_${i}_scale`, `blocks.${i}.scale`],
              ['Buffer', `b_blocks_${i}_seen`, `blocks.${i}.seen`],
              ['Buffer', `b_blocks_${i}_total`, `blocks.${i}.total`],
              ['Constant', `c_blocks_${i}_shift`, `blocks.${i}.shift`],
              ['Parameter', `p_blocks_${i}_fc_weight`, `blocks.${i}.fc.weight`],
              ['Parameter', `p_blocks_${i}_fc_bias`, `blocks.${i}.fc.bias`],
            ])
            .concat([['UserInput', 'input', '']]),
        );
        assert.deepEqual(
          signature.outputs.map(({ kind, target }) => [kind, target]),
          [
            ['BufferMutation', 'blocks.0.total'],
            ['BufferMutation', 'blocks.0.seen'],
            ['BufferMutation', 'blocks.1.total'],
            ['BufferMutation', 'blocks.1.seen'],
            ['UserOutput', ''],
          ],
        );
        assert.deepEqual(signature.userInputs, ['input']);
        assert.deepEqual(signature.userOutputs, ['output']);
        assert.deepEqual(signature.nonPersistentBuffers, ['blocks.0.seen', 'blocks.1.seen']);
        assert.equal(signature.inputsToConstants.c_blocks_1_shift, 'blocks.1.shift');
        assert.deepEqual(Object.values(signature.buffersToMutate), [
          'blocks.0.total',
          'blocks.0.seen',
          'blocks.1.total',
          'blocks.1.seen',
        ]);
        assert.deepEqual(signature.parametersToMutate, {});
        assert.equal(signature.lossOutput, null);
        assert.deepEqual(args, [{ name: 'input', structure: '*' }]);
      });
    },
  );
});

test('a program follows the model call by call and keeps the state for itself', () => {
  withModel(
    () => new Net(),
    (net) => {
      withProgram(net, [om.ones([2, 4])], {}, (program) => {
        for (let i = 0; i < 3; i++) {
          const x = om.rand([2, 4], -1, 1);
          const got = program.call(x);
          const expected = om.noGrad(() => net.forward(x));
          assert.ok(scaledError(got.data, expected.data) <= 1e-6);
          const state = program.stateDict();
          assert.deepEqual(Object.keys(state).sort(), Object.keys(net.stateDict()).sort());
          for (const [path, tensor] of Object.entries(net.stateDict())) {
            assert.ok(scaledError(state[path].data, tensor.data) <= 1e-6, path);
          }
        }
      });
    },
  );
});

test('arguments and results keep their form, and constants theirs', () => {
  const model = (x, { pair, scale }, flag) => {
    const [a, b] = pair;
    const sum = x.add(a).mul(scale).add(b);
    return { sum: flag ? sum : x, parts: [a.neg(), null, 7], name: 'both' };
  };
  om.scope(() => {
    const pair = [om.tensor([1, 2]), om.tensor([3, 4])];
    const x = om.tensor([5, 6]);
    withProgram(model, [x, { pair, scale: 2.5 }, true], {}, (program) => {
      assert.deepEqual(program.arguments, [
        { name: 'input_0', structure: '*' },
        { name: 'input_1', structure: { pair: ['*', '*'], scale: '*' } },
        { name: 'input_2', structure: '*' },
      ]);
      assert.deepEqual(program.signature.userInputs, ['input_0', 'input_1_pair_0', 'input_1_pair_1']);
      const expected = { sum: [18, 24], parts: [[-1, -2], null, 7], name: 'both' };
      const plain = ({ sum, parts: [neg, ...rest], name }) => ({
        sum: sum.toArray(),
        parts: [neg.toArray(), ...rest],
        name,
      });
      assert.deepEqual(plain(program.call(x, { pair, scale: 2.5 }, true)), expected);
      assert.deepEqual(plain(program.call(x, { pair, scale: 2.5 })), expected);
      assert.deepEqual(plain(program.call({ input_1: { pair, scale: 2.5 }, input_0: x })), expected);
      assertThrows(() => program.call(x), om.ArgumentError, 'Argument', "'input_1' is missing");
      assertThrows(() => program.call(x, { pair, scale: 2 }), om.ArgumentError, 'Argument', '2.5', 'got 2');
      assertThrows(() => program.call(x, pair), om.ArgumentError, 'Argument', "'input_1'", '{pair: [*, *], scale: *}');
      assertThrows(() => program.call({ input_0: x, other: x }), om.ArgumentError, 'Argument', "'other'");
      assertThrows(() => program.call(x, { pair: [x, 1], scale: 2.5 }), om.ArgumentError, 'Argument', 'input_1_pair_1');
      assertThrows(() => program.call(x, { pair: [x, () => 1] }), om.ArgumentError, 'Argument', 'argument 1.pair[1]');
    });
  });
});

test('arguments by name are given in their order', () => {
  om.scope(() => {
    const examples = { left: om.tensor([4, 6]), right: om.tensor([1, 2]) };
    withProgram(
      (a, b) => a.sub(b),
      examples,
      {},
      (program) => {
        assert.deepEqual(program.signature.userInputs, ['left', 'right']);
        assert.deepEqual(program.call(examples).toArray(), [3, 4]);
        assert.deepEqual(program.call({ right: examples.left, left: examples.right }).toArray(), [-3, -4]);
        assert.deepEqual(program.call(examples.right, examples.left).toArray(), [-3, -4]);
        assert.deepEqual(Object.keys(program.exampleInputs()), ['left', 'right']);
        assert.deepEqual(program.exampleInputs().right.toArray(), [1, 2]);
      },
    );
    withProgram(
      ({ a, b }) => a.sub(b),
      [{ a: om.tensor([2]), b: om.tensor([1]) }],
      {},
      (program) => {
        assert.deepEqual(program.call({ a: om.tensor([5]), b: om.tensor([3]) }).toArray(), [2]);
        assert.deepEqual(program.call({ input: { a: om.tensor([5]), b: om.tensor([3]) } }).toArray(), [2]);
      },
    );
  });
});

test('every kind of model: layers, containers, functions', () => {
  om.scope(() => {
    const layers = new om.nn.Sequential(new om.nn.Linear(3, 4), new om.nn.ReLU(), new om.nn.Linear(4, 2));
    const x = om.rand([2, 3], -1, 1);
    withProgram(layers, [x], {}, (program) => {
      assert.ok(scaledError(program.call(x).data, layers.forward(x).data) <= 1e-6);
      assert.deepEqual(
        program.moduleCallGraph.map(({ path, parent }) => [path, parent]),
        [
          ['', -1],
          ['0', 0],
          ['1', 0],
          ['2', 0],
        ],
      );
    });
    const layer = layers.at(0);
    withProgram(layer, x, {}, (program) => {
      assert.deepEqual(
        program.signature.inputs.map(({ name }) => name),
        ['p_weight', 'p_bias', 'input'],
      );
      assert.equal(program.moduleCallGraph.length, 1);
      assert.deepEqual(program.constants(), {});
    });
    withProgram(
      (a) => layer.forward(a).tanh(),
      [x],
      {},
      (program) => {
        assert.deepEqual(program.signature.parameters, []);
        assert.equal(Object.keys(program.constants()).length, 2);
        assert.ok(scaledError(program.call(x).data, layer.forward(x).tanh().data) <= 1e-6);
      },
    );
    layers.dispose();
  });
});

test('calls of modules are recorded, with their form where it is asked for', () => {
  class Pair extends om.nn.Module {
    fc = new om.nn.Linear(2, 2);
    forward({ a, b }) {
      return { sum: this.fc.forward(a.add(b)), both: [a, b] };
    }
  }
  class Twice extends om.nn.Module {
    pair = new Pair();
    forward(x) {
      const { sum } = this.pair.forward({ a: x, b: x.neg() });
      return this.pair.forward({ a: sum, b: x }).sum;
    }
  }
  withModel(
    () => new Twice(),
    (model) => {
      withProgram(model, [om.ones([1, 2])], { preserveModuleCalls: ['pair'] }, (program) => {
        const calls = program.moduleCallGraph;
        assert.deepEqual(
          calls.map(({ path, index, parent }) => [path, index, parent]),
          [
            ['', 0, -1],
            ['pair.fc', 0, 2],
            ['pair', 0, 0],
            ['pair.fc', 1, 4],
            ['pair', 1, 0],
          ],
        );
        assert.deepEqual(calls[0].inputs, ['input']);
        assert.deepEqual(calls[2].inputStructure, [{ a: '*', b: '*' }]);
        assert.deepEqual(calls[2].outputStructure, { sum: '*', both: ['*', '*'] });
        assert.equal(calls[2].inputs[0], 'input');
        assert.equal(calls[1].inputStructure, null);
        const { nodes } = program.graph.view();
        const stacks = program.moduleStacks();
        const linear = nodes.findIndex(({ modulePath }) => modulePath === 'pair.fc@1');
        assert.ok(linear >= 0);
        assert.deepEqual(stacks[linear], ['pair', 'pair.fc']);
        assert.equal(stacks.length, nodes.length);
      });
      assertThrows(
        () => om.exportProgram(model, [om.ones([1, 2])], { preserveModuleCalls: ['other'] }),
        om.ArgumentError,
        'Argument',
        "'other'",
        "'pair'",
        "'pair.fc'",
      );
    },
  );
});

test('what is no model or no arguments is refused by name', () => {
  om.scope(() => {
    const x = om.ones([1]);
    assertThrows(() => om.exportProgram({}, [x]), om.ArgumentError, 'Argument', 'exportProgram', 'got Object');
    assertThrows(() => om.exportForTraining(3, [x]), om.ArgumentError, 'Argument', 'exportForTraining', 'a number');
    assertThrows(() => om.exportProgram((a) => a, 3), om.ArgumentError, 'Argument', 'example arguments', 'a number');
    const bad = [x, new Map()];
    assertThrows(() => om.exportProgram((a) => a, bad), om.ArgumentError, 'Argument', "'input_1'", 'Map');
    assert.throws(() => om.exportProgram((a) => a.neg(), [1]), TypeError);
    assertThrows(() => om.exportProgram(() => 3, [x]), om.TraceError, 'InvalidUsage', 'no tensor but a number');
    assertThrows(() => om.exportProgram(async (a) => a, [x]), om.TraceError, 'InvalidUsage', 'asynchronous');
    assertThrows(
      () => om.exportProgram((a) => [a.neg(), om.ones([1])], [x]),
      om.TraceError,
      'InvalidUsage',
      'output_1',
    );
    const gone = om.ones([1]);
    gone.dispose();
    assertThrows(() => om.exportProgram((a) => a, [gone]), om.ArgumentError, 'Disposed', "'input'");
  });
});
