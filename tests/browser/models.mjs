// An open model in the playground: its form, its runs and what they show.

import { dropFile, numbersIn } from './playground.mjs';

export async function openModel(page, name, bytes) {
  await dropFile(page, name, bytes);
  await page.locator('.file-name', { hasText: name }).waitFor();
}

export async function runModel(page) {
  await page.click('#run-model');
  await page.locator('.output').first().waitFor();
}

/** Runs, and gives what the page says is wrong. */
export async function failureOf(page, kind) {
  await page.click('#run-model');
  const box = page.locator('#model-report .error');
  await box.locator('.error-name', { hasText: kind }).waitFor();
  return box.textContent();
}

export const outputOf = (page, name) => page.locator(`.output[aria-label="Output ${name}"]`);

export const valuesOf = async (page, name) => numbersIn(await outputOf(page, name).locator('.values').textContent());

export const fillWith = (page, input, how) => page.selectOption(`select[name="fill ${input}"]`, how);

export const setSize = (page, symbol, value) => page.fill(`input[name="size ${symbol}"]`, String(value));

export async function giveNumbers(page, input, text) {
  await fillWith(page, input, 'values');
  await page.fill(`textarea[name="values ${input}"]`, text);
}

/** A PNG file whose pixels have the levels `level(x, y, channel)` of red, green and blue. */
export async function pngFile(page, width, height, level) {
  const pixels = Array.from({ length: width * height }, (_, i) =>
    [0, 1, 2].map((channel) => level(i % width, Math.floor(i / width), channel)).concat(255),
  );
  const base64 = await page.evaluate(
    ([w, h, levels]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      canvas.getContext('2d').putImageData(new ImageData(Uint8ClampedArray.from(levels), w, h), 0, 0);
      return canvas.toDataURL('image/png').split(',')[1];
    },
    [width, height, pixels.flat()],
  );
  return Buffer.from(base64, 'base64');
}
