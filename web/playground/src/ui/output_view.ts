/** One output of a run: type, statistics, the best scores, a picture and the first values. */

import { type OutputReport, type Scores, typeText } from '../protocol';
import { element, factList } from './dom';
import { outputPicture } from './output_picture';

const numberText = (value: number | null) => (value === null ? '–' : String(Number(value.toPrecision(5))));

/** The values, a line for each row of the last axis. */
function valuesText({ shape, size, values }: OutputReport): string {
  const row = Math.max(1, shape.at(-1) ?? 1);
  const rows = Array.from({ length: Math.ceil(values.length / row) }, (_, i) => values.slice(i * row, (i + 1) * row));
  const more = size - values.length;
  return [...rows.map((each) => `[${each.join(', ')}]`), more > 0 && `… ${more.toLocaleString('en')} more`]
    .filter(Boolean)
    .join('\n');
}

function facts({ dtype, size, statistics }: OutputReport): HTMLElement {
  if (dtype === 'string') return factList({ Elements: size.toLocaleString('en') });
  const { min, max, mean, nonFinite } = statistics;
  return factList({
    Elements: size.toLocaleString('en'),
    Min: numberText(min),
    Max: numberText(max),
    Mean: numberText(mean),
    ...(nonFinite > 0 && { 'NaN or infinite': nonFinite.toLocaleString('en') }),
  });
}

function scoreBars({ place, best, areShares, least }: Scores): HTMLElement {
  const most = best[0]?.value ?? 0;
  const share = (value: number) => (areShares ? value : (value - least) / (most - least || 1));
  const rows = best.map(({ index, value }, i) =>
    element(
      'li',
      { class: i === 0 && 'best' },
      element('span', { class: 'bar-name' }, String(index)),
      element('progress', { max: 1, value: share(value), 'aria-label': `Score of ${index}` }),
      element('span', { class: 'bar-number' }, areShares ? `${(value * 100).toFixed(1)} %` : numberText(value)),
    ),
  );
  const title = `The largest${place && ` of ${place}`}, by index`;
  return element(
    'div',
    { class: 'scores' },
    element('p', { class: 'hint' }, title),
    element('ol', { class: 'bars' }, ...rows),
  );
}

export function outputView(output: OutputReport): HTMLElement {
  return element(
    'section',
    { class: 'output', 'aria-label': `Output ${output.name}` },
    element('h4', {}, element('code', {}, output.name), ` ${typeText(output)}`),
    facts(output),
    ...output.scores.map(scoreBars),
    output.picture && outputPicture(output.name, output.picture),
    element('pre', { class: 'values', tabindex: 0 }, valuesText(output)),
  );
}
