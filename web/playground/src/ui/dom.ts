/** Small helpers for the page's elements. */

type Child = Node | string | null | false;
type Attributes = Record<string, string | number | boolean | undefined>;

/** The element of index.html with this id. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element '${id}'`);
  return found as E;
}

function applied<E extends Element>(target: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    target.setAttribute(name, value === true ? '' : String(value));
  }
  target.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return target;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return applied(document.createElement(tag), attributes, children);
}

export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return applied(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

export function details(summary: string, ...content: Child[]): HTMLDetailsElement {
  return element('details', {}, element('summary', {}, summary), ...content);
}

export function table(head: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  const headings = head.map((text) => element('th', { scope: 'col' }, text));
  const body = rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', {}, cell))));
  return element(
    'div',
    { class: 'scroll', tabindex: 0 },
    element('table', {}, element('thead', {}, element('tr', {}, ...headings)), element('tbody', {}, ...body)),
  );
}

export function factList(facts: Readonly<Record<string, string>>): HTMLDListElement {
  const listed = Object.entries(facts).map(([name, text]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, text)),
  );
  return element('dl', { class: 'facts' }, ...listed);
}

export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(3, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

export function millisecondsText(milliseconds: number): string {
  if (milliseconds === 0) return 'under 0.1 ms'; // the clock's steps
  if (milliseconds < 1) return `${(milliseconds * 1000).toFixed(0)} µs`;
  return milliseconds < 10 ? `${milliseconds.toFixed(2)} ms` : `${milliseconds.toFixed(0)} ms`;
}
