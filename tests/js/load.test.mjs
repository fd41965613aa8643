// Model files from wherever they come.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as om from 'onemodel';
import { withExternalData } from './external_data.mjs';
import { modelFile, tensorType } from './onnx_builder.mjs';
import { assertRejects, typed, useEngine } from './support.mjs';

await useEngine();

/** The two files of a small model with a weight that does not fit into one packet. */
const files = om.scope(() => {
  const weight = om.rand([200, 300], -1, 1);
  const traced = om.trace((x) => x.matmul(weight).relu(), om.ones([2, 200]), { axes: ['n', null] });
  const made = { '/model.onnx': traced.toOnnx(), '/model.onemodel': traced.toOneModel() };
  traced.dispose();
  return made;
});
const names = Object.keys(files);

let server;
let url;
const connections = [];
const folder = mkdtempSync(join(tmpdir(), 'onemodel-load-'));

/** Answers with the files; `/stalled…` sends half of one and waits, `/broken…` hangs up after half. */
function answer(request, response) {
  connections.push({ path: request.url, closed: new Promise((resolve) => response.on('close', resolve)) });
  const name = request.url.replace(/^\/(stalled|broken|unknown)/, '');
  const bytes = files[name];
  if (request.url === '/page') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><p>an app</p>');
  } else if (!bytes) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
  } else if (request.url === name) {
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  } else if (request.url.startsWith('/unknown')) {
    response.writeHead(200).end(bytes);
  } else {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2), () => {
      if (request.url.startsWith('/broken')) response.destroy();
    });
  }
}

before(async () => {
  server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
  for (const name of names) writeFileSync(join(folder, name), files[name]);
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function assertLoads(source, options) {
  const graph = await om.loadGraph(source, options);
  assert.deepEqual(graph.toOnnx(), files['/model.onnx']);
  graph.dispose();
}

for (const name of names) {
  test(`${name} loads from every kind of source`, async () => {
    const bytes = files[name];
    const sources = {
      bytes,
      buffer: bytes.slice().buffer,
      blob: new Blob([bytes]),
      response: new Response(bytes),
      'response without length': new Response(new Blob([bytes]).stream()),
      address: `${url}${name}`,
      URL: new URL(name, url),
      fetched: await fetch(`${url}${name}`),
      path: join(folder, name),
      'file URL': pathToFileURL(join(folder, name)),
      'file address': pathToFileURL(join(folder, name)).href,
    };
    for (const source of Object.values(sources)) await assertLoads(source);
  });

  test(`${name}: progress grows to the whole`, async () => {
    const total = files[name].length;
    for (const [source, expected] of [
      [`${url}${name}`, total],
      [`${url}/unknown${name}`, null],
      [new Blob([files[name]]), total],
      [files[name], total],
    ]) {
      const seen = [];
      await assertLoads(source, { onProgress: (received, of) => seen.push([received, of]) });
      assert.deepEqual(seen.at(-1), [total, expected]);
      assert.ok(seen.every(([received, of], i) => received > (seen[i - 1]?.[0] ?? 0) && of === expected));
    }
  });

  test(`${name}: a load is cancelled before it starts, after a piece, and while nothing comes`, async () => {
    await assertRejects(om.loadGraph(files[name], { signal: AbortSignal.abort() }), om.CancelledError, 'Cancelled');
    const stalledStream = () =>
      new ReadableStream({ start: (controller) => controller.enqueue(files[name].slice(0, 1000)) });
    for (const source of [
      () => `${url}${name}`,
      () => `${url}/stalled${name}`,
      () => new Response(stalledStream()),
      () => new Blob([files[name]]),
    ]) {
      const atFirst = new AbortController();
      const afterPiece = om.loadGraph(source(), { signal: atFirst.signal, onProgress: () => atFirst.abort() });
      await assertRejects(afterPiece, om.CancelledError, 'Cancelled');
    }
    for (const source of [`${url}/stalled${name}`, new Response(stalledStream())]) {
      const waiting = om.loadGraph(source, { signal: AbortSignal.timeout(50) });
      await assertRejects(waiting, om.CancelledError, 'Cancelled');
    }
    const atOnce = new AbortController();
    const file = om.loadGraph(join(folder, name), { signal: atOnce.signal });
    atOnce.abort();
    await assertRejects(file, om.CancelledError, 'Cancelled');
    await Promise.all(connections.map(({ closed }) => closed));
  });

  test(`${name}: a connection that breaks off is told`, async () => {
    await assertRejects(om.loadGraph(`${url}/broken${name}`), om.ModelError, 'Fetch', `/broken${name}`);
  });
}

test('a session loads in one call, and its load is cancelled like a graph', async () => {
  const session = await om.Session.load(`${url}/model.onemodel`, { arithmetic: 'exact' });
  assert.deepEqual(session.inputs, [typed('input', ['n', 200])]);
  session.dispose();
  const signal = AbortSignal.timeout(20);
  await assertRejects(om.Session.load(`${url}/stalled/model.onnx`, { signal }), om.CancelledError, 'Cancelled');
});

test('what is no model file is told by its address', async () => {
  const { ModelError } = om;
  await assertRejects(om.loadGraph(`${url}/page`), ModelError, 'Fetch', `${url}/page`, 'HTML page');
  await assertRejects(om.loadGraph(`${url}/none`), ModelError, 'Fetch', `${url}/none`, '404');
  await assertRejects(om.loadGraph('http://127.0.0.1:1/x.onnx'), ModelError, 'Fetch', 'http://127.0.0.1:1/x.onnx');
  await assertRejects(om.loadGraph(join(folder, 'none.onnx')), ModelError, 'Fetch', 'none.onnx', 'ENOENT');
  await assertRejects(om.loadGraph(new Blob(['<html>'])), ModelError, 'Malformed');
  await assertRejects(om.loadGraph(new Blob([])), ModelError, 'Malformed');
  await assertRejects(om.loadGraph(files['/model.onemodel'].subarray(0, 100)), ModelError, 'Truncated');
  await assertRejects(om.loadGraph({ bytes: 1 }), om.ArgumentError, 'Argument', 'Object');
});

test('a response that was read, and a bad file that is still coming, are let go', async () => {
  const used = await fetch(`${url}/model.onnx`);
  await used.arrayBuffer();
  await assertRejects(om.loadGraph(used), om.ModelError, 'Fetch', 'read already');
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) =>
      controller.enqueue(new Uint8Array([0x89, 0x4f, 0x4e, 0x45, 1, 2, 3, 4, ...Array(100).fill(255)])),
    cancel: () => {
      cancelled = true;
    },
  });
  await assert.rejects(om.loadGraph(new Response(endless)), om.ModelError);
  assert.equal(cancelled, true);
  const refused = await fetch(`${url}/none`);
  await assertRejects(om.loadGraph(refused), om.ModelError, 'Fetch', '404');
});

test('options of another kind are refused before anything is loaded', async () => {
  const missing = join(folder, 'nothing_is_here.onnx');
  for (const [options, ...parts] of [
    [{ onProgress: 5 }, 'onProgress: expected a function, got a number (5)'],
    [{ signal: 'now' }, "signal: expected an AbortSignal, got a string ('now')"],
    [{ externalData: 'weights.bin' }, 'externalData: expected an object with files by name'],
    [
      { externalData: new Map() },
      'externalData: expected an object with files by name (Object.fromEntries makes one), got Map',
    ],
    [{ externalData: null }, 'externalData: expected an object with files by name, got null'],
    [{ externalData: { 'w.bin': 5 } }, "externalData['w.bin']: expected bytes, an address", 'got a number (5)'],
  ]) {
    await assertRejects(
      om.loadGraph(missing, options),
      om.ArgumentError,
      'Argument',
      `loadGraph: ${parts[0]}`,
      ...parts,
    );
    await assertRejects(om.Session.load(missing, options), om.ArgumentError, 'Argument', ...parts);
  }
  for (const [options, part] of [
    [{ optimize: 'no' }, "Session.load: optimize: expected true or false, got a string ('no')"],
    [{ arithmetic: 'slow' }, "Session.load: arithmetic expects 'fast' or 'exact', got 'slow'"],
    [{ intermediates: 'x' }, 'Session.load: intermediates: expected a list of names'],
  ]) {
    await assertRejects(om.Session.load(missing, options), om.ArgumentError, 'Argument', part);
  }
});

test('an error in onProgress ends the load', async () => {
  const onProgress = () => {
    throw new RangeError('mine');
  };
  await assert.rejects(om.loadGraph(`${url}/stalled/model.onemodel`, { onProgress }), RangeError);
});

test('weights that no WebAssembly memory can hold are refused as that', async () => {
  const load = (rows, weights) => {
    const types = { inputs: { x: tensorType([1]) }, outputs: { y: tensorType(null) } };
    const externals = { w: { rows, columns: 1000, offset: 0 } };
    const file = modelFile({ ...types, externals, nodes: [['Mul', ['x', 'w'], ['y']]] });
    return om.loadGraph(file, { externalData: { 'weights.bin': weights } });
  };
  const few = new Blob([new Uint8Array(8)]);
  await assertRejects(
    load(1_073_000, few),
    om.MemoryError,
    'OutOfMemory',
    "does not fit into WebAssembly's memory, which has 4 GiB at most: cannot allocate 4292000000 bytes",
  );
  await assertRejects(load(2_000_000, few), om.ModelError, 'Unsupported', '8000000000 bytes are more than this build');
});

test('errors say where the model is from', async () => {
  const path = join(folder, 'nonsense.onnx');
  writeFileSync(path, 'no model');
  await assertRejects(om.loadGraph(path), om.ModelError, 'Malformed', `'${path}': the ONNX model cannot be read`);
  files['/nonsense.onnx'] = new TextEncoder().encode('no model');
  const response = await fetch(`${url}/nonsense.onnx`);
  await assertRejects(om.loadGraph(response), om.ModelError, 'Malformed', `'${url}/nonsense.onnx': the ONNX model`);
  await assert.rejects(om.loadGraph(files['/nonsense.onnx']), { message: /^the ONNX model cannot be read/ });
});

test('one file is not given for two', async () => {
  const place = (location) => ({ location, rows: 1, columns: 2, offset: 0 });
  const file = modelFile({
    inputs: {},
    outputs: { y: tensorType([1, 2]) },
    nodes: [['Add', ['a', 'b'], ['y']]],
    externals: { a: place('a/w.bin'), b: place('b/w.bin') },
  });
  const [one, two] = [Float32Array.of(1, 2), Float32Array.of(10, 20)].map(({ buffer }) => new Uint8Array(buffer));
  for (const given of [one, new Blob([one])]) {
    await assertRejects(
      om.loadGraph(file, { externalData: { 'w.bin': given } }),
      om.ArgumentError,
      'Argument',
      "externalData['w.bin'] could be each of 'a/w.bin', 'b/w.bin'",
    );
  }
  const session = await om.Session.load(file, { externalData: { './a/w.bin': one, 'w.bin': two } });
  om.scope(() => assert.deepEqual(session.runSync({}).y.toArray(), [[11, 22]]));
  session.dispose();
});

test('weights in another file are given, fetched or read beside the model', async () => {
  const { file, weights } = withExternalData(files['/model.onnx']);
  files['/split.onnx'] = file;
  files['/weights.bin'] = weights;
  writeFileSync(join(folder, 'split.onnx'), file);
  writeFileSync(join(folder, 'weights.bin'), weights);
  const ways = [
    [file, { externalData: { 'weights.bin': weights } }],
    [file, { externalData: { 'weights.bin': weights.buffer } }],
    [`${url}/split.onnx`],
    [await fetch(`${url}/split.onnx`)],
    [join(folder, 'split.onnx')],
    [pathToFileURL(join(folder, 'split.onnx'))],
  ];
  for (const [source, options] of ways) {
    const graph = await om.loadGraph(source, options);
    assert.deepEqual(graph.toOnnx(), files['/model.onnx']);
    graph.dispose();
  }
  const { file: inFolder } = withExternalData(files['/model.onnx'], './parts/weights.bin');
  for (const given of [weights, new Blob([weights])]) {
    const graph = await om.loadGraph(inFolder, { externalData: { 'weights.bin': given } });
    assert.deepEqual(graph.toOnnx(), files['/model.onnx']);
    graph.dispose();
  }
  const steps = withExternalData(files['/model.onnx'], './parts/../weights.bin').file;
  writeFileSync(join(folder, 'steps.onnx'), steps);
  for (const [source, options] of [
    [join(folder, 'steps.onnx')],
    [steps, { externalData: { './weights.bin': weights } }],
    [file, { externalData: { './weights.bin': new Blob([weights]) } }],
  ]) {
    const graph = await om.loadGraph(source, options);
    assert.deepEqual(graph.toOnnx(), files['/model.onnx']);
    graph.dispose();
  }
  await assertRejects(om.loadGraph(file), om.ModelError, 'Unsupported', "initializer '", "'weights.bin'");
  const others = { externalData: { 'a.bin': weights, 'b.bin': weights } };
  await assertRejects(om.loadGraph(file, others), om.ModelError, 'Unsupported', "(externalData has 'a.bin', 'b.bin')");
  const outer = withExternalData(files['/model.onnx'], 'parts/../../weights.bin').file;
  writeFileSync(join(folder, 'outer.onnx'), outer);
  await assertRejects(om.loadGraph(join(folder, 'outer.onnx')), om.ModelError, 'Unsupported', 'leads out of the model');
  const short = { 'weights.bin': weights.subarray(8) };
  await assertRejects(om.loadGraph(file, { externalData: short }), om.ModelError, 'Malformed', "'weights.bin' has");
  await assert.rejects(om.loadGraph(file, { externalData: short }), { message: /^(?!.*is not at hand)/s });
  await assertRejects(
    om.loadGraph(file, { externalData: { 'weights.bin': new Blob([]) } }),
    om.ModelError,
    'Malformed',
    "'weights.bin' ends within",
  );
  const elsewhere = Buffer.from(file).toString('latin1').replace('weights.bin', '../ghts.bin');
  await assertRejects(
    om.loadGraph(`data:application/octet-stream;base64,${Buffer.from(elsewhere, 'latin1').toString('base64')}`),
    om.ModelError,
    'Unsupported',
    "'../ghts.bin'",
  );
});

test('files of weights are told from models', async () => {
  const weights = om.scope(() => om.saveSafetensors({ w: om.ones([2]) }));
  const zip = Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 8, 8, 0, 0);
  const path = join(folder, 'weights.safetensors');
  writeFileSync(path, weights);
  const remedy = 'model.loadStateDict(om.loadSafetensors(bytes).tensors)';
  for (const source of [weights, new Blob([weights])]) {
    await assertRejects(
      om.Session.load(source),
      om.ModelError,
      'Unsupported',
      'is no model but the weights of one',
      remedy,
    );
  }
  await assertRejects(om.loadGraph(path), om.ModelError, 'Unsupported', path, remedy);
  await assertRejects(om.loadGraph(zip), om.ModelError, 'Unsupported', 'a zip archive', 'export the model to ONNX');
  const others = [
    ['Malformed', '', 'no model but empty'],
    ['Malformed', '<!doctype html><title>404</title>', 'an HTML page: the address is probably wrong'],
    ['Malformed', '\n<html>', 'an HTML page'],
    ['Malformed', 'version https://git-lfs.github.com/spec/v1', 'git lfs pull'],
    ['Unsupported', '{"format": "layers-model"}', 'JSON', 'TensorFlow.js'],
    ['Unsupported', '\x89HDF\r\n\x1a\n\0', 'HDF5'],
    ['Unsupported', 'GGUF\x03\0\0\0\0', 'GGUF'],
    ['Unsupported', '\x1c\0\0\0TFL3\0', 'TensorFlow Lite'],
  ];
  for (const [kind, text, ...parts] of others) {
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    for (const source of [bytes, new Blob([bytes])]) {
      await assertRejects(om.loadGraph(source), om.ModelError, kind, ...parts);
    }
  }
});
