/** Model files from wherever they come, with progress and cancellation. */

import { checkAbortSignal, checkedOptions, checkFunction, recordOf, unexpected } from './arguments.js';
import { join } from './bytes.js';
import { CancelledError, MemoryError, ModelError } from './errors.js';
import { GivenFiles, plainPath } from './external_files.js';
import { Graph } from './graph.js';
import { HeapBuffer, withHeapBytes, withHeapPieces } from './heap.js';
import {
  addressOf,
  besideModel,
  inMemory,
  isModelSource,
  type ModelSource,
  openSource,
  type Stream,
  sourceKinds,
} from './model_source.js';
import { native } from './native.js';

/** How a model file is loaded. */
export interface LoadOptions {
  /** Told after each piece how many bytes have come, and of how many (null when not known). */
  onProgress?: (received: number, total: number | null) => void;
  /** Ends the load with a CancelledError, also while nothing comes. */
  signal?: AbortSignal;
  /**
   * Files that hold weights of a `.onnx` model (external data), by the names that the model gives them, with or without
   * their folders where that tells them apart. Those that are missing are looked for beside the model when its address is known. What is not in memory
   * already arrives in pieces, each of which goes straight to the tensors in it.
   */
  externalData?: Readonly<Record<string, ModelSource>>;
}

/** What `LoadOptions` may have. */
export const loadOptionNames = ['onProgress', 'signal', 'externalData'];

/** Throws ArgumentError naming `owner` for an option that is unknown or of another kind. */
function checkLoadOptions(owner: string, options: LoadOptions): void {
  const { onProgress, signal, externalData = {} } = checkedOptions(owner, options, loadOptionNames);
  if (onProgress !== undefined && onProgress !== null) checkFunction(`${owner}: onProgress`, onProgress);
  checkAbortSignal(`${owner}: signal`, signal);
  const files = recordOf(`${owner}: externalData`, externalData, 'files by name');
  for (const [name, file] of Object.entries(files)) {
    if (!isModelSource(file)) throw unexpected(`${owner}: externalData['${name}']`, sourceKinds, file);
  }
}

const tooLarge = "the model does not fit into WebAssembly's memory, which has 4 GiB at most";

const oneModelMagic = [0x89, 0x4f, 0x4e, 0x45];

/** As many bytes as tell what a file is. */
const headBytes = 9;

const startsWith = (head: Uint8Array, magic: readonly number[]) => magic.every((byte, i) => head[i] === byte);

/** What a file is that has weights but no model, and what to do with it; null for any other. */
function weightsFormat(head: Uint8Array): string | null {
  const isJson = head[8] === 0x7b && head.subarray(4, 8).every((byte) => byte === 0); // after its length, in 8 bytes
  if (isJson) {
    return (
      'the weights of one (safetensors): make the model, and give it ' +
      'model.loadStateDict(om.loadSafetensors(bytes).tensors)'
    );
  }
  return startsWith(head, [0x50, 0x4b, 0x03, 0x04])
    ? 'a zip archive, as PyTorch and Keras save weights: export the model to ONNX there'
    : null;
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError('the load was cancelled', 'Cancelled');
}

/** The pieces, with progress told after each; throws CancelledError when the signal says so. */
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
    const feed = (chunk: Uint8Array) => withHeapPieces(chunk, (data, bytes) => module.readerFeed(reader, data, bytes));
    feed(first);
    for await (const chunk of rest) feed(chunk);
    return module.readerFinish(reader);
  } finally {
    module.readerRelease(reader);
  }
}

/** The stream's beginning: enough bytes to tell the format, or all there are. */
async function readHead(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head = new Uint8Array();
  while (head.length < headBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = join([head, value]) as Uint8Array<ArrayBuffer>;
  }
  return head;
}

/** A model without what lies beside it, parsed; what is in memory of that is taken at once. */
async function parseOnnx(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  total: number | null,
  given: GivenFiles<ModelSource>,
): Promise<number> {
  const files = { get: (name: string) => inMemory(given.find(name)) };
  const file = new HeapBuffer(total ?? head.length);
  try {
    file.append(head);
    for await (const chunk of rest) file.append(chunk);
    return file.with((data, bytes) => native().onnxReaderMake(data, bytes, files));
  } finally {
    file.free();
  }
}

async function feedFile(reader: number, name: string, source: ModelSource, options: LoadOptions): Promise<void> {
  let offset = 0;
  const stream = await openSource(source, options.signal);
  native().onnxReaderFeed(reader, name, 0, 0, 0); // it is there, even if it is empty
  for await (const chunk of watched(stream, options)) {
    withHeapPieces(chunk, (data, bytes, at) => native().onnxReaderFeed(reader, name, offset + at, data, bytes));
    offset += chunk.byteLength;
  }
}

/** `error`, with what helps where the files of these names were not found. */
function withHints(error: unknown, missing: readonly string[], source: ModelSource, given: GivenFiles<ModelSource>) {
  if (!(error instanceof ModelError) || missing.length === 0) return error;
  const outside = addressOf(source) === null ? [] : missing.filter((name) => !plainPath(name));
  const hints = outside.map((name) => `'${name}' leads out of the model's folder, in which alone files are looked for`);
  if (given.names !== '') hints.push(`externalData has ${given.names}`);
  return hints.length === 0 ? error : new ModelError(`${error.message} (${hints.join('; ')})`, error.kind);
}

async function readOnnx(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  total: number | null,
  source: ModelSource,
  options: LoadOptions,
): Promise<number> {
  const given = new GivenFiles(options.externalData ?? {});
  const reader = await parseOnnx(head, rest, total, given);
  const missing: string[] = [];
  try {
    const files = native()
      .onnxReaderMissing(reader)
      .map((name) => [name, given.find(name) ?? besideModel(source, name)] as const);
    given.checkUses('loadGraph');
    for (const [name, file] of files) {
      if (file === null) missing.push(name);
      else await feedFile(reader, name, file, options);
    }
    return native().onnxReaderFinish(reader);
  } catch (error) {
    throw withHints(error, missing, source, given);
  } finally {
    native().onnxReaderRelease(reader);
  }
}

/** The handle of the graph that the pieces make up. */
async function readGraph(
  chunks: AsyncGenerator<Uint8Array>,
  total: number | null,
  source: ModelSource,
  options: LoadOptions,
): Promise<number> {
  const head = await readHead(chunks);
  try {
    if (startsWith(head, oneModelMagic)) return await readOneModel(head, chunks, total);
    const weights = weightsFormat(head);
    if (weights !== null) throw new ModelError(`this file is no model but ${weights}`, 'Unsupported');
    return await readOnnx(head, chunks, total, source, options);
  } catch (error) {
    if (error instanceof MemoryError) throw new MemoryError(`${tooLarge}: ${error.message}`, error.kind);
    const address = addressOf(source);
    const isNamed = address === null || !(error instanceof ModelError) || error.kind === 'Fetch';
    throw isNamed ? error : new ModelError(`'${address}': ${error.message}`, error.kind);
  }
}

/** The graph of a `.onnx` file in memory, all of it. */
export function graphOfOnnx(file: Uint8Array): Graph {
  const reader = withHeapBytes(file, (data, bytes) => native().onnxReaderMake(data, bytes, new Map()));
  try {
    return new Graph(native().onnxReaderFinish(reader));
  } finally {
    native().onnxReaderRelease(reader);
  }
}

/**
 * The graph of a `.onnx` or `.onemodel` file, told apart by the content. A string is an address, or a path in Node. Throws
 * ModelError saying what is wrong with the file, node by node, or (kind Fetch) why it could not be read; CancelledError
 * when `signal` says so; ArgumentError for another source.
 */
export async function loadGraph(source: ModelSource, options: LoadOptions = {}): Promise<Graph> {
  checkLoadOptions('loadGraph', options);
  checkSignal(options.signal);
  try {
    const stream = await openSource(source, options.signal);
    const chunks = watched(stream, options);
    try {
      return new Graph(await readGraph(chunks, stream.total, source, options));
    } finally {
      await chunks.return(undefined);
    }
  } catch (error) {
    if (options.signal?.aborted) throw new CancelledError('the load was cancelled', 'Cancelled');
    throw error;
  }
}
