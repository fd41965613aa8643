/** The loss of every step, and their running mean. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { byId } from './dom';

const height = 230;
/** The mean at a step covers this share of all steps on either side, but no more steps than that. */
const meanShare = 1 / 80;
const meanSteps = 25;

export function lossText(loss: number): string {
  return Math.abs(loss) >= 1e-3 || loss === 0 ? loss.toPrecision(4) : loss.toExponential(2);
}

function tickText(tick: number | null): string {
  if (tick === null) return '';
  const size = Math.abs(tick);
  return size === 0 || (size >= 1e-3 && size < 1e5) ? String(Number(tick.toPrecision(4))) : tick.toExponential(0);
}

/** Means over windows that are centred, so that the curve does not lag. */
function runningMeans(losses: readonly number[]): number[] {
  const sums = [0];
  for (const loss of losses) sums.push((sums.at(-1) as number) + loss);
  const most = Math.min(meanSteps, Math.floor(losses.length * meanShare));
  return losses.map((_, i) => {
    const half = Math.min(most, i, losses.length - 1 - i);
    return ((sums[i + half + 1] as number) - (sums[i - half] as number)) / (2 * half + 1);
  });
}

export class LossChart {
  readonly #parent: HTMLElement;
  readonly #readout = byId('chart-readout');
  readonly #logarithmic = byId<HTMLInputElement>('chart-log');
  #plot: uPlot | undefined;
  #steps: number[] = [];
  #losses: number[] = [];
  #drawing = false;

  constructor(parent: HTMLElement) {
    this.#parent = parent;
    this.#build();
    new ResizeObserver(() => this.#plot?.setSize({ width: this.#width(), height })).observe(parent);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#build());
    this.#logarithmic.addEventListener('change', () => this.#build());
  }

  clear(): void {
    this.#steps = [];
    this.#losses = [];
    this.#draw();
  }

  add(losses: readonly number[]): void {
    for (const loss of losses) {
      this.#losses.push(loss);
      this.#steps.push(this.#losses.length);
    }
    this.#draw();
  }

  #width(): number {
    return Math.max(200, this.#parent.clientWidth);
  }

  #data(): uPlot.AlignedData {
    // A logarithm has no place for what is not positive.
    const drawn = (losses: number[]) =>
      this.#logarithmic.checked ? losses.map((loss) => (loss > 0 ? loss : null)) : losses;
    return [this.#steps, drawn(this.#losses), drawn(runningMeans(this.#losses))];
  }

  #draw(): void {
    this.#parent.classList.toggle('empty', this.#steps.length === 0);
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#plot?.setData(this.#data());
    });
  }

  #read({ cursor }: uPlot): void {
    const loss = this.#losses[cursor.idx ?? -1];
    this.#readout.textContent = loss === undefined ? '' : `step ${(cursor.idx ?? 0) + 1}: ${lossText(loss)}`;
  }

  #build(): void {
    this.#plot?.destroy();
    const style = getComputedStyle(this.#parent);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis: uPlot.Axis = {
      stroke: colour('--chart-text'),
      grid: { stroke: colour('--chart-grid'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui, sans-serif',
      values: (_plot, ticks) => ticks.map(tickText),
    };
    const line: uPlot.Series = { points: { show: false } };
    this.#plot = new uPlot(
      {
        width: this.#width(),
        height,
        padding: [10, 14, 0, 0],
        cursor: { y: false },
        legend: { show: false },
        hooks: { setCursor: [(plot) => this.#read(plot)] },
        scales: { x: { time: false }, y: { distr: this.#logarithmic.checked ? 3 : 1 } },
        axes: [
          { ...axis, size: 26, label: 'step', labelSize: 18, labelFont: '12px system-ui, sans-serif' },
          { ...axis, size: 54 },
        ],
        series: [
          {},
          { ...line, stroke: colour('--chart-faint'), width: 1.2 },
          { ...line, stroke: colour('--chart-line'), width: 2 },
        ],
      },
      this.#data(),
      this.#parent,
    );
  }
}
