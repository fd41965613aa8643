// transformers.js as it is, its models run by this engine: it takes the runtime from under its symbol. Models, tokenizers and
// configurations are made here, in the files that it would have fetched. Of its own runtimes, the one for Node is not installed
// (package.json puts another package in its place) and the one for browsers is not asked.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import * as om from 'onemodel';
import 'onemodel/ort/global';
import { env, pipeline } from '@huggingface/transformers';

await om.init({ threads: 1 });

const folder = mkdtempSync(join(tmpdir(), 'onemodel-transformers-'));
after(() => rmSync(folder, { recursive: true }));
env.allowRemoteModels = false;
env.localModelPath = folder;

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const words = [...special, 'a', 'small', 'model', 'runs', 'here'];
const idOf = (word) => words.indexOf(word);

/** A tokenizer of whole words; `template` is put around a text. */
const tokenizer = (template) => ({
  version: '1.0',
  added_tokens: special.map((content, id) => ({
    ...{ id, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  })),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: template && {
    type: 'TemplateProcessing',
    single: template.map((each) =>
      each === 'A' ? { Sequence: { id: 'A', type_id: 0 } } : { SpecialToken: { id: each, type_id: 0 } },
    ),
    pair: [],
    special_tokens: Object.fromEntries(special.map((id) => [id, { id, ids: [idOf(id)], tokens: [id] }])),
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
});

/** Writes a model as a hub has it. */
function write(name, files) {
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content instanceof Uint8Array ? content : JSON.stringify(content));
  }
}

function onnxOf(model, inputs, axes) {
  return om.scope(() => {
    const traced = om.trace(model, inputs, { axes });
    const file = traced.toOnnx();
    traced.dispose();
    return file;
  });
}

const memoryNow = () => {
  const { heapBytes: _, ...counts } = om.memory();
  return counts;
};

test('feature extraction: texts of several lengths to normalised means', async () => {
  const width = 8;
  const table = Float32Array.from({ length: words.length * width }, (_, i) => Math.sin(3 * i));
  const texts = {
    input_ids: ['batch_size', 'sequence_length'],
    attention_mask: ['batch_size', 'sequence_length'],
    token_type_ids: ['batch_size', 'sequence_length'],
  };
  const onnx = om.scope(() => {
    const embeddings = om.tensor(table, { shape: [words.length, width] });
    const model = (ids, _, types) => ({
      last_hidden_state: embeddings.gather(ids).add(types.cast('float32').unsqueeze(2)),
    });
    const ids = () => om.ones([2, 5], 'int64');
    return onnxOf(model, { input_ids: ids(), attention_mask: ids(), token_type_ids: ids() }, texts);
  });
  write('encoder', {
    'onnx/model.onnx': onnx,
    'config.json': { model_type: 'bert', architectures: ['BertModel'], hidden_size: width, vocab_size: words.length },
    'tokenizer.json': tokenizer(['[CLS]', 'A', '[SEP]']),
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      model_max_length: 16,
    },
  });
  const embed = await pipeline('feature-extraction', 'encoder', { device: 'auto', dtype: 'fp32' });
  assert.equal(om.memory().sessions, 1, 'the model does not run in this engine');
  const given = ['A small model', 'Here runs a small unheard model'];
  const result = await embed(given, { pooling: 'mean', normalize: true });
  assert.deepEqual(result.dims, [2, width]);

  const tokens = [
    ['[CLS]', 'a', 'small', 'model', '[SEP]'],
    ['[CLS]', 'here', 'runs', 'a', 'small', '[UNK]', 'model', '[SEP]'],
  ];
  for (const [row, text] of tokens.entries()) {
    const sums = Array.from({ length: width }, (_, i) =>
      text.reduce((sum, word) => sum + table[idOf(word) * width + i], 0),
    );
    const norm = Math.hypot(...sums);
    for (const [i, sum] of sums.entries()) {
      const got = result.data[row * width + i];
      assert.ok(Math.abs(got - sum / norm) < 1e-5, `${got} at ${row}, ${i}: expected ${sum / norm}`);
    }
  }
  await embed.dispose();
  assert.equal(om.memory().sessions, 0);
});

test('text generation: keys and values of a cache that grows from nothing', async () => {
  const count = words.length;
  // What a text has had already is seen in the cache, and not said again; of the rest the last in this list is preferred.
  const liking = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'here', 'a', 'runs', 'model', 'small'].map(idOf);
  const scores = Float32Array.from(words, (_, id) => liking.indexOf(id));
  const onnx = om.scope(() => {
    const same = om.tensor(
      Float32Array.from({ length: count * count }, (_, i) => (i % (count + 1) === 0 ? 1 : 0)),
      {
        shape: [count, count],
      },
    );
    const score = om.tensor(scores);
    const model = (ids, _, pastKey, pastValue) => {
      const seen = same.gather(ids);
      const key = om.concat([pastKey, seen.unsqueeze(1)], 2);
      const value = om.concat([pastValue, seen.unsqueeze(1)], 2);
      const logits = seen.mul(0).add(score.sub(value.sum(2).mul(100)));
      return { logits, 'present.0.key': key, 'present.0.value': value };
    };
    const past = () => om.zeros([2, 1, 3, count]);
    return onnxOf(
      model,
      {
        input_ids: om.ones([2, 4], 'int64'),
        attention_mask: om.ones([2, 7], 'int64'),
        'past_key_values.0.key': past(),
        'past_key_values.0.value': past(),
      },
      {
        input_ids: ['batch_size', 'sequence_length'],
        attention_mask: ['batch_size', 'total_sequence_length'],
        'past_key_values.0.key': ['batch_size', null, 'past_sequence_length', null],
        'past_key_values.0.value': ['batch_size', null, 'past_sequence_length', null],
      },
    );
  });
  write('decoder', {
    'onnx/model.onnx': onnx,
    'config.json': {
      ...{
        model_type: 'gpt2',
        architectures: ['GPT2LMHeadModel'],
        vocab_size: count,
        n_embd: count,
        n_head: 1,
        n_layer: 1,
      },
      ...{ bos_token_id: 2, eos_token_id: 3 },
    },
    'generation_config.json': { bos_token_id: 2, eos_token_id: 3, pad_token_id: 0 },
    'tokenizer.json': tokenizer(null),
    'tokenizer_config.json': { tokenizer_class: 'PreTrainedTokenizer', pad_token: '[PAD]', unk_token: '[UNK]' },
  });
  const before = memoryNow();
  const generate = await pipeline('text-generation', 'decoder', { device: 'auto', dtype: 'fp32' });
  assert.equal(om.memory().sessions, 1);
  const [{ generated_text: text }] = await generate('a model', { max_new_tokens: 3, do_sample: false });
  assert.equal(text, 'a model small runs here');
  await generate.dispose();
  assert.deepEqual(memoryNow(), before);
});
