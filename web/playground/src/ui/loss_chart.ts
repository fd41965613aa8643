/** The loss of every step, with a smoothed line over it. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const smoothing = 0.92;
const height = 220;

export class LossChart {
  readonly #parent: HTMLElement;
  #plot: uPlot | undefined;
  #steps: number[] = [];
  #losses: number[] = [];
  #smooth: number[] = [];
  #drawing = false;

  constructor(parent: HTMLElement) {
    this.#parent = parent;
    this.#build();
    this.#draw();
    new ResizeObserver(() => this.#plot?.setSize({ width: this.#width(), height })).observe(parent);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#build());
  }

  clear(): void {
    this.#steps = [];
    this.#losses = [];
    this.#smooth = [];
    this.#draw();
  }

  add(losses: readonly number[]): void {
    for (const loss of losses) {
      const before = this.#smooth.at(-1) ?? loss;
      this.#steps.push(this.#steps.length + 1);
      this.#losses.push(loss);
      this.#smooth.push(before * smoothing + loss * (1 - smoothing));
    }
    this.#draw();
  }

  #width(): number {
    return Math.max(200, this.#parent.clientWidth);
  }

  #draw(): void {
    this.#parent.classList.toggle('empty', this.#steps.length === 0);
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#plot?.setData([this.#steps, this.#losses, this.#smooth]);
    });
  }

  #build(): void {
    this.#plot?.destroy();
    const style = getComputedStyle(this.#parent);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--chart-text'),
      grid: { stroke: colour('--chart-grid'), width: 1 },
      ticks: { stroke: colour('--chart-grid'), width: 1 },
      font: '12px system-ui, sans-serif',
    };
    this.#plot = new uPlot(
      {
        width: this.#width(),
        height,
        padding: [8, 12, 0, 0],
        cursor: { y: false },
        legend: { show: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, size: 34 },
          { ...axis, size: 48 },
        ],
        series: [
          {},
          { label: 'loss', stroke: colour('--chart-faint'), width: 1, points: { show: false } },
          { label: 'smoothed', stroke: colour('--chart-line'), width: 2.5, points: { show: false } },
        ],
      },
      [this.#steps, this.#losses, this.#smooth],
      this.#parent,
    );
  }
}
