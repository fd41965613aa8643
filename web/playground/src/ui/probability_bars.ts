/** Ten bars, the likeliest marked. */

import { element } from './dom';

export class ProbabilityBars {
  readonly #rows: { row: HTMLElement; bar: HTMLElement; number: HTMLElement }[];

  constructor(list: HTMLElement) {
    this.#rows = Array.from({ length: 10 }, (_, digit) => {
      const bar = element('span', { class: 'bar' });
      const number = element('span', { class: 'bar-number' }, '–');
      const track = element('span', { class: 'bar-track' }, bar);
      const row = element('li', {}, element('span', { class: 'bar-name' }, String(digit)), track, number);
      list.append(row);
      return { row, bar, number };
    });
  }

  show(probabilities: readonly number[] | null): void {
    const best = probabilities ? probabilities.indexOf(Math.max(...probabilities)) : -1;
    this.#rows.forEach(({ row, bar, number }, digit) => {
      const share = probabilities?.[digit] ?? 0;
      row.classList.toggle('best', digit === best);
      bar.style.width = `${share * 100}%`;
      number.textContent = probabilities ? `${(share * 100).toFixed(1)} %` : '–';
    });
  }
}
