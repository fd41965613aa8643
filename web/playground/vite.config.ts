import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { digitsAsset } from './plugins/digits_asset.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [digitsAsset()],
  // The engine's modules are chunks of the worker, which the default format cannot have.
  worker: { format: 'es' },
  build: {
    outDir: here('../../build/playground'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
  },
  server: { headers: isolationHeaders },
  preview: { headers: isolationHeaders },
});
