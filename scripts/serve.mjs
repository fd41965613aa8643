// A static server for the built playground: node scripts/serve.mjs FOLDER [--port=N] [--no-isolation]
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
};

// Threads need shared memory, which a page gets only with these.
const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

// Resolves to { url, close } once it listens; port 0 takes a free one; headers are sent with every file.
export async function serve(folder, { port = 0, isolation = true, headers = {} } = {}) {
  const top = resolve(folder);
  const server = createServer(async (request, response) => {
    const found = await find(top, request.url);
    if (!found) {
      response.writeHead(404).end('not found');
      return;
    }
    response.writeHead(200, {
      'Content-Type': types[extname(found.file)] ?? 'application/octet-stream',
      'Content-Length': found.size,
      'Cache-Control': 'no-cache',
      ...(isolation ? isolationHeaders : {}),
      ...headers,
    });
    createReadStream(found.file).pipe(response);
  });
  await new Promise((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', ready);
  });
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

// The file below top that a request names and its size, or undefined.
async function find(top, url) {
  try {
    const file = join(top, decodeURIComponent(new URL(url, 'http://localhost').pathname));
    if (file !== top && !file.startsWith(top + sep)) return undefined;
    for (const candidate of [file, join(file, 'index.html')]) {
      const entry = await stat(candidate);
      if (entry.isFile()) return { file: candidate, size: entry.size };
    }
    return undefined;
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, ...options] = process.argv.slice(2);
  const port = Number(options.find((o) => o.startsWith('--port='))?.slice('--port='.length) ?? 8080);
  const { url } = await serve(folder, { port, isolation: !options.includes('--no-isolation') });
  console.log(`${folder} is at ${url}`);
}
