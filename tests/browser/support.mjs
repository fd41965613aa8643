// What the browser tests share: a page on a server, in Chromium, and the playground's controls.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const screenshots = join(root, 'build/screenshots');

/** No `eval`, and nothing from elsewhere. */
export const strictPolicy = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** The editor's code is a Blob. */
const playgroundPolicy = "script-src 'self' blob: 'wasm-unsafe-eval'; connect-src 'self'";

/** Opens a page. `close` fails when it reported errors or asked another host for something. */
export async function openPage(url, contextOptions = {}) {
  const { context, close } = await launchChromium({ viewport: { width: 1280, height: 900 }, ...contextOptions });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(30_000);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error}`));
  context.on('request', (request) => {
    if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(url)) {
      complaints.push(`asked ${request.url()}`);
    }
  });
  context.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return {
    page,
    complaints,
    async close() {
      await close();
      assert.deepEqual(complaints, []);
    },
  };
}

/** Serves a folder and opens it. */
export async function openFolder(folder, { isolation = true, policy = strictPolicy, ...contextOptions } = {}) {
  const server = await serve(folder, { isolation, headers: { 'Content-Security-Policy': policy } });
  const { page, complaints, close } = await openPage(server.url, contextOptions);
  return {
    page,
    complaints,
    url: server.url,
    async close() {
      await close().finally(server.close);
    },
  };
}

/** Opens the built playground. */
export async function openPlayground(options = {}) {
  const opened = await openFolder(join(root, 'build/playground'), { policy: playgroundPolicy, ...options });
  await opened.page.goto(opened.url);
  return opened;
}

/** Waits until the engine runs and says so. */
export async function untilReady(page) {
  await page.locator('#run:enabled').waitFor();
  return {
    variant: await page.textContent('#variant'),
    threads: Number(await page.textContent('#threads')),
    reason: await page.textContent('#notice'),
  };
}

/** The test continues when the status says that training ended. */
export async function untilTrained(page, word = 'Finished', timeout = 120_000) {
  await page.locator('#training-status', { hasText: word }).waitFor({ timeout });
}

export async function chooseExample(page, name) {
  await page.locator(`input[name=example][value=${name}]`).check({ force: true });
}

/** Replaces the editor's text. */
export async function writeCode(page, code) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(code);
}

const sources = {
  line: ['web/playground/src/examples/line.js'],
  ...Object.fromEntries(
    ['digits', 'transformer', 'unet', 'tagger'].map((name) => [
      name,
      [`examples/js/${name}_model.mjs`, `web/playground/src/examples/${name}.js`],
    ]),
  ),
};

/** The text that an example starts with. */
export function exampleCode(name) {
  return sources[name].map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
}

/** The text of an example with another number of steps. */
export function exampleOf(name, steps) {
  const code = exampleCode(name).replace(/steps = \d+/, `steps = ${steps}`);
  assert.ok(code.includes(`steps = ${steps};`));
  return code;
}

/** Saves what a button offers for download. */
export async function downloadFrom(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Drops a file onto the page, as from a folder. */
export async function dropFile(page, name, bytes) {
  await page.evaluate(
    ([fileName, numbers]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(numbers)], fileName));
      for (const type of ['dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
      }
    },
    [name, Array.from(bytes)],
  );
}

/** Draws lines through points given in parts of the pad's size. */
export async function draw(page, strokes) {
  await page.locator('#pad').scrollIntoViewIfNeeded();
  const box = await page.locator('#pad').boundingBox();
  for (const [first, ...rest] of strokes) {
    const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
    await page.mouse.move(...at(first));
    await page.mouse.down();
    for (const point of rest) await page.mouse.move(...at(point), { steps: 8 });
    await page.mouse.up();
  }
}

/** The numbers in a text. */
export const numbersIn = (text) => text.match(/-?\d+(\.\d+)?(e[-+]?\d+)?/g).map(Number);

/** The values of the first output of the open model, as the page shows them. */
export const shownValues = async (page) => numbersIn(await page.textContent('.results .values'));

/** Runs the open model on values for its input. */
export async function runOn(page, batch, values) {
  await page.fill('input[name="size batch"]', String(batch));
  await page.selectOption('select[name="fill input"]', 'values');
  await page.fill('input[name="values input"]', values.join(' '));
  await page.click('#run-model');
  await page.locator('.results .values').first().waitFor();
}

/** Waits until the page says that nothing of the engine is alive. */
export async function untilNothingLives(page) {
  const zero = '0 tensors, 0 modules, 0 optimizers, 0 schedules, 0 graphs, 0 sessions, 0 storages';
  await page.locator(`#memory[title="${zero}"]`).waitFor();
  assert.equal(await page.textContent('#memory-bytes'), '0 B');
}

export async function screenshot(page, name) {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

/** Nothing may stick out of a narrow page. */
export async function assertFitsWidth(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window} px`);
}
