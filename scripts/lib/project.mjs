// The steps that build the project, shared by start, build and test.
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root, step } from './steps.mjs';

export const variants = ['simd', 'simd-threads', 'relaxed', 'relaxed-threads'];

const changed = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const newerThan = (target, sources) =>
  !existsSync(join(root, target)) || sources.some((source) => changed(source) > changed(target));

export const bootstrap = () => step('bootstrap', 'scripts/bootstrap');

export async function installPackages() {
  const installed = 'node_modules/.package-lock.json';
  if (!newerThan(installed, ['package.json', 'web/package.json', 'package-lock.json'])) return;
  await step('npm install', 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund']);
  utimesSync(join(root, installed), new Date(), new Date());
}

export async function buildPreset(preset, targets = []) {
  const name = `build ${preset}`;
  // Ninja runs CMake again when a CMake file changes, but not with another preset or compiler.
  const inputs = ['CMakePresets.json', 'cmake/wasm.toolchain.cmake', 'build/third_party.cmake'];
  if (newerThan(`build/${preset}/build.ninja`, inputs)) {
    await step(`configure ${preset}`, 'cmake', ['--preset', preset, '--fresh']);
  }
  const goals = targets.flatMap((target) => ['--target', target]);
  await step(name, 'cmake', ['--build', '--preset', preset, `-j${cpus().length}`, ...goals]);
}

export const buildModule = (variant) => buildPreset(`wasm-${variant}`, ['onemodel_wasm']);

export const buildPackage = () => step('package', 'npm', ['run', 'build', '-w', 'onemodel']);

export const buildPlayground = () => step('playground', 'npm', ['run', 'build:playground', '-w', 'onemodel']);

// Files below a folder whose names end as asked, in a fixed order.
export function filesBelow(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));
}
