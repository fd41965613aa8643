/** Tells how much of the engine's WebAssembly file has arrived. */

import type { ReportDownload } from '../protocol';

const fileName = (url: string) => new URL(url, self.location.href).pathname.split('/').at(-1) ?? '';

/** The response, counted as it is read. */
function counted(response: Response, report: ReportDownload): Response {
  const { body, headers, status } = response;
  if (!body) return response;
  // The length of a compressed file is not that of what is read.
  const total = headers.has('Content-Encoding') ? 0 : Number(headers.get('Content-Length') ?? 0);
  let received = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      report({ received, total });
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counter), { headers, status });
}

/** Runs `load`, which fetches the file; a fetch that fails is told as such. */
export async function watchDownload<R>(report: ReportDownload, load: () => Promise<R>): Promise<R> {
  const { fetch } = globalThis;
  let failure: Error | undefined;
  const failed = (url: string, why: string) => {
    failure = new Error(`its file ${fileName(url)} could not be loaded: ${why}`);
    return failure;
  };
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!fileName(url).endsWith('.wasm')) return fetch(input, init);
    const response = await fetch(input, init).catch((error: Error) => {
      throw failed(url, error.message);
    });
    if (!response.ok) throw failed(url, `HTTP status ${response.status}`);
    return counted(response, report);
  };
  try {
    return await load();
  } catch (error) {
    throw failure ?? error;
  } finally {
    globalThis.fetch = fetch;
  }
}
