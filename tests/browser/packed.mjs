// The package as npm installs it.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './support.mjs';

/** Packs the package and unpacks it into `app/node_modules`, beside copies of the named ones. */
export function installPacked(app, others = []) {
  const modules = join(app, 'node_modules');
  const installed = join(modules, 'onemodel');
  const packs = mkdtempSync(join(tmpdir(), 'onemodel-pack-'));
  mkdirSync(installed, { recursive: true });
  try {
    execFileSync('npm', ['pack', '--silent', '--workspace=onemodel', `--pack-destination=${packs}`], { cwd: root });
    execFileSync('tar', ['-xzf', join(packs, readdirSync(packs)[0]), '-C', installed, '--strip-components=1']);
  } finally {
    rmSync(packs, { recursive: true });
  }
  for (const name of others) cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true });
  return installed;
}
