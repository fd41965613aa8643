// Model files that nobody made for the playground: filled, run and looked at.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import * as om from 'onemodel';
import { runOracleOn } from '../conformance/support.mjs';
import { classifier, fileOf, mixedFile } from '../js/model_files.mjs';
import { dropFile, numbersIn, openPlayground, shownValues, untilNothingLives, untilReady } from './playground.mjs';
import { assertFitsWidth, screenshot } from './support.mjs';

await om.init({ variant: 'simd', threads: 1 });

let page;
let close;
before(async () => {
  ({ page, close } = await openPlayground());
  await untilReady(page);
});
after(() => close());

async function open(name, bytes) {
  await dropFile(page, name, bytes);
  await page.locator('.file-name', { hasText: name }).waitFor();
}

async function run() {
  await page.click('#run-model');
  await page.locator('.output').first().waitFor();
}

/** Runs, and gives what the page says is wrong. */
async function failure(kind) {
  await page.click('#run-model');
  const box = page.locator('#model-report .error');
  await box.locator('.error-name', { hasText: kind }).waitFor();
  return box.textContent();
}

const output = (name) => page.locator(`.output[aria-label="Output ${name}"]`);
const valuesOf = async (name) => numbersIn(await output(name).locator('.values').textContent());
const fill = (input, how) => page.selectOption(`select[name="fill ${input}"]`, how);
const size = (symbol, value) => page.fill(`input[name="size ${symbol}"]`, String(value));

async function numbers(input, text) {
  await fill(input, 'values');
  await page.fill(`textarea[name="values ${input}"]`, text);
}

async function assertLooksGood(name) {
  await screenshot(page, `${name}-1280`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertFitsWidth(page);
  await page.waitForTimeout(300); // until all is painted anew
  await screenshot(page, `${name}-390-dark`);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

describe('an image for a classifier of text directions', () => {
  const [width, height] = [192, 48];
  const level = (x, y, channel) => (3 * x + 5 * y * (1 + channel) + 70 * channel) % 256;

  /** A PNG file of these levels. */
  async function pngFile() {
    const pixels = Array.from({ length: width * height }, (_, i) =>
      [0, 1, 2].map((channel) => level(i % width, Math.floor(i / width), channel)).concat(255),
    );
    const base64 = await page.evaluate(
      ([w, h, levels]) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
        const image = new ImageData(Uint8ClampedArray.from(levels), w, h);
        canvas.getContext('2d').putImageData(image, 0, 0);
        return canvas.toDataURL('image/png').split(',')[1];
      },
      [width, height, pixels.flat()],
    );
    return Buffer.from(base64, 'base64');
  }

  /** What onnxruntime-web makes of the levels, scaled. */
  async function expected(scale) {
    const data = new Float32Array(3 * width * height);
    data.forEach((_, i) => {
      const [channel, pixel] = [Math.floor(i / (width * height)), i % (width * height)];
      data[i] = scale(level(pixel % width, Math.floor(pixel / width), channel), channel);
    });
    const [result] = await runOracleOn(readFileSync(classifier), [{ data, dims: [1, 3, height, width] }]);
    return result.data;
  }

  async function assertScores(scale) {
    await run();
    const scores = await shownValues(page);
    const oracle = await expected(scale);
    assert.equal(scores.length, 2);
    scores.forEach((score, i) => {
      assert.ok(Math.abs(score - oracle[i]) < 1e-3, `score ${i} is ${score}, expected ${oracle[i]}`);
    });
    const best = await page.textContent('.scores .best .bar-name');
    assert.equal(Number(best), oracle[0] > oracle[1] ? 0 : 1);
    assert.equal(await page.locator('.scores li').count(), 2);
  }

  test('the file is described', async () => {
    await open('cls.onnx', readFileSync(classifier));
    const facts = await page.textContent('#model-report > .facts');
    assert.match(facts, /Nodes221/);
    assert.match(facts, /Parameters133,704/);
    assert.match(await page.textContent('#model-report table'), /float32 \[p2o.DynamicDimension.0, 3, p2o/);
  });

  test('a dropped image fills the input, and the scores are right', async () => {
    await size('p2o.DynamicDimension.1', height);
    await size('p2o.DynamicDimension.2', width);
    await fill('x', 'image');
    assert.match(await failure('InputError'), /input 'x': no image was chosen/);
    await fill('x', 'zeros');
    await dropFile(page, 'levels.png', await pngFile(), 'image/png');
    await page.locator('.feed-picture', { hasText: 'levels.png: 192 × 48, given as 192 × 48' }).waitFor();
    await assertScores((each) => each / 255);
    await assertLooksGood('image');
  });

  test('scales, and sizes other than the file has', async () => {
    await page.selectOption('select[name="scale x"]', 'signed');
    await assertScores((each) => each / 127.5 - 1);
    await page.selectOption('select[name="scale x"]', 'standard');
    const [mean, deviation] = [
      [0.485, 0.456, 0.406],
      [0.229, 0.224, 0.225],
    ];
    await assertScores((each, channel) => (each / 255 - mean[channel]) / deviation[channel]);
    await size('p2o.DynamicDimension.0', 2);
    await size('p2o.DynamicDimension.2', 96);
    await page.locator('.feed-picture', { hasText: 'given as 96 × 48' }).waitFor();
    await run();
    const scores = await shownValues(page);
    assert.deepEqual(scores.slice(0, 2), scores.slice(2));
  });

  test('a file that is no image is told', async () => {
    const buffer = Buffer.from('no image');
    await page.setInputFiles('input[name="image x"]', { name: 'text.png', mimeType: 'image/png', buffer });
    await page.locator('#model-report .error', { hasText: "'text.png' is no image" }).waitFor();
  });
});

describe('numbers', () => {
  before(() => open('mixed.onnx', mixedFile()));

  test('nested or flat, of every kind, fill symbolic sizes', async () => {
    await size('n', 2);
    await size('m', 3);
    await numbers('x', '[[1, 2, 3], [4, 5, 6]]');
    await numbers('y', '-1 0 9007199254740993');
    await run();
    const weight = (i, j) => (4 * i + j) / 7 - 1;
    const product = await valuesOf('product');
    for (const row of [0, 1]) {
      for (const column of [0, 1, 2, 3]) {
        const exact = [0, 1, 2].reduce((sum, i) => sum + (3 * row + i + 1) * weight(i, column), 0);
        assert.ok(Math.abs(product[4 * row + column] - exact) < 1e-4);
      }
    }
    assert.equal(await output('next').locator('.values').textContent(), '[0, 1, 9007199254740994]');
    assert.equal(await output('positive').locator('.values').textContent(), '[false, false, true]');
    assert.equal(await output('half').locator('.values').textContent(), '[1, 2, 3]\n[4, 5, 6]');
    assert.match(await output('half').locator('.facts').textContent(), /Elements6Min1Max6Mean3.5/);
    assert.equal(await output('product').locator('.scores').count(), 2);
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
      await numbers('x', '1 2 3 4 5 6');
      await numbers('y', '1 2 3');
      await numbers(input, text);
      assert.match(await failure('InputError'), message);
      assert.equal(await page.locator('.output').count(), 0);
    });
  }

  test('a size that is none is refused', async () => {
    await size('n', -1);
    assert.match(await failure('InputError'), /the size of 'n' expects a whole number/);
  });

  test('random ones follow the seed and their range, and a matrix is shown as a heat map', async () => {
    await size('n', 8);
    await size('m', 30);
    await fill('x', 'uniform');
    await fill('y', 'uniform');
    await page.fill('input[name="low y"]', '3');
    await page.fill('input[name="high y"]', '5');
    const results = [];
    for (const seed of ['7', '7', '8']) {
      await page.fill('input[name=seed]', seed);
      await run();
      results.push(await page.locator('.results .values').allTextContents());
    }
    assert.deepEqual(results[1], results[0]);
    assert.notDeepEqual(results[2], results[0]);
    assert.deepEqual([...new Set(await valuesOf('next'))].sort(), [4, 5, 6]);
    const canvas = output('product').locator('canvas');
    assert.deepEqual(await canvas.evaluate(({ width, height }) => [width, height]), [4, 8]);
    await assertLooksGood('numbers');
  });

  test('all the same', async () => {
    await size('n', 2);
    await size('m', 2);
    await fill('x', 'zeros');
    await fill('y', 'constant');
    await page.fill('input[name="constant y"]', '-3');
    await run();
    assert.ok((await valuesOf('product')).every((value) => value === 0));
    assert.deepEqual(await valuesOf('next'), [-2, -2]);
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
  await open('long.onnx', file);
  await size('n', 32768);
  await fill('x', 'zeros');
  await page.click('#run-model');
  await page.click('#cancel-model');
  await page.locator('#model-report .error', { hasText: 'the run was cancelled' }).waitFor();
  await page.locator('#run-model:enabled').waitFor();
  await size('n', 1);
  await run();
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
    await dropFile(page, 'strings.onnx', identityFile(strings));
    await page.locator('#model-error .error-name', { hasText: 'ModelError' }).waitFor();
    assert.match(await page.textContent('#model-error'), /graph input 'in'.*string.* not supported/);
    assert.equal(await page.locator('#run-model').count(), 0);
  });

  test('a text that is no model is told', async () => {
    await dropFile(page, 'notes.txt', Buffer.from('no model'));
    await page.locator('#model-error .error-name', { hasText: 'ModelError' }).waitFor();
  });
});

test('nothing lives on when the model is closed', async () => {
  await open('mixed.onnx', mixedFile());
  await run();
  await page.click('#close-model');
  await untilNothingLives(page);
});
