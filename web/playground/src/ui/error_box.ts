/** Where a section shows what went wrong: class, kind, message and line. */

import { describeError, type ErrorReport } from '../worker_errors';
import { element } from './dom';

export function clearError(box: HTMLElement): void {
  box.hidden = true;
  box.replaceChildren();
}

function showError(box: HTMLElement, { name, kind, message, line }: ErrorReport): void {
  box.hidden = false;
  const parts = [element('strong', { class: 'error-name' }, name)];
  if (kind !== null) parts.push(element('span', { class: 'error-kind' }, kind));
  if (line !== null) parts.push(element('span', { class: 'error-line' }, `line ${line}`));
  box.replaceChildren(...parts, element('p', {}, message));
}

/** Runs `action` with an empty box, and shows there what it throws. Resolves to that, or to null. */
export async function reporting(box: HTMLElement, action: () => Promise<void>): Promise<ErrorReport | null> {
  clearError(box);
  try {
    await action();
    return null;
  } catch (error) {
    const report = describeError(error);
    showError(box, report);
    return report;
  }
}
