import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  assertFitsWidth,
  chooseExample,
  downloadFrom,
  draw,
  dropFile,
  exampleCode,
  openPlayground,
  screenshot,
  untilReady,
  untilTrained,
  writeCode,
} from './support.mjs';

const numbersIn = (text) => text.match(/-?\d+(\.\d+)?(e[-+]?\d+)?/g).map(Number);

const lossOf = async (page) => Number(await page.textContent('#loss'));

/** The values of the first output, as the page shows them. */
const shownValues = async (page) => numbersIn(await page.textContent('.results .values'));

async function runOn(page, batch, values) {
  await page.fill('input[name="size batch"]', String(batch));
  await page.selectOption('select[name="fill input"]', 'values');
  await page.fill('input[name="values input"]', values.join(' '));
  await page.click('#run-model');
  await page.locator('.results .values').first().waitFor();
}

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
    assert.equal(await page.locator('#threads-reason').isVisible(), false);
  });

  test('trains a line: the loss falls', async () => {
    await writeCode(page, exampleCode('line').replace('steps = 200', 'steps = 1'));
    await page.click('#run');
    await untilTrained(page);
    const first = await lossOf(page);
    await page.click('#reset');
    await page.click('#run');
    await untilTrained(page);
    await page.locator('#training-status', { hasText: 'step 200 / 200' }).waitFor();
    const last = await lossOf(page);
    assert.ok(last < first / 100, `the loss went from ${first} to ${last}`);
  });

  test('does not pile up memory from run to run', async () => {
    const tensors = () => page.textContent('#memory-tensors');
    await page.waitForTimeout(1600);
    const once = await tensors();
    await page.click('#run');
    await untilTrained(page);
    await page.waitForTimeout(1600);
    assert.equal(await tensors(), once);
  });

  test('traces: the graph shows operators and the symbol', async () => {
    await page.click('#trace');
    await page.locator('#trace-graph svg').waitFor();
    const shown = await page.locator('#trace-graph svg').textContent();
    assert.match(shown, /MatMul|Gemm/);
    assert.match(shown, /\[batch, 1\]/);
    assert.match(await page.textContent('#trace-notes'), /checked at batch = \d/);
    await screenshot(page, 'line-1280');
  });

  test('a downloaded file runs at another batch and agrees with the module', async () => {
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
        const expected = 2 * x + 3;
        assert.ok(Math.abs(values[i] - expected) < 0.2, `line(${x}) is ${values[i]}, expected near ${expected}`);
      });
      assert.match(await page.textContent('.results details'), /Gemm|MatMul/);
    }
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
    await writeCode(page, 'export const model = 3;');
    await page.click('#run');
    await page.locator('#training-error', { hasText: 'must export `model`' }).waitFor();
  });

  test('cancel stops training, and code that never returns', async () => {
    await writeCode(page, exampleCode('line').replace('steps = 200', 'steps = 100000000'));
    await page.click('#run');
    await page.locator('#training-status', { hasText: /Step \d+/ }).waitFor();
    await page.click('#cancel');
    await untilTrained(page, 'Cancelled', 3000);
    const { step } = /step (?<step>\d+) \//.exec(await page.textContent('#training-status')).groups;
    assert.ok(Number(step) > 0 && Number(step) < 100000000);
    assert.ok(await page.locator('#run').isEnabled());

    await writeCode(page, 'for (;;);');
    await page.click('#run');
    await page.click('#cancel');
    await page.locator('#training-error', { hasText: 'did not return' }).waitFor();
    await page.click('#reset');
    await page.click('#run');
    await untilTrained(page);
  });
});

describe('digits', () => {
  let page;
  let close;
  before(async () => {
    ({ page, close } = await openPlayground());
  });
  after(() => close());

  const shares = async () => (await page.locator('.bar-number').allTextContents()).map(parseFloat);

  test('the untrained model guesses, and a short training recognises a drawing', async () => {
    await untilReady(page);
    await chooseExample(page, 'digits');
    const one = [
      [
        [0.5, 0.15],
        [0.5, 0.85],
      ],
    ];
    await draw(page, one);
    await page.locator('.bars .best').waitFor();
    const guessed = await shares();
    assert.ok(Math.abs(guessed.reduce((sum, share) => sum + share, 0) - 100) < 1, `shares ${guessed}`);

    await writeCode(page, exampleCode('digits').replace('steps = 420', 'steps = 120'));
    await page.click('#run');
    await untilTrained(page);
    const accuracy = parseFloat(await page.textContent('#accuracy'));
    assert.ok(accuracy > 80 && accuracy <= 100, `held-out accuracy ${accuracy} %`);

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
});

test('a page that is not isolated runs on one thread, says why, and still trains', async () => {
  const { page, close } = await openPlayground({ isolation: false });
  const { variant, threads, reason } = await untilReady(page);
  assert.doesNotMatch(variant, /threads/);
  assert.equal(threads, 1);
  assert.match(reason, /not cross-origin isolated/);
  await page.click('#run');
  await untilTrained(page);
  assert.ok((await lossOf(page)) < 0.01);
  await close();
});

test('a phone shows everything, in the dark too', async () => {
  const { page, close } = await openPlayground({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    hasTouch: true,
  });
  await untilReady(page);
  await chooseExample(page, 'digits');
  await writeCode(page, exampleCode('digits').replace('steps = 420', 'steps = 10'));
  await page.click('#run');
  await untilTrained(page);
  await draw(page, [
    [
      [0.3, 0.2],
      [0.7, 0.2],
      [0.45, 0.85],
    ],
  ]);
  await page.locator('.bars .best').waitFor();
  await page.click('#trace');
  await page.click('#open-below');
  await page.click('#run-model');
  await page.locator('.results .values').waitFor();
  await assertFitsWidth(page);
  await screenshot(page, 'digits-390-dark');
  await page.setViewportSize({ width: 360, height: 740 });
  await assertFitsWidth(page);
  await close();
});
