// The digits example in the built playground.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  chooseExample,
  draw,
  numbersIn,
  openPlayground,
  shownValues,
  untilNothingLives,
  untilReady,
  untilTrained,
} from './playground.mjs';
import { screenshot } from './support.mjs';

const one = [
  [
    [0.5, 0.15],
    [0.5, 0.85],
  ],
];

describe('digits', () => {
  let page;
  let close;
  before(async () => {
    ({ page, close } = await openPlayground());
  });
  after(() => close());

  const shares = async () => (await page.locator('.bar-number').allTextContents()).map(parseFloat);

  test('the untrained model guesses', async () => {
    await untilReady(page);
    await chooseExample(page, 'digits');
    await draw(page, one);
    await page.locator('.bars .best').waitFor();
    const guessed = await shares();
    assert.ok(Math.abs(guessed.reduce((sum, share) => sum + share, 0) - 100) < 1, `shares ${guessed}`);
  });

  test('training can be cancelled, and the model used', async () => {
    await page.click('#run');
    await page.locator('#training-status', { hasText: /Step \d+/ }).waitFor();
    await page.click('#cancel');
    await untilTrained(page, 'Cancelled');
    assert.ok(parseFloat(await page.textContent('#accuracy')) > 0);
    await page.locator('.bars .best').waitFor();
  });

  test('training reaches 97 % on held-out digits, and recognises a drawing', async () => {
    await page.click('#run');
    await untilTrained(page);
    const accuracy = parseFloat(await page.textContent('#accuracy'));
    assert.ok(accuracy >= 97 && accuracy <= 100, `held-out accuracy ${accuracy} %`);
    await page.click('#clear');
    await draw(page, one);
    await page.locator('.bars .best .bar-name', { hasText: '1' }).waitFor();
    await page.waitForTimeout(300);
    assert.ok((await shares())[1] > 50);
  });

  test('is traced with a symbolic batch through the whole graph', async () => {
    await page.click('#trace');
    await page.locator('#trace-graph svg').waitFor();
    const shown = await page.locator('#trace-graph svg').textContent();
    for (const text of ['Conv', 'MaxPool', 'logits', '[batch, 1, 28, 28]', '[batch, 10]']) {
      assert.ok(shown.includes(text), `${text} is not in the graph`);
    }
    assert.match(shown, /module conv1/);
    await page.click('#open-below');
    await page.click('#run-model');
    const difference = numbersIn(await page.textContent('#eager-difference'))[0];
    const scale = Math.max(1, ...(await shownValues(page)).map(Math.abs));
    assert.ok(difference / scale <= 1e-5, `graph and module differ by ${difference} in values up to ${scale}`);
    await screenshot(page, 'digits-1280');
  });

  test('nothing lives on when the example is left and the model closed', async () => {
    await page.click('#close-model');
    await chooseExample(page, 'line');
    await untilNothingLives(page);
  });
});
