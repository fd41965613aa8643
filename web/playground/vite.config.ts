import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { digitsAsset } from './plugins/digits_asset.ts';
import { leaveWasmImports, wasmFiles } from './plugins/wasm_files.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [digitsAsset(), leaveWasmImports(), wasmFiles()],
  worker: {
    format: 'es',
    plugins: () => [leaveWasmImports()],
    // The names of the engine's error classes are shown.
    rolldownOptions: { output: { keepNames: true } },
  },
  build: {
    outDir: here('../../build/playground'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
  },
  server: { headers: isolationHeaders },
  preview: { headers: isolationHeaders },
});
