/** The modules that a program was recorded in, one of which can be chosen. */

import type { ModuleRow } from '../export_protocol';
import { element } from './dom';
import { nodesText } from './graph_panel';

let trees = 0;

function depthOf(rows: readonly ModuleRow[], { parent }: ModuleRow): number {
  const around = rows[parent];
  return around ? depthOf(rows, around) + 1 : 0;
}

/** The path below the module around it. */
function nameOf(rows: readonly ModuleRow[], { path, parent }: ModuleRow): string {
  const around = rows[parent];
  if (!around) return 'whole model';
  return around.path === '' ? path : path.slice(around.path.length + 1);
}

/** Rows above come before those below, but not each right before its own. */
function inTreeOrder(rows: readonly ModuleRow[], parent = -1): ModuleRow[] {
  return rows.flatMap((row, i) => (row.parent === parent ? [row, ...inTreeOrder(rows, i)] : []));
}

/** Radio buttons, so that arrow keys go through the modules; `onChoose` is told the nodes, null for the whole model. */
export function moduleTree(
  rows: readonly ModuleRow[],
  onChoose: (nodes: ReadonlySet<number> | null) => void,
): HTMLElement {
  const group = `module-${trees++}`;
  const items = inTreeOrder(rows).map((row) => {
    const isRoot = row.parent === -1;
    const radio = element('input', { type: 'radio', name: group, value: row.path, checked: isRoot });
    radio.addEventListener('change', () => onChoose(isRoot ? null : new Set(row.nodes)));
    const calls = row.calls > 1 ? `${row.calls} calls, ` : '';
    const label = element(
      'label',
      { title: row.path },
      radio,
      element('span', {}, nameOf(rows, row), element('small', {}, `${calls}${nodesText(row.nodes.length)}`)),
    );
    label.style.setProperty('--depth', String(depthOf(rows, row)));
    return label;
  });
  return element('fieldset', { class: 'module-tree' }, element('legend', {}, 'Modules'), ...items);
}
