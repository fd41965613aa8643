// What the developer tools show of a tensor, where their custom formatters are on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../scripts/serve.mjs';
import { openPage, root } from './support.mjs';

test('developer tools show dtype, shape and elements', async (t) => {
  const server = await serve(root, { isolation: false });
  t.after(server.close);
  const { page, close } = await openPage(server.url);
  t.after(close);
  await page.goto(`${server.url}tests/browser/console.html`);
  await page.waitForFunction(() => window.tensor);
  const tools = await page.context().newCDPSession(page);
  await tools.send('Runtime.enable');
  await tools.send('Runtime.setCustomObjectFormatterEnabled', { enabled: true });
  const shown = async (expression) => {
    const { result } = await tools.send('Runtime.evaluate', { expression, generatePreview: true });
    return result.customPreview && JSON.parse(result.customPreview.header);
  };
  assert.deepEqual(await shown('tensor'), ['span', {}, 'Tensor float32[1, 2] [[1, 2]]']);
  assert.equal(await shown('({})'), undefined);
});
