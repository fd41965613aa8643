/** Model files from wherever they come, with progress and cancellation. */

import { CancelledError, ModelError } from './errors.js';
import { Graph } from './graph.js';
import { native, withHeapBytes } from './native.js';

/** A model file: bytes, an address, a fetch in progress, or a dropped file. */
export type ModelSource = Uint8Array | ArrayBuffer | string | URL | Response | Blob;

export interface LoadOptions {
  /** Told how many bytes have come, and of how many (null when not known). */
  onProgress?: (received: number, total: number | null) => void;
  /** Ends the load with a CancelledError. */
  signal?: AbortSignal;
}

interface Stream {
  chunks: AsyncIterable<Uint8Array>;
  total: number | null;
}

const oneModelMagic = [0x89, 0x4f, 0x4e, 0x45];

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function fromResponse(response: Response): Promise<Stream> {
  const where = response.url || 'the response';
  if (!response.ok) throw new ModelError(`cannot load ${where}: HTTP status ${response.status}`, 'Fetch');
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new ModelError(`${where} is an HTML page, not a model file: the address is probably wrong`, 'Fetch');
  }
  if (!response.body) return { chunks: once(new Uint8Array(await response.arrayBuffer())), total: null };
  const length = response.headers.get('content-encoding') ? null : response.headers.get('content-length');
  return { chunks: readStream(response.body), total: length === null ? null : Number(length) };
}

async function fromFile(path: URL | string): Promise<Stream> {
  const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises' as string);
  const bytes: Uint8Array = await readFile(path);
  return { chunks: once(bytes), total: bytes.byteLength };
}

async function open(source: ModelSource, signal?: AbortSignal): Promise<Stream> {
  if (source instanceof Uint8Array) return { chunks: once(source), total: source.byteLength };
  if (source instanceof ArrayBuffer) return { chunks: once(new Uint8Array(source)), total: source.byteLength };
  if (source instanceof Blob) return { chunks: readStream(source.stream()), total: source.size };
  if (source instanceof Response) return fromResponse(source);
  const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);
  const isPath = typeof source === 'string' ? !/^(https?|data|blob):/.test(source) : source.protocol === 'file:';
  if (isNode && isPath) return fromFile(source);
  let response: Response;
  try {
    response = await fetch(source, signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ModelError(`cannot load ${source}: ${(error as Error).message}`, 'Fetch');
  }
  return fromResponse(response);
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError('the load was cancelled', 'Cancelled');
}

async function* watched(stream: Stream, options: LoadOptions): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of stream.chunks) {
    checkSignal(options.signal);
    received += chunk.byteLength;
    yield chunk;
    options.onProgress?.(received, stream.total);
  }
  checkSignal(options.signal);
}

/** A .onemodel file goes to its final memory while it arrives. */
async function readOneModel(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  total: number | null,
): Promise<number> {
  const module = native();
  const reader = module.readerMake(total ?? -1);
  try {
    const feed = (chunk: Uint8Array) => withHeapBytes(chunk, (data, bytes) => module.readerFeed(reader, data, bytes));
    feed(first);
    for await (const chunk of rest) feed(chunk);
    return module.readerFinish(reader);
  } finally {
    module.readerRelease(reader);
  }
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

/** The stream's beginning: enough bytes to tell the format, or all there are. */
async function readHead(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head = new Uint8Array();
  while (head.length < oneModelMagic.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = join([head, value]) as Uint8Array<ArrayBuffer>;
  }
  return head;
}

/**
 * The graph of a `.onnx` or `.onemodel` file, told apart by the content. Throws ModelError saying what is wrong with the
 * file, node by node, or why it could not be fetched; CancelledError when `signal` says so.
 */
export async function loadGraph(source: ModelSource, options: LoadOptions = {}): Promise<Graph> {
  checkSignal(options.signal);
  try {
    const stream = await open(source, options.signal);
    const chunks = watched(stream, options);
    const head = await readHead(chunks);
    if (oneModelMagic.every((byte, i) => head[i] === byte)) {
      return new Graph(await readOneModel(head, chunks, stream.total));
    }
    const held = [head];
    for await (const chunk of chunks) held.push(chunk);
    return new Graph(withHeapBytes(join(held), (data, bytes) => native().readOnnx(data, bytes)));
  } catch (error) {
    if (options.signal?.aborted) throw new CancelledError('the load was cancelled', 'Cancelled');
    throw error;
  }
}
