// The playground's page and its controls.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, root } from './support.mjs';

/** The editor's code is a Blob. */
const playgroundPolicy = "script-src 'self' blob: 'wasm-unsafe-eval'; connect-src 'self'";

/** Opens the built playground. */
export async function openPlayground(options = {}) {
  const opened = await openFolder(join(root, 'build/playground'), { policy: playgroundPolicy, ...options });
  await opened.page.goto(opened.url);
  return opened;
}

/** Opens the playground for a test: small models learn fastest on one thread when the machine has other work. */
export async function openOnOneThread(t, query = '') {
  const { page, close, url } = await openPlayground();
  t.after(close);
  await page.goto(`${url}?threads=1${query}`);
  await untilReady(page);
  return page;
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

const models = {
  digits: ['digits_model'],
  transformer: ['characters', 'transformer_model'],
  cached: ['characters', 'cached_model'],
  unet: ['unet_model'],
  tagger: ['tagger_model'],
};

/** The text that an example starts with. */
export function exampleCode(name) {
  const parts = (models[name] ?? []).map((model) => `examples/js/${model}.mjs`);
  const [first, ...others] = [...parts, `web/playground/src/examples/${name}.js`].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const imports = /^import .* from '(onemodel|\.\/.*)';\n/gm; // the parts are one module
  return [first, ...others.map((part) => part.replace(imports, ''))].join('\n');
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

/** Drops files onto the page together, as from a folder: name, content and type of each. */
export async function dropFiles(page, files) {
  await page.evaluate(
    (dropped) => {
      const transfer = new DataTransfer();
      for (const [name, base64, type] of dropped) {
        const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([content], name, { type }));
      }
      for (const event of ['dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(event, { bubbles: true, cancelable: true, dataTransfer: transfer }));
      }
    },
    files.map(([name, bytes, type = '']) => [name, Buffer.from(bytes).toString('base64'), type]),
  );
}

export const dropFile = (page, ...file) => dropFiles(page, [file]);

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
  await page.fill('textarea[name="values input"]', values.join(' '));
  await page.click('#run-model');
  await page.locator('.results .values').first().waitFor();
}

/** Waits until the page says that nothing of the engine is alive. */
export async function untilNothingLives(page) {
  const zero = '0 tensors, 0 modules, 0 optimizers, 0 schedules, 0 graphs, 0 programs, 0 sessions, 0 storages';
  await page.locator(`#memory[title="${zero}"]`).waitFor();
  assert.equal(await page.textContent('#memory-bytes'), '0 B');
}

/** The last loss. */
export const lossOf = async (page) => Number(await page.textContent('#loss'));
