// The examples of other kinds in the built playground: each learns, shows what it does, and is traced.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseExample,
  downloadFrom,
  dropFile,
  exampleOf,
  lossOf,
  numbersIn,
  openOnOneThread,
  shownValues,
  untilNothingLives,
  untilTrained,
  writeCode,
} from './playground.mjs';
import { assertFitsWidth, assertLooksGood } from './support.mjs';

/** Trains an example for some steps and asserts that the loss fell. */
async function learns(page, name, steps, share) {
  await chooseExample(page, name);
  await writeCode(page, exampleOf(name, 1));
  await page.click('#run');
  await untilTrained(page);
  const first = await lossOf(page);
  await writeCode(page, exampleOf(name, steps));
  await page.click('#run');
  await untilTrained(page);
  const last = await lossOf(page);
  assert.ok(last < share * first, `the loss went from ${first} to ${last}`);
}

/** Traces, and asserts that the graph agrees at other sizes, shows these texts, and can be downloaded and run. */
async function traces(page, name, texts) {
  await page.click('#trace');
  await page.locator('#trace-graph svg').waitFor();
  const shown = await page.locator('#trace-graph svg').textContent();
  for (const text of texts) assert.ok(shown.includes(text), `${text} is not in the graph`);
  assert.match(await page.textContent('#trace-notes'), /the graph agrees with the module/);
  for (const ending of ['onnx', 'onemodel']) {
    const { name: fileName, bytes } = await downloadFrom(page, `#save-${ending}`);
    assert.equal(fileName, `${name}.${ending}`);
    await dropFile(page, fileName, bytes);
    await page.locator('.file-name', { hasText: fileName }).waitFor();
    await page.click('#run-model');
    const difference = numbersIn(await page.textContent('#eager-difference'))[0];
    const scale = Math.max(1, ...(await shownValues(page)).map(Math.abs));
    assert.ok(difference / scale <= 1e-5, `graph and module differ by ${difference} in values up to ${scale}`);
  }
}

/** Both widths of the page, in the dark on a phone; and nothing that lives on. */
async function looksGood(page, name) {
  await assertLooksGood(page, name);
  await page.setViewportSize({ width: 360, height: 740 });
  await assertFitsWidth(page);
  await page.click('#close-model');
  await chooseExample(page, 'line');
  await untilNothingLives(page);
}

test('transformer: learns a text, writes on, and is traced with symbolic batch and length', async (t) => {
  const page = await openOnOneThread(t);
  await learns(page, 'transformer', 300, 0.6);
  const written = () => page.textContent('#writing-result');
  await page.locator('#writing-result b').waitFor();
  const first = await written();
  assert.match(first, /^Call me.{200}$/);
  await page.fill('#prompt', 'the whale ');
  await page.click('#writing-form button');
  await page.locator('#writing-result b', { hasText: 'the whale' }).waitFor();
  const second = await written();
  assert.match(second, /^the whale .{200}$/);
  // The letters of a text, not of a random choice among 69 characters.
  const usual = second.match(/[ etoinrsa]/g).length;
  assert.ok(usual > 100, second);
  await traces(page, 'transformer', [
    'LayerNormalization',
    'Softmax',
    '[batch, length]',
    'blocks.1.self_attn',
    'logits',
  ]);
  await looksGood(page, 'transformer');
});

test('U-Net: learns masks, shows them, and is traced with symbolic batch, height and width', async (t) => {
  const page = await openOnOneThread(t);
  await learns(page, 'unet', 200, 0.4);
  await page.locator('.mask-row').nth(2).waitFor();
  const overlaps = async () => (await page.locator('.mask-row').allTextContents()).map((text) => numbersIn(text)[0]);
  const found = await overlaps();
  assert.equal(found.length, 3);
  assert.ok(Math.max(...found) > 30, `overlaps ${found} %`);
  const before = await page.evaluate(() => document.querySelector('.mask-row canvas').toDataURL());
  await page.click('#other-images');
  await page.waitForFunction((known) => document.querySelector('.mask-row canvas').toDataURL() !== known, before);
  await writeCode(page, exampleOf('unet', 40));
  const losses = [];
  for (let run = 0; run < 2; run++) {
    await page.click('#run');
    await untilTrained(page);
    losses.push(await lossOf(page));
  }
  assert.equal(losses[1], losses[0], 'looking at a model in training changes how it learns');
  await traces(page, 'unet', ['Conv', 'MaxPool', 'Resize', 'Concat', '[batch, 1, height, width]', 'module up1.conv1']);
  await looksGood(page, 'unet');
});

test('LSTM: learns where words begin, shows it, and is traced with symbolic batch and length', async (t) => {
  const page = await openOnOneThread(t);
  await learns(page, 'tagger', 250, 0.3);
  const accuracy = parseFloat(await page.textContent('#accuracy'));
  assert.ok(accuracy >= 90 && accuracy < 100, `held-out accuracy ${accuracy} %`);
  await page.fill('#letters', 'The landlord and the harpooneer');
  await page.locator('.word', { hasText: 'landlord' }).waitFor();
  assert.equal(await page.textContent('#words-result'), 'thelandlordandtheharpooneer');
  const words = await page.locator('.word').allTextContents();
  assert.ok(words.length >= 3 && words.length <= 6, `the words are ${words.join(' ')}`);
  await page.fill('#letters', '');
  await page.waitForFunction(() => document.querySelector('#words-result').childElementCount === 0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.fill('#letters', 'z'.repeat(150));
  await page.locator('.word', { hasText: 'zzzzz' }).first().waitFor();
  await assertFitsWidth(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.fill('#letters', 'thewhaleswamroundtheshipandthecaptainsawhim');
  await page.locator('.word').nth(5).waitFor();
  await traces(page, 'tagger', ['LSTM', 'module letter', '[batch, length]', 'logits']);
  await looksGood(page, 'tagger');
});
