// The models of examples/js, trained for a while on real text and digits: eager, sessions, saved files and onnxruntime-web agree at the sizes
// of the trace and at others.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as om from 'onemodel';
import * as autoencoder from '../../examples/js/autoencoder_model.mjs';
import * as characters from '../../examples/js/characters.mjs';
import { loadDigits } from '../../examples/js/digits_data.mjs';
import * as digits from '../../examples/js/digits_model.mjs';
import * as gru from '../../examples/js/gru_model.mjs';
import { novel } from '../../examples/js/novel.mjs';
import * as tagger from '../../examples/js/tagger_model.mjs';
import * as transformer from '../../examples/js/transformer_model.mjs';
import * as unet from '../../examples/js/unet_model.mjs';
import { assertClose, levels, runOracleOn } from './support.mjs';

await om.init({ threads: 1 });

afterEach(() => {
  const { heapBytes: _, ...counts } = om.memory();
  assert.ok(
    Object.values(counts).every((count) => count === 0),
    `the test left objects alive: ${JSON.stringify(counts)}`,
  );
});

const text = characters.readCharacters(novel);
const words = tagger.readWords(novel);
const handwriting = loadDigits();

const somewhere = (data, count, length) => tagger.batch(data, tagger.randomStarts(data, count, length), length);
const everyNinth = (count) => Array.from({ length: count }, (_, i) => i * 9);
const someDigits = (count) => digits.batch(handwriting.test, everyNinth(count))[0];

/** How each model learns, and its inputs at some sizes: those of the trace first. */
const models = {
  transformer: {
    make: () => new transformer.CharTransformer(text.characters.length),
    learn: (model, optimizer) => {
      const [texts, next] = characters.batch(text.tokens, 8, 24);
      return characters.learn(optimizer, model.forward(texts), next);
    },
    inputs: (count, length) => ({ input: characters.batch(text.tokens, count, length)[0] }),
    axes: { input: ['batch', 'length'] },
    sizes: [
      [3, 10],
      [1, 48],
      [4, 2],
      [2, 31],
    ],
  },
  'BiLSTM tagger': {
    make: () => new tagger.WordTagger(),
    learn: (model, optimizer) => tagger.learn(model, optimizer, somewhere(words, 8, 30)),
    inputs: (count, length) => ({ input: somewhere(words, count, length)[0] }),
    axes: { input: ['batch', 'length'] },
    sizes: [
      [3, 10],
      [1, 70],
      [6, 1],
      [2, 33],
    ],
  },
  'U-Net': {
    make: () => new unet.UNet(),
    learn: (model, optimizer) => unet.learn(model, optimizer, unet.scenes(handwriting.train, 4, 24, 24)),
    inputs: (count, height, width) => ({ input: unet.scenes(handwriting.test, count, height, width)[0] }),
    axes: { input: ['batch', null, 'height', 'width'] },
    sizes: [
      [3, 20, 28],
      [1, 32, 16],
      [2, 13, 7],
      [1, 4, 50],
    ],
  },
  autoencoder: {
    make: () => new autoencoder.Autoencoder(),
    learn: (model, optimizer) => autoencoder.learn(model, optimizer, someDigits(32)),
    inputs: (count) => ({ input: someDigits(count) }),
    axes: { input: ['batch', null, null, null] },
    sizes: [[3], [1], [2], [20]],
  },
  'GRU with its state passed in and out': {
    make: () => new gru.CharGRU(text.characters.length),
    learn: (model, optimizer) => {
      const [texts, next] = characters.batch(text.tokens, 8, 24);
      return characters.learn(optimizer, model.forward(texts, gru.noState(8)).logits, next);
    },
    inputs: (count, length) => ({
      tokens: characters.batch(text.tokens, count, length)[0],
      before: om.rand([1, count, 96], -1, 1),
    }),
    axes: { tokens: ['batch', 'length'], before: [null, 'batch', null] },
    sizes: [
      [3, 10],
      [1, 40],
      [5, 1],
      [2, 16],
    ],
  },
};

const valuesOf = (tensors) => Object.values(tensors).map((tensor) => ({ data: tensor.data, dims: tensor.shape }));

/** What the module gives, in order. */
function eager(model, feeds, arithmetic) {
  om.setArithmetic(arithmetic);
  try {
    const result = om.noGrad(() => model.forward(...Object.values(feeds)));
    return valuesOf(result instanceof om.Tensor ? [result] : result);
  } finally {
    om.setArithmetic('fast');
  }
}

function trained({ make, learn }) {
  const model = make();
  const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.005 });
  const losses = Array.from({ length: 60 }, () => om.scope(() => learn(model, optimizer)));
  optimizer.dispose();
  model.eval();
  const mean = (from, to) => losses.slice(from, to).reduce((sum, loss) => sum + loss, 0) / (to - from);
  assert.ok(mean(50, 60) < 0.85 * mean(0, 10), `the losses ${losses} do not fall`);
  return model;
}

/** One session of each kind, by name. */
async function sessionsOf(traced) {
  return {
    fast: traced.createSession(),
    reloaded: await om.Session.load(traced.toOneModel()),
    exact: traced.createSession({ arithmetic: 'exact' }),
    'exact without passes': traced.createSession({ arithmetic: 'exact', optimize: false }),
  };
}

function compareAll(got, expected, what, compare) {
  assert.equal(got.length, expected.length);
  for (const [i, each] of got.entries()) compare(each, expected[i], `${what}, output ${i}`);
}

const assertNear = (got, expected, what) => assertClose(got, expected, 1e-5, what);
const assertSame = (got, expected, what) => assert.deepEqual(got, expected, `${what}: not the same bits`);

/** Gives what `onnxruntime-web` is judged by: the inputs, and what the module makes of them. */
function compareSessions(model, sessions, feeds, at) {
  const expected = eager(model, feeds, 'fast');
  const got = {};
  for (const [kind, session] of Object.entries(sessions)) {
    got[kind] = valuesOf(session.runSync(feeds));
    compareAll(got[kind], expected, `${kind} session at ${at}`, assertNear);
  }
  compareAll(got.reloaded, got.fast, `reloaded session at ${at}`, assertSame);
  const exact = eager(model, feeds, 'exact');
  compareAll(got.exact, exact, `exact session at ${at}`, assertSame);
  compareAll(got['exact without passes'], exact, `exact session without passes at ${at}`, assertSame);
  return { inputs: valuesOf(feeds), expected };
}

for (const [name, description] of Object.entries(models)) {
  test(`${name}: learns, and is the same everywhere`, async () => {
    om.manualSeed(3);
    const { inputs, axes, sizes } = description;
    const model = trained(description);
    const traced = om.scope(() => om.trace(model, inputs(...sizes[0]), { axes, verify: true }));
    assert.ok(traced.verification.ok, JSON.stringify(traced.verification));
    assert.deepEqual(traced.warnings, []);
    const file = traced.toOnnx();
    const sessions = await sessionsOf(traced);
    for (const at of sizes) {
      const { inputs: given, expected } = om.scope(() => compareSessions(model, sessions, inputs(...at), at));
      for (const level of levels) {
        compareAll(await runOracleOn(file, given, level), expected, `onnxruntime-web (${level}) at ${at}`, assertNear);
      }
    }
    assert.equal(/FusedAttention/.test(sessions.fast.describe()), name === 'transformer');
    for (const each of [model, traced, ...Object.values(sessions)]) each.dispose();
  });
}

test('transformer: what comes later changes nothing before', () => {
  om.manualSeed(3);
  const model = models.transformer.make();
  om.scope(() => {
    const logits = (tokens) => om.noGrad(() => model.forward(om.tensor([tokens], 'int64')).slice(1, 0, 3)).data;
    const [before, after] = [logits([1n, 2n, 3n, 4n, 5n]), logits([1n, 2n, 3n, 9n, 8n])];
    assert.deepEqual(after, before);
    assert.notDeepEqual(logits([1n, 2n, 7n, 4n, 5n]), before);
  });
  model.dispose();
});
