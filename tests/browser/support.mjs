// What the browser tests share: the built page on a server, in Chromium.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/serve.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const screenshots = join(root, 'build/screenshots');

const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Opens the playground. `close` fails when the page reported errors or asked another host for something. */
export async function openPlayground({ isolation = true, query = '', ...contextOptions } = {}) {
  const server = await serve(join(root, 'build/playground'), { isolation });
  const profile = mkdtempSync(join(tmpdir(), 'playground-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: chromiumArguments,
    viewport: { width: 1280, height: 900 },
    ...contextOptions,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(30_000);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error}`));
  context.on('request', (request) => {
    if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(server.url)) {
      complaints.push(`asked ${request.url()}`);
    }
  });
  context.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(server.url + query);
  return {
    page,
    async close() {
      await context.close();
      await server.close();
      rmSync(profile, { recursive: true, force: true });
      assert.deepEqual(complaints, []);
    },
  };
}

/** Waits until the engine runs and says so. */
export async function untilReady(page) {
  await page.locator('#run:enabled').waitFor();
  return {
    variant: await page.textContent('#variant'),
    threads: Number(await page.textContent('#threads')),
    reason: await page.textContent('#threads-reason'),
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

/** The text that an example starts with. */
export function exampleCode(name) {
  return readFileSync(join(root, `web/playground/src/examples/${name}.js`), 'utf8');
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

export async function screenshot(page, name) {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

/** Nothing may stick out of a narrow page. */
export async function assertFitsWidth(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window} px`);
}
