// Fails when a file includes a layer above its own. The allowed arrows are the om_layer() lines of CMakeLists.txt;
// bindings may include every layer and nothing includes bindings. Fails, too, when two files have a type of one name in
// one namespace: the linker keeps the inline functions of one of them for both, without a word.
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

// The types at namespace scope: [qualified name, line]; those in anonymous namespaces are nobody else's.
export function typesOf(text) {
  const namespaces = [];
  const found = [];
  text.split('\n').forEach((line, index) => {
    const opened = /^namespace ([\w:]*)\s*\{/.exec(line);
    if (opened) namespaces.push(opened[1]);
    else if (line.startsWith('}  // namespace')) namespaces.pop();
    const type = /^(?:struct|class|enum class|union) (\w+)(?: final)?\s*(?::(?!:)|\{)/.exec(line);
    if (type && !namespaces.includes('')) found.push([[...namespaces, type[1]].join('::'), index + 1]);
  });
  return found;
}

// A complaint for each type that two files define; `texts` are [path, text].
export function sameNames(texts) {
  const places = new Map();
  for (const [path, text] of texts) {
    for (const [name, line] of typesOf(text)) places.set(name, [...(places.get(name) ?? []), `${path}:${line}`]);
  }
  return [...places]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `${where.join(' and ')}: two types called ${name}`);
}

function main() {
  const arrows = readArrows(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'));
  const files = ['src', 'bindings'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(h|cpp|inc)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const texts = files.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
  const includes = texts.flatMap(([path, text]) => violations(path, text, arrows));
  const names = sameNames(texts);
  for (const complaint of [...includes, ...names]) console.error(complaint);
  console.log(`${files.length} files, ${includes.length} includes that point up, ${names.length} names of two types`);
  process.exitCode = includes.length + names.length ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
