/** Where a section shows what went wrong: class, kind, message and line. */

import { describeError } from '../worker_errors';
import { element } from './dom';

export function clearError(box: HTMLElement): void {
  box.hidden = true;
  box.replaceChildren();
}

export function showError(box: HTMLElement, error: unknown): void {
  const { name, kind, message, line } = describeError(error);
  box.hidden = false;
  const parts = [element('strong', { class: 'error-name' }, name)];
  if (kind !== null) parts.push(element('span', { class: 'error-kind' }, kind));
  if (line !== null) parts.push(element('span', { class: 'error-line' }, `line ${line}`));
  box.replaceChildren(...parts, element('p', {}, message));
}

/** Runs `action` with an empty box, and shows there what it throws. Resolves to whether it succeeded. */
export async function reporting(box: HTMLElement, action: () => Promise<void>): Promise<boolean> {
  clearError(box);
  try {
    await action();
    return true;
  } catch (error) {
    showError(box, error);
    return false;
  }
}
