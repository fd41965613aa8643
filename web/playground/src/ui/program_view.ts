/** What an exported program is: its signature, its sizes, its modules and its graph. */

import type { ModuleRow, ProgramReport, SignatureRow, SizeRow } from '../export_protocol';
import { typeText } from '../protocol';
import { element, table } from './dom';
import { graphPanel } from './graph_panel';
import { drawnEvent, highlightNodes } from './highlight';
import { moduleTree } from './module_tree';

const code = (text: string) => (text === '' ? '–' : element('code', {}, text));

function signatureTable(rows: readonly SignatureRow[]): HTMLElement {
  return table(
    ['', 'Kind', 'Name', 'Target', 'Type'],
    rows.map((row) => [
      row.direction,
      row.persistent === false ? `${row.kind}, not persistent` : row.kind,
      code(row.name),
      code(row.target),
      typeText(row),
    ]),
  );
}

function rangeText({ min, max }: SizeRow): string {
  if (max !== null) return `${min} to ${max}`;
  return min > 0 ? `${min} or more` : 'any';
}

function sizeTables({ sizes, relations }: ProgramReport): HTMLElement[] {
  if (sizes.length === 0 && relations.length === 0) {
    const text = 'Every size is as in the example: exported ';
    return [element('p', { class: 'hint' }, text, element('code', {}, 'dynamicShapes'), ' let sizes vary.')];
  }
  const rows = sizes.map((row) => [code(row.label), rangeText(row), row.places.join('; ') || '–']);
  const listed = relations.map((relation) => [code(relation)]);
  return [
    table(['Size', 'Range', 'Where'], rows),
    ...(listed.length > 0 ? [table(['Relations that inputs must keep'], listed)] : []),
  ];
}

function modulesAndGraph(modules: readonly ModuleRow[], panel: HTMLElement): HTMLElement {
  let chosen: ReadonlySet<number> | null = null;
  panel.addEventListener(drawnEvent, () => highlightNodes(panel, chosen));
  const tree = moduleTree(modules, (nodes) => {
    chosen = nodes;
    highlightNodes(panel, chosen);
  });
  return element('div', { class: 'modules-and-graph' }, tree, panel);
}

function part(title: string, id: string, ...content: HTMLElement[]): HTMLElement {
  return element('section', { class: 'program-part', id, 'aria-label': title }, element('h3', {}, title), ...content);
}

export function programView(program: ProgramReport): HTMLElement[] {
  const panel = graphPanel(program.view, program.text);
  return [
    ...program.warnings.map((warning) => element('p', { class: 'note warn' }, warning)),
    part('Signature', 'program-signature', signatureTable(program.signature)),
    part('Sizes', 'program-sizes', ...sizeTables(program)),
    part('Modules and graph', 'program-graph', modulesAndGraph(program.modules, panel)),
  ];
}
