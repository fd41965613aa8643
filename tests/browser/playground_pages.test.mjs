// The built playground where less is possible: no threads, no engine, a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reloadsLine, tracesLine, trainsLine } from './line.mjs';
import {
  chooseExample,
  draw,
  exampleCode,
  exampleOf,
  openPlayground,
  untilNothingLives,
  untilReady,
  untilTrained,
  writeCode,
} from './playground.mjs';
import { assertFitsWidth, screenshot } from './support.mjs';

const seven = [
  [
    [0.3, 0.2],
    [0.7, 0.2],
    [0.45, 0.85],
  ],
];

test('a page that is not isolated says why, and does everything on one thread', async (t) => {
  const { page, close } = await openPlayground({ isolation: false });
  t.after(close);
  const { variant, threads, reason } = await untilReady(page);
  assert.doesNotMatch(variant, /threads/);
  assert.equal(threads, 1);
  assert.match(reason, /not cross-origin isolated/);
  await screenshot(page, 'one-thread-1280');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFitsWidth(page);
  await screenshot(page, 'one-thread-390');
  await trainsLine(page);
  await tracesLine(page);
  await reloadsLine(page);
  await page.click('#close-model');
  await chooseExample(page, 'digits');
  await untilNothingLives(page);
});

test('an engine that cannot be loaded is told', async (t) => {
  const { page, complaints, close, url } = await openPlayground();
  t.after(close);
  await page.context().route('**/*.wasm', (route) => route.fulfill({ status: 404, body: 'not found' }));
  await page.goto(`${url}?threads=1`);
  const notice = page.locator('#notice', { hasText: 'The engine did not start' });
  await notice.waitFor();
  assert.match(await notice.textContent(), /onemodel-\S+\.wasm could not be loaded: HTTP status 404/);
  assert.equal(await page.textContent('#variant'), 'failed');
  assert.ok(await page.locator('#run').isDisabled());
  await screenshot(page, 'no-engine-1280');
  complaints.length = 0;
});

test('a phone shows everything, in the dark too', async (t) => {
  const { page, close } = await openPlayground({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  t.after(close);
  await untilReady(page);
  await page.click('#run');
  await untilTrained(page);
  await page.click('#trace');
  await page.locator('#trace-graph svg').waitFor();
  await assertFitsWidth(page);
  await screenshot(page, 'line-390');
  await writeCode(page, exampleCode('line').replace('om.nn.Linear(1, 1)', 'om.nn.Linear(2, 1)'));
  await page.click('#run');
  await page.locator('#training-error .error-name').waitFor();
  await assertFitsWidth(page);
  await screenshot(page, 'error-390');

  await page.emulateMedia({ colorScheme: 'dark' });
  await chooseExample(page, 'digits');
  await writeCode(page, exampleOf('digits', 60));
  await page.click('#run');
  await untilTrained(page);
  await draw(page, seven);
  await page.locator('.bars .best').waitFor();
  await page.click('#trace');
  await page.click('#open-below');
  await page.click('#run-model');
  await page.locator('.results .values').waitFor();
  await assertFitsWidth(page);
  await screenshot(page, 'digits-390-dark');
  await page.setViewportSize({ width: 360, height: 740 });
  await assertFitsWidth(page);
});
