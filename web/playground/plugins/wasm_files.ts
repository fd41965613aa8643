// Copies the engine's WebAssembly files to wasm/ as they are: the page hands that folder to `init` (wasmBaseUrl).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const packageFolder = dirname(createRequire(import.meta.url).resolve('onemodel/package.json'));
const folder = join(packageFolder, 'dist/wasm');

const types: Record<string, string> = { mjs: 'text/javascript', wasm: 'application/wasm' };

/** The package's own imports of these files, which the page does not use, are not bundled. */
export function leaveWasmImports(): Plugin {
  return {
    name: 'leave-wasm-imports',
    enforce: 'pre',
    resolveId: (source) => (/\/wasm\/onemodel-[a-z-]+\.mjs$/.test(source) ? { id: source, external: true } : undefined),
  };
}

export function wasmFiles(): Plugin {
  return {
    name: 'wasm-files',
    generateBundle() {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      if (names.length === 0) this.error(`${folder} is empty: build the WebAssembly modules first`);
      for (const name of names) {
        this.emitFile({ type: 'asset', fileName: `wasm/${name}`, source: readFileSync(join(folder, name)) });
      }
    },
    configureServer(server) {
      server.middlewares.use('/wasm', (request, response, next) => {
        const name = /^\/(onemodel-[a-z-]+\.(mjs|wasm))(\?|$)/.exec(request.url ?? '');
        if (!name?.[1] || !existsSync(join(folder, name[1]))) {
          next();
          return;
        }
        response.setHeader('Content-Type', types[name[2] ?? ''] ?? 'application/octet-stream');
        response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
        response.end(readFileSync(join(folder, name[1])));
      });
    },
  };
}
