/** What a draft export says of a model, and what can be done. */

import type { ExportReport, FailureReport } from '../export_protocol';
import { details, element } from './dom';

export interface DraftActions {
  showLine(line: number): void;
  applyFixes(): void;
}

function failureItem({ kind, message, modulePath, line }: FailureReport, { showLine }: DraftActions): HTMLElement {
  const button = line !== null && element('button', { type: 'button', class: 'link' }, `line ${line}`);
  if (button) button.addEventListener('click', () => showLine(line as number));
  return element(
    'li',
    { class: 'failure' },
    element('strong', { class: 'error-name' }, kind),
    modulePath !== '' && element('span', { class: 'failure-place' }, 'module ', element('code', {}, modulePath)),
    button && element('span', { class: 'failure-place' }, button),
    element('p', {}, message),
  );
}

function suggestion(suggested: string, { applyFixes }: DraftActions): HTMLElement {
  const apply = element('button', { type: 'button', id: 'apply-fixes' }, 'Apply suggested fixes');
  apply.addEventListener('click', applyFixes);
  return element(
    'div',
    { class: 'note', id: 'suggested-fixes' },
    element('p', {}, 'The model can keep these sizes:'),
    element('pre', { tabindex: 0 }, suggested),
    element('div', { class: 'actions' }, apply),
  );
}

function summary({ failures, program, suggested }: ExportReport): string {
  if (failures.length === 0) {
    return suggested ? 'Exported with the suggested sizes.' : 'The model can be exported as it is.';
  }
  const count = failures.length === 1 ? '1 problem' : `${failures.length} problems`;
  if (!program) return `${count}: no program could be made.`;
  return suggested
    ? `${count}: the program below has the suggested sizes.`
    : `${count}: see whether the program will do.`;
}

export function draftView(report: ExportReport, actions: DraftActions): HTMLElement[] {
  const { failures, suggested, text } = report;
  const head = element('p', { class: failures.length === 0 ? 'note good' : 'note bad', id: 'draft' }, summary(report));
  if (failures.length === 0) {
    return suggested ? [head, details('The sizes as code', element('pre', { tabindex: 0 }, suggested))] : [head];
  }
  return [
    head,
    element('ol', { class: 'failures', id: 'failures' }, ...failures.map((each) => failureItem(each, actions))),
    ...(suggested ? [suggestion(suggested, actions)] : []),
    details('Report as text', element('pre', { tabindex: 0, id: 'draft-text' }, text)),
  ];
}
