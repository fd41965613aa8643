// What the browser tests share: a page on a server, in Chromium.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const screenshots = join(root, 'build/screenshots');

/** No `eval`, and nothing from elsewhere. */
export const strictPolicy = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

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

export async function screenshot(page, name) {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

/** Nothing may stick out of a narrow page. */
export async function assertFitsWidth(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window} px`);
}

/** Both widths of the page, in the dark on a phone. */
export async function assertLooksGood(page, name) {
  await screenshot(page, `${name}-1280`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertFitsWidth(page);
  await page.waitForTimeout(300); // until all is painted anew
  await screenshot(page, `${name}-390-dark`);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}
