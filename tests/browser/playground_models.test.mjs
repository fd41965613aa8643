// Models that nobody made for the playground: filled with numbers, run, cancelled, refused.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as om from 'onemodel';
import { withExternalData } from '../js/external_data.mjs';
import { fileOf, mixedFile } from '../js/model_files.mjs';
import { modelFile, scaledFile, sequencesFile, tensorType } from '../js/onnx_builder.mjs';
import { failureOf, fillWith, giveNumbers, openModel, outputOf, runModel, setSize, valuesOf } from './models.mjs';
import { dropFile, dropFiles, openPlayground, shownValues, untilNothingLives, untilReady } from './playground.mjs';
import { assertLooksGood } from './support.mjs';

await om.init({ threads: 1 });

let page;
let close;
before(async () => {
  ({ page, close } = await openPlayground());
  await untilReady(page);
});
after(() => close());

describe('numbers', () => {
  before(() => openModel(page, 'mixed.onnx', mixedFile()));

  test('nested or flat, of every kind, fill symbolic sizes', async () => {
    await setSize(page, 'n', 2);
    await setSize(page, 'm', 3);
    await giveNumbers(page, 'x', '[[1, 2, 3], [4, 5, 6]]');
    await giveNumbers(page, 'y', '-1 0 9007199254740993');
    await runModel(page);
    const weight = (i, j) => (4 * i + j) / 7 - 1;
    const product = await valuesOf(page, 'product');
    for (const row of [0, 1]) {
      for (const column of [0, 1, 2, 3]) {
        const exact = [0, 1, 2].reduce((sum, i) => sum + (3 * row + i + 1) * weight(i, column), 0);
        assert.ok(Math.abs(product[4 * row + column] - exact) < 1e-4);
      }
    }
    assert.equal(await outputOf(page, 'next').locator('.values').textContent(), '[0, 1, 9007199254740994]');
    assert.equal(await outputOf(page, 'positive').locator('.values').textContent(), '[false, false, true]');
    assert.equal(await outputOf(page, 'half').locator('.values').textContent(), '[1, 2, 3]\n[4, 5, 6]');
    assert.match(await outputOf(page, 'half').locator('.facts').textContent(), /Elements6Min1Max6Mean3.5/);
    assert.equal(await outputOf(page, 'product').locator('.scores').count(), 2);
    assert.match(await page.textContent('#run-times'), /^First run .*, with planning/);
  });

  for (const [input, text, message] of [
    ['x', '1 2 3 4 5', /input 'x': got 5 numbers, but the shape \[2, 3\] takes 6/],
    ['x', '[[1, 2, 3], [4, 5]]', /input 'x': the list at \[1\] has length 2, expected 3/],
    ['x', '[[1, 2, 3], 4]', /got the number 4 at \[1\] instead of a list/],
    ['x', '[[1, 2, 3], [4, 5, [6]]]', /got a list at \[1\]\[2\] instead of a number/],
    ['x', '[1, 2', /'\[' are not closed/],
    ['x', '1, 2, three', /'three' is no number/],
    ['y', '1 2.5 3', /input 'y': '2.5' is no whole number, which int64 takes/],
    ['y', '1 2 9223372036854775808', /9223372036854775808 is not in int64/],
  ]) {
    test(`${text} is refused`, async () => {
      await giveNumbers(page, 'x', '1 2 3 4 5 6');
      await giveNumbers(page, 'y', '1 2 3');
      await giveNumbers(page, input, text);
      assert.match(await failureOf(page, 'InputError'), message);
      assert.equal(await page.locator('.output').count(), 0);
    });
  }

  test('a size that is none is refused', async () => {
    await setSize(page, 'n', -1);
    assert.match(await failureOf(page, 'InputError'), /the size of 'n' expects a whole number/);
  });

  test('random ones follow the seed and their range, and a matrix is shown as a heat map', async () => {
    await setSize(page, 'n', 8);
    await setSize(page, 'm', 30);
    await fillWith(page, 'x', 'uniform');
    await fillWith(page, 'y', 'uniform');
    await page.fill('input[name="low y"]', '3');
    await page.fill('input[name="high y"]', '5');
    const results = [];
    for (const seed of ['7', '7', '8']) {
      await page.fill('input[name=seed]', seed);
      await runModel(page);
      results.push(await page.locator('.results .values').allTextContents());
    }
    assert.deepEqual(results[1], results[0]);
    assert.notDeepEqual(results[2], results[0]);
    assert.deepEqual([...new Set(await valuesOf(page, 'next'))].sort(), [4, 5, 6]);
    const canvas = outputOf(page, 'product').locator('canvas');
    assert.deepEqual(await canvas.evaluate(({ width, height }) => [width, height]), [4, 8]);
    await assertLooksGood(page, 'numbers');
  });

  test('all the same', async () => {
    await setSize(page, 'n', 2);
    await setSize(page, 'm', 2);
    await fillWith(page, 'x', 'zeros');
    await fillWith(page, 'y', 'constant');
    await page.fill('input[name="constant y"]', '-3');
    await runModel(page);
    assert.ok((await valuesOf(page, 'product')).every((value) => value === 0));
    assert.deepEqual(await valuesOf(page, 'next'), [-2, -2]);
  });

  test('none at all', async () => {
    await setSize(page, 'n', 0);
    await runModel(page);
    assert.match(await outputOf(page, 'product').locator('.facts').textContent(), /Elements0Min–Max–Mean–/);
  });
});

test('a long run is cancelled, and the model runs again', async () => {
  const file = om.scope(() => {
    const weight = om.ones([512, 512]);
    const chain = (x) => Array.from({ length: 100 }).reduce((h) => h.matmul(weight).tanh(), x);
    return fileOf(
      (x) => ({ y: chain(x) }),
      () => ({ x: om.ones([2, 512]) }),
      { x: { 0: 'n' } },
    );
  });
  await openModel(page, 'long.onnx', file);
  await setSize(page, 'n', 32768);
  await fillWith(page, 'x', 'zeros');
  await page.click('#run-model');
  await page.click('#cancel-model');
  await page.locator('#model-report .error', { hasText: 'the run was cancelled' }).waitFor();
  await page.locator('#run-model:enabled').waitFor();
  assert.match(await page.textContent('#variant'), /^(simd|relaxed)/, 'the page says what runs, not what was loaded');
  assert.equal(await page.textContent('#training-status'), 'Not trained yet.');
  await setSize(page, 'n', 1);
  await runModel(page);
  assert.equal((await shownValues(page))[0], 0);
});

/** What a textarea of an input gets. */
const write = (page, input, text) => page.fill(`textarea[name="values ${input}"]`, text);

describe('strings', () => {
  const strings = 8;
  const file = modelFile({
    inputs: { words: tensorType(['n'], strings), more: tensorType([2, 2], strings) },
    outputs: { same: tensorType(['n'], strings), copy: tensorType([2, 2], strings) },
    nodes: [
      ['Identity', ['words'], ['same']],
      ['Identity', ['more'], ['copy']],
    ],
  });
  before(() => openModel(page, 'strings.onnx', file));

  test('a text for each element, by lines or nested, or one for all', async () => {
    await setSize(page, 'n', 3);
    await fillWith(page, 'words', 'values');
    await write(page, 'words', 'one\ntwo words\n"ä"');
    await page.fill('input[name="text more"]', 'same');
    await runModel(page);
    assert.equal(await outputOf(page, 'same').locator('.values').textContent(), '["one", "two words", "\\"ä\\""]');
    assert.equal(await outputOf(page, 'copy').locator('.values').textContent(), '["same", "same"]\n["same", "same"]');
    await fillWith(page, 'more', 'values');
    await write(page, 'more', '[["a", "b"], ["c", ""]]');
    await runModel(page);
    assert.equal(await outputOf(page, 'copy').locator('.values').textContent(), '["a", "b"]\n["c", ""]');
    await assertLooksGood(page, 'strings');
  });

  for (const [text, message] of [
    ['[["a", "b"]]', /input 'more': the list has length 1, expected 2/],
    ['[["a", "b"], ["c", 4]]', /input 'more': 4 is no text: write it in quotes/],
    ['[["a", "b"', /input 'more': this is no JSON/],
    ['a\nb', /input 'more': got 2 lines, but the shape \[2, 2\] takes 4 texts/],
  ]) {
    test(`${JSON.stringify(text)} is refused`, async () => {
      await write(page, 'more', text);
      assert.match(await failureOf(page, 'InputError'), message);
    });
  }
});

describe('sequences and optionals', () => {
  before(() => openModel(page, 'sequences.onnx', sequencesFile()));

  const shown = async (name) => outputOf(page, name).locator('.values').textContent();

  test('tensors one after the other, and nothing or something', async () => {
    await write(page, 's', '[1, 2]\n[3]');
    await runModel(page);
    assert.deepEqual([await shown('count'), await shown('given')], ['[2]', '[false]']);
    assert.deepEqual([await shown('same[0]'), await shown('same[1]')], ['[1, 2]', '[3]']);
    assert.equal(await outputOf(page, 'kept').count(), 0);
    await write(page, 's', '');
    await giveNumbers(page, 'o', '[4, 5.5]');
    await runModel(page);
    assert.deepEqual([await shown('count'), await shown('given'), await shown('kept')], ['[0]', '[true]', '[4, 5.5]']);
    await assertLooksGood(page, 'sequences');
  });

  test('what is no tensor is refused', async () => {
    await write(page, 's', '[1, [2]]');
    assert.match(await failureOf(page, 'InputError'), /input 's': got a list at \[1\] instead of a number/);
    await write(page, 's', '[1]');
    await write(page, 'o', '[1] [2]');
    assert.match(await failureOf(page, 'InputError'), /input 'o': got 2 tensors, expected one/);
    await write(page, 'o', 'five');
    assert.match(await failureOf(page, 'InputError'), /input 'o': 'five' is no number/);
  });
});

describe('a tensor of any rank', () => {
  const file = modelFile({
    inputs: { x: tensorType(null) },
    outputs: { y: tensorType(null) },
    nodes: [['Relu', ['x'], ['y']]],
  });
  before(() => openModel(page, 'anyrank.onnx', file));

  for (const [text, shape, result] of [
    ['[[-1, 2], [3, -4]]', '[2, 2]', '[0, 2]\n[3, 0]'],
    ['[-1]', '[1]', '[0]'],
    ['5', '[]', '[5]'],
  ]) {
    test(`its content tells the shape ${shape}`, async () => {
      await write(page, 'x', text);
      await runModel(page);
      assert.equal(await outputOf(page, 'y').locator('h4').textContent(), `y float32 ${shape}`);
      assert.equal(await outputOf(page, 'y').locator('.values').textContent(), result);
    });
  }

  test('one has to be given, and one only', async () => {
    await assertLooksGood(page, 'anyrank');
    await write(page, 'x', '[1] [2]');
    assert.match(await failureOf(page, 'InputError'), /input 'x': got 2 tensors, expected one/);
    await write(page, 'x', '');
    assert.match(await failureOf(page, 'InputError'), /input 'x': got 0 tensors, expected one/);
  });
});

describe('inputs with defaults', () => {
  before(() => openModel(page, 'scaled.onnx', scaledFile()));

  test('they keep them, shown, until they are given something else', async () => {
    await setSize(page, 'n', 2);
    await giveNumbers(page, 'x', '1 10');
    await runModel(page);
    assert.deepEqual(await valuesOf(page, 'y'), [3, 21]);
    await page.locator('summary', { hasText: 'Inputs with defaults (2)' }).click();
    assert.equal(await page.locator('.feed', { hasText: 'w float32 [1]' }).locator('.hint').textContent(), '2');
    await giveNumbers(page, 'w', '5');
    await runModel(page);
    assert.deepEqual(await valuesOf(page, 'y'), [6, 51]);
    await assertLooksGood(page, 'defaults');
    await fillWith(page, 'w', 'default');
    await runModel(page);
    assert.deepEqual(await valuesOf(page, 'y'), [3, 21]);
  });
});

describe('weights in files beside the model', () => {
  const { file, weights } = withExternalData(
    fileOf(
      (x) => ({ y: x.matmul(om.full([40, 3], 0.5)) }),
      () => ({ input: om.ones([2, 40]) }),
      { input: ['n', null] },
    ),
  );

  async function runsRight() {
    await setSize(page, 'n', 1);
    await fillWith(page, 'input', 'constant');
    await runModel(page);
    assert.deepEqual(await valuesOf(page, 'y'), [20, 20, 20]);
  }

  test('they are dropped together, in any order', async () => {
    await dropFiles(page, [
      ['weights.bin', weights],
      ['external.onnx', file],
    ]);
    await page.locator('.file-name', { hasText: 'external.onnx' }).waitFor();
    await runsRight();
  });

  test('or after the model, which says what is missing', async () => {
    await dropFile(page, 'later.onnx', file);
    const error = page.locator('#model-error');
    await error.locator('.error-name', { hasText: 'ModelError' }).waitFor();
    assert.match(await error.textContent(), /'weights\.bin' \(external data\)/);
    assert.match(await error.textContent(), /The weights of later\.onnx are in files beside it: drop those too/);
    await assertLooksGood(page, 'missing-weights');
    await dropFile(page, 'weights.bin', weights);
    await page.locator('.file-name', { hasText: 'later.onnx' }).waitFor();
    await runsRight();
  });
});

describe('what cannot run', () => {
  test('a text that is no model is told', async () => {
    await dropFile(page, 'notes.txt', Buffer.from('no model'));
    await page.locator('#model-error .error-name', { hasText: 'ModelError' }).waitFor();
  });
});

test('nothing lives on when the model is closed', async () => {
  await openModel(page, 'mixed.onnx', mixedFile());
  await runModel(page);
  await page.click('#close-model');
  await untilNothingLives(page);
});
