/** What a run of a model gave. */

import type { ModelRun } from '../protocol';
import { details, element, millisecondsText } from './dom';
import { outputView } from './output_view';

function timesText({ firstMilliseconds, againMilliseconds }: ModelRun): string {
  const first = `First run ${millisecondsText(firstMilliseconds)}, with planning`;
  return againMilliseconds === null ? `${first}.` : `${first}; then ${millisecondsText(againMilliseconds)} each.`;
}

export function runView(run: ModelRun): HTMLElement[] {
  const parts: HTMLElement[] = [element('p', { class: 'numbers', id: 'run-times' }, timesText(run))];
  if (run.eagerDifference !== null) {
    const difference = run.eagerDifference === 0 ? '0' : run.eagerDifference.toExponential(2);
    const text = `Largest difference from the module trained above: ${difference}`;
    parts.push(element('p', { class: 'note good', id: 'eager-difference' }, text));
  }
  parts.push(...run.outputs.map(outputView));
  parts.push(details('How it runs: passes, plans and kernels', element('pre', { tabindex: 0 }, run.description)));
  return parts;
}
