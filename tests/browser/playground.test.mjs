// The built playground, used as a visitor would.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  assertFitsWidth,
  chooseExample,
  downloadFrom,
  draw,
  dropFile,
  exampleCode,
  exampleOf,
  numbersIn,
  openPlayground,
  runOn,
  screenshot,
  shownValues,
  untilNothingLives,
  untilReady,
  untilTrained,
  writeCode,
} from './support.mjs';

const lossOf = async (page) => Number(await page.textContent('#loss'));

const one = [
  [
    [0.5, 0.15],
    [0.5, 0.85],
  ],
];

const seven = [
  [
    [0.3, 0.2],
    [0.7, 0.2],
    [0.45, 0.85],
  ],
];

async function trainsLine(page) {
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

async function tracesLine(page) {
  await page.click('#trace');
  await page.locator('#trace-graph svg').waitFor();
  const shown = await page.locator('#trace-graph svg').textContent();
  assert.match(shown, /MatMul|Gemm/);
  assert.match(shown, /\[batch, 1\]/);
  assert.match(await page.textContent('#trace-notes'), /batch = \d, the graph agrees/);
}

/** Downloads both files, drops them on the page, and runs them at another batch. */
async function reloadsLine(page) {
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

/** Small models learn fastest on one thread when the machine has other work. */
async function openOnOneThread(t) {
  const { page, close, url } = await openPlayground();
  t.after(close);
  await page.goto(`${url}?threads=1`);
  await untilReady(page);
  return page;
}

/** Trains an example for some steps and asserts that the loss fell. */
async function learns(page, name, steps, share) {
  await chooseExample(page, name);
  await writeCode(page, exampleOf(name, 1));
  await page.click('#run');
  await untilTrained(page);
  const first = await lossOf(page);
  await writeCode(page, exampleOf(name, steps));
  await page.click('#run');
  await untilTrained(page);
  const last = await lossOf(page);
  assert.ok(last < share * first, `the loss went from ${first} to ${last}`);
}

/** Traces, and asserts that the graph agrees at other sizes, shows these texts, and can be downloaded and run. */
async function traces(page, name, texts) {
  await page.click('#trace');
  await page.locator('#trace-graph svg').waitFor();
  const shown = await page.locator('#trace-graph svg').textContent();
  for (const text of texts) assert.ok(shown.includes(text), `${text} is not in the graph`);
  assert.match(await page.textContent('#trace-notes'), /the graph agrees with the module/);
  for (const ending of ['onnx', 'onemodel']) {
    const { name: fileName, bytes } = await downloadFrom(page, `#save-${ending}`);
    assert.equal(fileName, `${name}.${ending}`);
    await dropFile(page, fileName, bytes);
    await page.locator('.file-name', { hasText: fileName }).waitFor();
    await page.click('#run-model');
    const difference = numbersIn(await page.textContent('#eager-difference'))[0];
    const scale = Math.max(1, ...(await shownValues(page)).map(Math.abs));
    assert.ok(difference / scale <= 1e-5, `graph and module differ by ${difference} in values up to ${scale}`);
  }
}

/** Both widths of the page, in the dark on a phone; and nothing that lives on. */
async function looksGood(page, name) {
  await screenshot(page, `${name}-1280`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertFitsWidth(page);
  await page.waitForTimeout(300); // until all is painted anew
  await screenshot(page, `${name}-390-dark`);
  await page.setViewportSize({ width: 360, height: 740 });
  await assertFitsWidth(page);
  await page.click('#close-model');
  await chooseExample(page, 'line');
  await untilNothingLives(page);
}

test('transformer: learns a text, writes on, and is traced with symbolic batch and length', async (t) => {
  const page = await openOnOneThread(t);
  await learns(page, 'transformer', 300, 0.6);
  const written = () => page.textContent('#writing-result');
  await page.locator('#writing-result b').waitFor();
  const first = await written();
  assert.match(first, /^You may.{200}$/);
  await page.fill('#prompt', 'the License ');
  await page.click('#writing-form button');
  await page.locator('#writing-result b', { hasText: 'the License' }).waitFor();
  const second = await written();
  assert.match(second, /^the License .{200}$/);
  // The letters of a text, not of a random choice among 75 characters.
  const usual = second.match(/[ etoinrsa]/g).length;
  assert.ok(usual > 100, second);
  await traces(page, 'transformer', [
    'LayerNormalization',
    'Softmax',
    '[batch, length]',
    'blocks.1.self_attn',
    'logits',
  ]);
  await looksGood(page, 'transformer');
});

test('U-Net: learns masks, shows them, and is traced with symbolic batch, height and width', async (t) => {
  const page = await openOnOneThread(t);
  await learns(page, 'unet', 200, 0.4);
  await page.locator('.mask-row').nth(2).waitFor();
  const overlaps = async () => (await page.locator('.mask-row').allTextContents()).map((text) => numbersIn(text)[0]);
  const found = await overlaps();
  assert.equal(found.length, 3);
  assert.ok(Math.max(...found) > 30, `overlaps ${found} %`);
  const before = await page.evaluate(() => document.querySelector('.mask-row canvas').toDataURL());
  await page.click('#other-images');
  await page.waitForFunction((known) => document.querySelector('.mask-row canvas').toDataURL() !== known, before);
  await writeCode(page, exampleOf('unet', 40));
  const losses = [];
  for (let run = 0; run < 2; run++) {
    await page.click('#run');
    await untilTrained(page);
    losses.push(await lossOf(page));
  }
  assert.equal(losses[1], losses[0], 'looking at a model in training changes how it learns');
  await traces(page, 'unet', ['Conv', 'MaxPool', 'Resize', 'Concat', '[batch, 1, height, width]', 'module up1.conv1']);
  await looksGood(page, 'unet');
});

test('LSTM: learns where words begin, shows it, and is traced with symbolic batch and length', async (t) => {
  const page = await openOnOneThread(t);
  await learns(page, 'tagger', 150, 0.3);
  const accuracy = parseFloat(await page.textContent('#accuracy'));
  assert.ok(accuracy >= 90 && accuracy < 100, `held-out accuracy ${accuracy} %`);
  await page.fill('#letters', 'Copyright and the License');
  await page.locator('.word', { hasText: 'license' }).waitFor();
  assert.equal(await page.textContent('#words-result'), 'copyrightandthelicense');
  const words = await page.locator('.word').allTextContents();
  assert.ok(words.length >= 3 && words.length <= 6, `the words are ${words.join(' ')}`);
  await page.fill('#letters', '');
  await page.waitForFunction(() => document.querySelector('#words-result').childElementCount === 0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.fill('#letters', 'z'.repeat(150));
  await page.locator('.word', { hasText: 'zzzzz' }).first().waitFor();
  await assertFitsWidth(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.fill('#letters', 'themodelfindsthewordsofthiscopyrightlicense');
  await page.locator('.word').nth(5).waitFor();
  await traces(page, 'tagger', ['LSTM', 'module letter', '[batch, length]', 'logits']);
  await looksGood(page, 'tagger');
});

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
