// Fails when a file includes a layer above its own. The allowed arrows are the om_layer() lines of CMakeLists.txt;
// bindings may include every layer and nothing includes bindings.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/steps.mjs';

// layer -> every layer that it may include, itself among them
export function readArrows(cmake) {
  const arrows = new Map();
  for (const [, words] of cmake.matchAll(/^om_layer\(([^)]*)\)/gm)) {
    const [layer, ...below] = words.split(/\s+/);
    arrows.set(layer, new Set([layer, ...below.flatMap((name) => [...arrows.get(name)])]));
  }
  arrows.set('bindings', new Set([...arrows.keys(), 'bindings']));
  return arrows;
}

// The complaints about one file: path is 'src/<layer>/...' or 'bindings/...'.
export function violations(path, text, arrows) {
  const [top, second] = path.split('/');
  const layer = top === 'src' ? second : top;
  const allowed = arrows.get(layer);
  if (!allowed) return [`${path}: ${layer} is not a layer of CMakeLists.txt`];
  const found = [];
  text.split('\n').forEach((line, index) => {
    const target = /^\s*#\s*include\s*[<"]([^>"]+)[>"]/.exec(line)?.[1];
    if (!target) return;
    const included = target.split('/')[0];
    const place = `${path}:${index + 1}`;
    if (target.startsWith('.')) found.push(`${place}: "${target}": name files from src/`);
    else if (arrows.has(included) && !allowed.has(included)) {
      found.push(`${place}: ${layer} must not include ${included} ("${target}")`);
    }
  });
  return found;
}

function main() {
  const arrows = readArrows(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'));
  const files = ['src', 'bindings'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(h|cpp|inc)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const found = files.flatMap((path) => violations(path, readFileSync(join(root, path), 'utf8'), arrows));
  for (const complaint of found) console.error(complaint);
  console.log(`${files.length} files, ${found.length} includes that point up`);
  process.exitCode = found.length ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
