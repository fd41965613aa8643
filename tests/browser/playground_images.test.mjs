// Images as inputs and outputs of models that nobody made for the playground.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import * as om from 'onemodel';
import { runOracleOn } from '../conformance/support.mjs';
import { classifier, fileOf } from '../js/model_files.mjs';
import { failureOf, fillWith, openModel, outputOf, pngFile, runModel, setSize, valuesOf } from './models.mjs';
import { dropFile, openPlayground, shownValues, untilReady } from './playground.mjs';
import { assertLooksGood } from './support.mjs';

await om.init({ threads: 1 });

let page;
let close;
before(async () => {
  ({ page, close } = await openPlayground());
  await untilReady(page);
});
after(() => close());

describe('an image for a classifier of text directions', () => {
  const [width, height] = [192, 48];
  const level = (x, y, channel) => (3 * x + 5 * y * (1 + channel) + 70 * channel) % 256;

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
    await runModel(page);
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
    await openModel(page, 'cls.onnx', readFileSync(classifier));
    const facts = await page.textContent('#model-report > .facts');
    assert.match(facts, /Nodes221/);
    assert.match(facts, /Parameters133,704/);
    assert.match(await page.textContent('#model-report table'), /float32 \[p2o.DynamicDimension.0, 3, p2o/);
  });

  test('a dropped image fills the input, and the scores are right', async () => {
    await setSize(page, 'p2o.DynamicDimension.1', height);
    await setSize(page, 'p2o.DynamicDimension.2', width);
    await fillWith(page, 'x', 'image');
    assert.match(await failureOf(page, 'InputError'), /input 'x': no image was chosen/);
    await fillWith(page, 'x', 'zeros');
    await dropFile(page, 'levels.png', await pngFile(page, width, height, level), 'image/png');
    await page.locator('.feed-picture', { hasText: 'levels.png: 192 × 48, given as 192 × 48' }).waitFor();
    await assertScores((each) => each / 255);
    await assertLooksGood(page, 'image');
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
    await setSize(page, 'p2o.DynamicDimension.0', 2);
    await setSize(page, 'p2o.DynamicDimension.2', 96);
    await page.locator('.feed-picture', { hasText: 'given as 96 × 48' }).waitFor();
    await runModel(page);
    const scores = await shownValues(page);
    assert.deepEqual(scores.slice(0, 2), scores.slice(2));
  });

  test('a file that is no image is told', async () => {
    const buffer = Buffer.from('no image');
    await page.setInputFiles('input[name="image x"]', { name: 'text.png', mimeType: 'image/png', buffer });
    await page.locator('#model-report .error', { hasText: "'text.png' is no image" }).waitFor();
  });
});

describe('images of every layout', () => {
  const [width, height] = [12, 10];
  const level = (x, y, channel) => (x + y === 0 ? 0 : x + y === 20 ? 255 : (20 * x + 7 * y + 90 * channel) % 256);
  const levels = Array.from({ length: width * height }, (_, i) =>
    [0, 1, 2].map((channel) => level(i % width, Math.floor(i / width), channel)),
  );

  before(async () => {
    const double = (x) => x.add(x);
    const file = fileOf(
      (first, last, grey) => ({ doubleFirst: double(first), doubleLast: double(last), doubleGrey: double(grey) }),
      () => ({ first: om.ones([1, 3, 9, 8]), last: om.ones([1, 9, 8, 3]), grey: om.ones([9, 8]) }),
      { first: { 2: 'h', 3: 'w' }, last: { 1: 'h', 2: 'w' }, grey: { 0: 'h', 1: 'w' } },
    );
    await openModel(page, 'layouts.onnx', file);
  });

  const canvasOf = (name) => outputOf(page, name).locator('canvas');

  /** Red, green and blue of the pixels that an output is shown as. */
  const shownPixels = (name) =>
    canvasOf(name).evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return Array.from({ length: data.length / 4 }, (_, i) => Array.from(data.subarray(4 * i, 4 * i + 3)));
    });

  test('go in and come out as they are', async () => {
    assert.equal(await page.locator('.sizes input[name^=size]').count(), 2);
    await setSize(page, 'h', height);
    await setSize(page, 'w', width);
    const buffer = await pngFile(page, width, height, level);
    for (const input of ['first', 'last', 'grey']) {
      await fillWith(page, input, 'image');
      await page.setInputFiles(`input[name="image ${input}"]`, { name: 'small.png', mimeType: 'image/png', buffer });
      await page.locator('.feed', { hasText: input }).locator('.hint', { hasText: 'small.png' }).waitFor();
    }
    await runModel(page);
    assert.deepEqual(await shownPixels('doubleFirst'), levels);
    assert.deepEqual(await shownPixels('doubleLast'), levels);
    const grey = await valuesOf(page, 'doubleGrey');
    levels.slice(0, width).forEach(([red, green, blue], i) => {
      const exact = (2 * (0.299 * red + 0.587 * green + 0.114 * blue)) / 255;
      assert.ok(Math.abs(grey[i] - exact) < 1e-5, `pixel ${i} is ${grey[i]}, expected ${exact}`);
    });
    const shown = await canvasOf('doubleGrey').getAttribute('aria-label');
    assert.match(shown, /heat map/);
  });
});
