// The built playground, used as a visitor would.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { reloadsLine, tracesLine, trainsLine } from './line.mjs';
import {
  dropFile,
  exampleCode,
  exampleOf,
  openPlayground,
  untilReady,
  untilTrained,
  writeCode,
} from './playground.mjs';
import { screenshot } from './support.mjs';

describe('an isolated page', () => {
  let page;
  let close;
  before(async () => {
    ({ page, close } = await openPlayground());
  });
  after(() => close());

  test('runs on several threads and says so', async () => {
    const { variant, threads } = await untilReady(page);
    assert.match(variant, /-threads$/);
    assert.ok(threads > 1, `${threads} threads`);
    assert.equal(await page.locator('#notice').isVisible(), false);
  });

  test('trains a line: the loss falls', () => trainsLine(page));

  test('does not pile up memory from run to run', async () => {
    const living = () => page.getAttribute('#memory', 'title');
    await page.waitForTimeout(1600);
    const once = await living();
    await page.click('#run');
    await untilTrained(page);
    await page.waitForTimeout(1600);
    assert.equal(await living(), once);
  });

  test('traces: the graph shows operators and the symbol', async () => {
    await tracesLine(page);
    await screenshot(page, 'line-1280');
  });

  test('a downloaded file runs at another batch and agrees with the module', async () => {
    await reloadsLine(page);
    await screenshot(page, 'model-1280');
  });

  test('a broken file is told', async () => {
    await dropFile(page, 'broken.onnx', Buffer.from('\x89ONEM, but no model', 'latin1'));
    await page.locator('#model-error .error-name', { hasText: 'ModelError' }).waitFor();
    assert.ok((await page.textContent('#model-error .error-kind')).length > 0);
  });

  test('an error in the code is told with class, kind and line', async () => {
    await writeCode(page, exampleCode('line').replace('om.nn.Linear(1, 1)', 'om.nn.Linear(2, 1)'));
    await page.click('#run');
    await page.locator('#training-error .error-name', { hasText: 'ShapeError' }).waitFor();
    assert.ok((await page.textContent('#training-error .error-kind')).length > 0);
    assert.match(await page.textContent('#training-error .error-line'), /line 14/);
    await screenshot(page, 'error-1280');
    await writeCode(page, 'export const model = 3;');
    await page.click('#run');
    await page.locator('#training-error', { hasText: 'must export `model`' }).waitFor();
  });

  test('cancel stops training, and code that never returns', async () => {
    await writeCode(page, exampleOf('line', 100000000));
    await page.click('#run');
    await page.locator('#training-status', { hasText: /Step \d+/ }).waitFor();
    await page.click('#cancel');
    await untilTrained(page, 'Cancelled', 3000);
    const { step } = /step (?<step>\d+) \//.exec(await page.textContent('#training-status')).groups;
    assert.ok(Number(step) > 0 && Number(step) < 100000000);
    assert.ok(await page.locator('#run').isEnabled());

    for (const code of ['for (;;);', 'await new Promise(() => {});']) {
      await writeCode(page, code);
      await page.click('#run');
      await page.click('#cancel');
      await page.locator('#training-error', { hasText: 'did not return' }).waitFor();
    }
    await page.click('#reset');
    await page.click('#run');
    await untilTrained(page);
  });
});
