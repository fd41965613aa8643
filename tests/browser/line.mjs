// The line example: trained, traced, and run again from its files.

import assert from 'node:assert/strict';
import {
  downloadFrom,
  dropFile,
  exampleOf,
  lossOf,
  numbersIn,
  runOn,
  shownValues,
  untilTrained,
  writeCode,
} from './playground.mjs';

/** Trains the line example, whose loss falls. */
export async function trainsLine(page) {
  await writeCode(page, exampleOf('line', 1));
  await page.click('#run');
  await untilTrained(page);
  const first = await lossOf(page);
  await page.click('#reset');
  await page.click('#run');
  await page.locator('#training-status', { hasText: 'Finished at step 200 / 200' }).waitFor();
  const last = await lossOf(page);
  assert.ok(last < first / 100, `the loss went from ${first} to ${last}`);
}

/** Traces it, and looks at the graph. */
export async function tracesLine(page) {
  await page.click('#trace');
  await page.locator('#trace-graph svg').waitFor();
  const shown = await page.locator('#trace-graph svg').textContent();
  assert.match(shown, /MatMul|Gemm/);
  assert.match(shown, /\[batch, 1\]/);
  assert.match(await page.textContent('#trace-notes'), /batch = \d, the graph agrees/);
}

/** Downloads both files, drops them on the page, and runs them at another batch. */
export async function reloadsLine(page) {
  const onnx = await downloadFrom(page, '#save-onnx');
  const oneModel = await downloadFrom(page, '#save-onemodel');
  assert.equal(onnx.name, 'line.onnx');
  assert.equal(oneModel.name, 'line.onemodel');
  assert.equal(oneModel.bytes.subarray(1, 5).toString(), 'ONEM');
  const xs = [4, 5, 6, -1, 0.5, 10, 20];
  for (const { name, bytes } of [onnx, oneModel]) {
    await dropFile(page, name, bytes);
    await page.locator('.file-name', { hasText: name }).waitFor();
    assert.match(await page.textContent('#model-report table'), /float32 \[batch, 1\]/);
    await runOn(page, xs.length, xs);
    const difference = numbersIn(await page.textContent('#eager-difference'))[0];
    assert.ok(difference <= 1e-5, `graph and module differ by ${difference}`);
    const values = await shownValues(page);
    assert.equal(values.length, xs.length);
    xs.forEach((x, i) => {
      const expected = 2 * x + 1;
      assert.ok(Math.abs(values[i] - expected) < 0.2, `line(${x}) is ${values[i]}, expected near ${expected}`);
    });
    assert.match(await page.textContent('.results details'), /Gemm|MatMul/);
  }
}
