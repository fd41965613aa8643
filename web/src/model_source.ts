/** Where model files come from: their bytes as a stream, and where they are. */

import { unexpected } from './arguments.js';
import { ModelError } from './errors.js';
import { plainPath } from './external_files.js';

/** A model file: bytes, an address (in Node also a path), a fetch in progress, or a dropped file. */
export type ModelSource = Uint8Array | ArrayBuffer | string | URL | Response | Blob;

/** What one is, for errors. */
export const sourceKinds = 'bytes, an address, a Response or a Blob';

/** Whether it is one. */
export function isModelSource(source: unknown): source is ModelSource {
  if (typeof source === 'string') return true;
  return [Uint8Array, ArrayBuffer, URL, Response, Blob].some((kind) => source instanceof kind);
}

/** What a source gives, and how many bytes, where that is known. */
export interface Stream {
  chunks: AsyncIterable<Uint8Array>;
  total: number | null;
}

function fetchError(where: string, error: unknown): ModelError {
  return new ModelError(`cannot load ${where}: ${(error as Error).message}`, 'Fetch');
}

/** The pieces of a stream, which ends early when `signal` says so, and is given up when the caller stops. */
async function* readStream(
  stream: ReadableStream<Uint8Array>,
  where: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw fetchError(where, error);
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Why a response is no model file, or null. */
function refusal(response: Response, where: string): string | null {
  if (!response.ok) return `cannot load ${where}: HTTP status ${response.status}`;
  if (response.bodyUsed) return `cannot load ${where}: its body was read already`;
  if (response.headers.get('content-type')?.includes('text/html')) {
    return `${where} is an HTML page, not a model file: the address is probably wrong`;
  }
  return null;
}

function fromResponse(response: Response, signal?: AbortSignal): Stream {
  const where = response.url || 'the response';
  const refused = refusal(response, where);
  if (refused !== null) {
    void response.body?.cancel().catch(() => {});
    throw new ModelError(refused, 'Fetch');
  }
  const length = response.headers.get('content-encoding') ? null : response.headers.get('content-length');
  const total = length === null ? null : Number(length);
  return { chunks: response.body ? readStream(response.body, where, signal) : once(new Uint8Array()), total };
}

const filePieceBytes = 1 << 20;

async function* readPieces(files: typeof import('node:fs/promises'), path: URL | string): AsyncGenerator<Uint8Array> {
  const file = await files.open(path);
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(filePieceBytes), 0, filePieceBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* mapErrors(chunks: AsyncGenerator<Uint8Array>, where: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw fetchError(where, error);
  }
}

async function fromFile(path: URL | string): Promise<Stream> {
  // An expression, since bundlers for browsers fail to resolve the plain name.
  const name = globalThis.process && 'node:fs/promises';
  const files: typeof import('node:fs/promises') = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  try {
    const facts = await files.stat(path);
    return {
      chunks: mapErrors(readPieces(files, path), String(path)),
      total: facts.isFile() ? facts.size : null,
    };
  } catch (error) {
    throw fetchError(String(path), error);
  }
}

/** The path or file address, in Node; null for what is fetched. */
function filePath(source: string | URL): string | URL | null {
  if (typeof process === 'undefined' || !process.versions?.node) return null;
  const text = String(source);
  if (text.startsWith('file:')) return new URL(text);
  return typeof source === 'string' && !/^(https?|data|blob):/.test(text) ? source : null;
}

/** The bytes of a source, which begins to be read. */
export async function openSource(source: ModelSource, signal?: AbortSignal): Promise<Stream> {
  if (!isModelSource(source)) throw unexpected('load', sourceKinds, source);
  if (source instanceof Uint8Array) return { chunks: once(source), total: source.byteLength };
  if (source instanceof ArrayBuffer) return { chunks: once(new Uint8Array(source)), total: source.byteLength };
  if (source instanceof Blob) {
    return { chunks: readStream(source.stream(), 'the blob', signal), total: source.size };
  }
  if (source instanceof Response) return fromResponse(source, signal);
  const path = filePath(source);
  if (path !== null) return fromFile(path);
  const response = await fetch(source, signal ? { signal } : {}).catch((error: unknown) => {
    throw fetchError(String(source), error);
  });
  return fromResponse(response, signal);
}

/** Where the model is from; null for what is in memory. */
export function addressOf(source: ModelSource): string | URL | null {
  const address = source instanceof Response ? source.url : source;
  const isAddress = (typeof address === 'string' && address !== '') || address instanceof URL;
  return isAddress && !/^(data|blob):/.test(String(address)) ? address : null;
}

/** Where file `name` beside the model is; null when the model's own place is not known or the name leads elsewhere. */
export function besideModel(source: ModelSource, name: string): string | URL | null {
  const address = addressOf(source);
  const beside = plainPath(name);
  if (address === null || !beside) return null;
  const path = filePath(address);
  if (typeof path === 'string') return path.replace(/[^\\/]*$/, '') + beside;
  return new URL(
    beside.split('/').map(encodeURIComponent).join('/'),
    path ?? new URL(address, globalThis.location?.href),
  );
}

/** The bytes of a source that has them already. */
export function inMemory(data: ModelSource | undefined): Uint8Array | undefined {
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data instanceof Uint8Array ? data : undefined;
}
