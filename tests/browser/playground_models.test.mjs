// Models that nobody made for the playground: filled with numbers, run, cancelled, refused.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as om from 'onemodel';
import { fileOf, mixedFile } from '../js/model_files.mjs';
import { failureOf, fillWith, giveNumbers, openModel, outputOf, runModel, setSize, valuesOf } from './models.mjs';
import { dropFile, openPlayground, shownValues, untilNothingLives, untilReady } from './playground.mjs';
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
  await setSize(page, 'n', 1);
  await runModel(page);
  assert.equal((await shownValues(page))[0], 0);
});

describe('what cannot run', () => {
  const record = (number, ...content) => [(number << 3) | 2, content.length, ...content];
  const integer = (number, value) => [number << 3, value];
  const letters = (number, text) => record(number, ...Buffer.from(text));

  /** An .onnx file that gives its input, of this type. */
  function identityFile(type) {
    const value = (field, name) => record(field, ...letters(1, name), ...record(2, ...type));
    const node = record(1, ...letters(1, 'in'), ...letters(2, 'out'), ...letters(4, 'Identity'));
    const graph = [...node, ...letters(2, 'g'), ...value(11, 'in'), ...value(12, 'out')];
    return Uint8Array.from([...integer(1, 8), ...record(7, ...graph), ...record(8, ...integer(2, 16))]);
  }

  test('an input of strings is named', async () => {
    const strings = record(1, ...integer(1, 8), ...record(2));
    await openModel(page, 'strings.onnx', identityFile(strings));
    assert.match(await failureOf(page, 'InputError'), /input 'in': string.* cannot be filled in here/);
  });

  test('an input that is a sequence is named', async () => {
    const tensors = record(1, ...integer(1, 1), ...record(2));
    await openModel(page, 'sequence.onnx', identityFile(record(4, ...record(1, ...tensors))));
    assert.match(await failureOf(page, 'InputError'), /input 'in': a list of float32 tensors cannot be filled in here/);
  });

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
