// The export view of the built playground: what a program is, what is wrong with a model, files, and generated text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { streamText } from '../../examples/js/cached_model.mjs';
import { readCharacters } from '../../examples/js/characters.mjs';
import { novel } from '../../examples/js/novel.mjs';
import { exportModel, modulesOf, rowsOf, watchLengths } from './exporting.mjs';
import {
  chooseExample,
  downloadFrom,
  dropFile,
  exampleCode,
  exampleOf,
  openOnOneThread,
  runOn,
  shownValues,
  untilNothingLives,
  untilTrained,
  writeCode,
} from './playground.mjs';
import { assertLooksGood } from './support.mjs';

test('line: signature, sizes and modules are shown, and files keep the program', async (t) => {
  const page = await openOnOneThread(t);
  const code = exampleCode('line').replace("om.Dim('batch', { min: 1 })", "om.Dim('batch', { min: 2, max: 8 })");
  await writeCode(page, code);
  await page.click('#run');
  await untilTrained(page);
  await page.focus('#export');
  await page.keyboard.press('Enter');
  await page.locator('#draft', { hasText: 'can be exported as it is' }).waitFor();
  assert.deepEqual(await rowsOf(page, '#program-signature'), [
    ['input', 'Parameter', 'p_weight', 'weight', 'float32 [1, 1]'],
    ['input', 'Parameter', 'p_bias', 'bias', 'float32 [1]'],
    ['input', 'UserInput', 'input', '–', 'float32 [batch, 1]'],
    ['output', 'UserOutput', 'output', '–', 'float32 [batch, 1]'],
  ]);
  assert.deepEqual(await rowsOf(page, '#program-sizes'), [['batch', '2 to 8', 'input, axis 0']]);
  assert.match(await page.textContent('#program-graph svg'), /\[batch, 1\]/);
  for (const ending of ['onnx', 'onemodel']) {
    const { name, bytes } = await downloadFrom(page, `#save-program-${ending}`);
    assert.equal(name, `line-program.${ending}`);
    await dropFile(page, name, bytes);
    await page.locator('.file-name', { hasText: name }).waitFor();
    await runOn(page, 3, [4, -1, 10]);
    const values = await shownValues(page);
    for (const [i, x] of [4, -1, 10].entries()) {
      assert.ok(Math.abs(values[i] - (2 * x + 1)) < 0.2, `line(${x}) is ${values[i]}`);
    }
    await page.fill('input[name="size batch"]', '9');
    await page.fill('textarea[name="values input"]', '1 2 3 4 5 6 7 8 9');
    await page.click('#run-model');
    const refusal = page.locator('#model-report .error', { hasText: 'ConstraintsError' });
    await refusal.waitFor();
    assert.match(await refusal.textContent(), /batch.*9/s);
    await page.click('#close-model');
  }
  await assertLooksGood(page, 'export-line');
  await chooseExample(page, 'digits');
  assert.equal(await page.textContent('#export-report'), '');
  await untilNothingLives(page);
});

const gate = `import * as om from 'onemodel';

class Gate extends om.nn.Module {
  forward(x) {
    if (x.sum().item() > 0) return x;
    return x.neg();
  }
}
class Net extends om.nn.Module {
  gate = new Gate();
  forward(x) {
    return this.gate.forward(x).relu();
  }
}
export const model = new Net();
export const example = om.ones([3, 2]);
`;

const related = `import * as om from 'onemodel';

class Net extends om.nn.Module {
  forward(x, y) {
    return om.concat([x, om.ones([1])]).mul(y);
  }
}
export const model = new Net();
export const example = { x: om.ones([3]), y: om.ones([4]) };
export const dynamicShapes = { x: [om.Dim('n')], y: [om.Dim('m')] };
`;

test('what is wrong with a model is shown with its line, and fixes are applied', async (t) => {
  const page = await openOnOneThread(t);
  await writeCode(page, gate);
  assert.match(await exportModel(page), /1 problem: no program/);
  const failure = page.locator('#failures .failure');
  assert.equal(await failure.count(), 1);
  assert.match(await failure.textContent(), /^DataDependent.*gate.*line 5/s);
  await failure.locator('button').press('Enter');
  assert.equal(await page.textContent('.cm-failed-line'), '    if (x.sum().item() > 0) return x;');
  assert.ok(await page.evaluate(() => document.activeElement.matches('.cm-content')));
  const report = await page.textContent('#draft-text');
  assert.match(report, /line 5/);
  assert.doesNotMatch(report, /blob:/);
  await assertLooksGood(page, 'export-failure');
  await page.click('#save-program-onnx');
  await page.locator('#export-error .error-name', { hasText: 'TraceError' }).waitFor();
  assert.equal(await page.textContent('#export-error .error-kind'), 'DataDependent');

  await page.reload();
  await page.locator('#export:enabled').waitFor();
  await writeCode(page, related);
  assert.match(await exportModel(page), /problems?: the program below has the suggested sizes/);
  assert.match(await page.textContent('#failures'), /GuardAdded/);
  assert.match(await page.textContent('#suggested-fixes pre'), /om\.Dim\('n'\)\.add\(1\)/);
  await assertLooksGood(page, 'export-fixes');
  const suggested = await page.textContent('#suggested-fixes pre');
  await page.click('#apply-fixes');
  await page.locator('#draft', { hasText: 'Exported with the suggested sizes' }).waitFor();
  assert.equal(await page.locator('#failures').count(), 0);
  assert.deepEqual(await rowsOf(page, '#program-sizes'), [
    ['n', 'any', 'x, axis 0'],
    ['n + 1', 'any', 'y, axis 0'],
    ["axis 0 of 'y' == n + 1"],
  ]);
  const { bytes } = await downloadFrom(page, '#save-program-onemodel');
  assert.equal(bytes.subarray(1, 5).toString(), 'ONEM');
  await assertLooksGood(page, 'export-fixed');

  // What is suggested is code that exports without a problem.
  await writeCode(page, related.replace(/export const dynamicShapes.*\n/, `${suggested}\n`));
  await page.click('#run');
  await page.locator('#training-error', { hasText: 'trainStep' }).waitFor();
  assert.match(await exportModel(page), /can be exported as it is/);

  await writeCode(page, 'import * as om from "onemodel";\nexport const model = new om.nn.Linear(2, 2);\n');
  await page.click('#run');
  await page.locator('#training-error', { hasText: 'trainStep' }).waitFor();
  await page.click('#export');
  await page.locator('#export-error', { hasText: 'must export `example`' }).waitFor();
});

test('an export that does not end is cancelled', async (t) => {
  const page = await openOnOneThread(t);
  await writeCode(page, gate.replace('if (x.sum().item() > 0) return x;', 'for (;;);'));
  await page.click('#export');
  assert.ok(await page.locator('#export-progress').isVisible());
  await page.click('#cancel-export');
  await page.locator('#export-error', { hasText: 'was cancelled' }).waitFor();
  await page.locator('#export:enabled').waitFor();
  assert.equal(await page.locator('#export-progress').isVisible(), false);
  await page.click('#reset');
  assert.match(await exportModel(page), /can be exported as it is/);
});

test('every example can be exported with the sizes that it declares', async (t) => {
  const page = await openOnOneThread(t);
  const declared = {
    digits: ['batch'],
    transformer: ['batch', 'length'],
    unet: ['batch', 'height', 'width'],
    tagger: ['batch', 'length'],
  };
  for (const [name, sizes] of Object.entries(declared)) {
    await chooseExample(page, name);
    assert.match(await exportModel(page), /can be exported as it is/, name);
    assert.deepEqual(
      (await rowsOf(page, '#program-sizes')).map(([size]) => size),
      sizes,
    );
    assert.ok((await modulesOf(page)).length > 3, name);
  }
});

/** What a session of the file writes in Node. */
async function writtenByNode(bytes, prompt, count, seed) {
  await om.init({ threads: 1, variant: 'simd' });
  const program = om.ExportedProgram.load(new Uint8Array(bytes));
  const session = program.createSession();
  om.manualSeed(seed);
  const text = [...streamText(session, readCharacters(novel), prompt, count)].join('');
  for (const each of [session, program]) each.dispose();
  return text;
}

test('key-value cache: text streams from the program, as the model without the cache writes it', async (t) => {
  const page = await openOnOneThread(t, '&variant=simd');
  await chooseExample(page, 'cached');
  await writeCode(page, exampleOf('cached', 30));
  const lengths = await watchLengths(page, '#streaming-result');
  await page.click('#run');
  await untilTrained(page, 'Finished', 300_000);
  const status = page.locator('#streaming-status');
  await page.locator('#streaming-status', { hasText: 'Finished' }).waitFor({ timeout: 120_000 });
  assert.match(await status.textContent(), /^Finished: 300 tokens · \d+ tokens per second$/);
  const prompt = 'Call me';
  const text = (await page.textContent('#streaming-result')).slice(prompt.length);
  assert.equal(text.length, 300);
  // One character after the other.
  const expected = Array.from({ length: 301 }, (_, i) => prompt.length + i);
  assert.deepEqual((await lengths()).slice(-301), expected);

  await page.click('#compare-streaming');
  const note = page.locator('#streaming-note', { hasText: 'The model without the cache' });
  await note.waitFor({ timeout: 120_000 });
  assert.match(await note.textContent(), /writes the same, at \d+ tokens per second/);

  assert.match(await exportModel(page), /can be exported as it is/);
  const signature = await rowsOf(page, '#program-signature');
  const cache = signature.filter(([, , , target]) => /attention\.(keys|values)$|^position$/.test(target));
  assert.equal(cache.filter(([, kind]) => kind === 'Buffer, not persistent').length, 5);
  assert.equal(cache.filter(([, kind]) => kind === 'BufferMutation').length, 5);
  assert.deepEqual(signature.find(([, kind]) => kind === 'UserInput').slice(2), ['token', '–', 'int64 [1]']);
  assert.match(await page.textContent('#program-sizes'), /Every size is as in the example/);
  const modules = await modulesOf(page);
  const nodesIn = Object.fromEntries(modules);
  assert.ok(nodesIn[''] > nodesIn['blocks.0'] && nodesIn['blocks.0'] > nodesIn['blocks.0.attention'], `${modules}`);
  await page.focus('.module-tree input:checked');
  const paths = modules.map(([path]) => path);
  for (let i = 0; i < paths.indexOf('blocks.0.attention'); i++) await page.keyboard.press('ArrowDown');
  assert.equal(await page.inputValue('.module-tree input:checked'), 'blocks.0.attention');
  assert.equal(await page.locator('.graph-node.chosen').count(), nodesIn['blocks.0.attention']);
  assert.ok(await page.locator('.graph-node.chosen').first().isVisible());

  const { name, bytes } = await downloadFrom(page, '#save-program-onemodel');
  assert.equal(name, 'cached-program.onemodel');
  assert.equal(await writtenByNode(bytes, prompt, 300, 1), text);
  await page.check('#state-inputs');
  const onnx = await downloadFrom(page, '#save-program-onnx');
  await dropFile(page, onnx.name, onnx.bytes);
  await page.locator('.file-name', { hasText: onnx.name }).waitFor();
  const inputs = (await rowsOf(page, '#model-report .signature')).filter(([direction]) => direction === 'input');
  assert.equal(inputs.length, 6); // the token, and five buffers
  await page.click('#close-model');
  await assertLooksGood(page, 'export-cached');

  await page.fill('#streaming-prompt', 'the whale ');
  await page.click('#streaming-form button[type=submit]');
  await page.locator('#streaming-result b', { hasText: 'the whale' }).waitFor();
  await writeCode(page, exampleOf('cached', 1).replace('length = 300;', 'length = 1e9;'));
  await page.click('#run');
  await page.locator('#streaming-status', { hasText: /^\d+ tokens · \d+ tokens per second$/ }).waitFor();
  await page.click('#stop-streaming');
  await page.locator('#streaming-status', { hasText: /^Stopped: \d+ tokens/ }).waitFor();
  assert.ok(await page.locator('#stop-streaming').isDisabled());
  await chooseExample(page, 'line');
  await untilNothingLives(page);
});
