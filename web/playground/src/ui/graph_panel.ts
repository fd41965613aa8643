/** A graph as a drawing and as a table. */

import type { GraphView } from 'onemodel';
import { details, element, svgElement, table } from './dom';
import { lineHeight, type PlacedBox, type PlacedEdge, type Placement, placeGraph, shapeText } from './graph_layout';
import { drawnEvent } from './highlight';

/** Above this the layout takes too long to be drawn unasked. */
const drawnUnasked = 150;

let drawings = 0;

function edgePath({ points }: PlacedEdge): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const parts = [`M${first.x},${first.y}`];
  rest.forEach((point, i) => {
    const next = rest[i + 1];
    if (next) parts.push(`Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`);
    else parts.push(`L${point.x},${point.y}`);
  });
  return parts.join(' ');
}

function edgeDrawing(edge: PlacedEdge, arrow: string): SVGElement {
  const { label, labelX, labelY, labelWidth } = edge;
  return svgElement(
    'g',
    { class: 'graph-edge' },
    svgElement('title', {}, edge.tooltip),
    svgElement('path', { d: edgePath(edge), 'marker-end': `url(#${arrow})` }),
    svgElement('rect', { x: labelX - labelWidth / 2, y: labelY - 9, width: labelWidth, height: 18 }),
    svgElement('text', { x: labelX, y: labelY, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, label),
  );
}

function boxDrawing({ kind, title, lines, tooltip, x, y, width, height }: PlacedBox): SVGElement {
  const middle = (lines.length * lineHeight) / 2;
  const text = (content: string, name: string, line: number) =>
    svgElement(
      'text',
      { class: name, x, y: y - middle + line * lineHeight, 'text-anchor': 'middle', 'dominant-baseline': 'central' },
      content,
    );
  return svgElement(
    'g',
    { class: `graph-box graph-${kind}` },
    svgElement('title', {}, tooltip),
    svgElement('rect', { x: x - width / 2, y: y - height / 2, width, height, rx: kind === 'node' ? 8 : height / 2 }),
    text(title, 'graph-title', 0),
    ...lines.map((line, i) => text(line, 'graph-line', i + 1.1)),
  );
}

function drawing({ boxes, edges, width, height }: Placement): SVGSVGElement {
  const arrow = `arrow-${drawings++}`;
  return svgElement(
    'svg',
    { class: 'graph', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': 'Graph' },
    svgElement(
      'defs',
      {},
      svgElement(
        'marker',
        { id: arrow, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
        svgElement('path', { class: 'graph-arrow', d: 'M0,0 L8,4 L0,8 z' }),
      ),
    ),
    ...edges.map((edge) => edgeDrawing(edge, arrow)),
    ...boxes.map(boxDrawing),
  );
}

function drawingBox(view: GraphView): HTMLElement {
  const placement = placeGraph(view);
  const label = 'Graph, scrollable';
  const box = element('div', { class: 'graph-box-outer', tabindex: 0, role: 'group', 'aria-label': label });
  box.append(drawing(placement));
  requestAnimationFrame(() => {
    box.scrollLeft = (placement.boxes[0]?.x ?? 0) - box.clientWidth / 2;
  });
  return box;
}

function nodeTable(view: GraphView): HTMLElement {
  const names = (ids: readonly number[]) => ids.map((id) => (id < 0 ? '–' : (view.values[id]?.name ?? '?'))).join(', ');
  const shapes = (ids: readonly number[]) => ids.map((id) => shapeText(view, id)).join(' ');
  return table(
    ['#', 'Operator', 'Module', 'Inputs', 'Outputs', 'Shape'],
    view.nodes.map((node, i) => [
      String(i),
      node.label,
      node.modulePath || '–',
      names(node.inputs),
      names(node.outputs),
      shapes(node.outputs),
    ]),
  );
}

export const nodesText = (count: number) => (count === 1 ? '1 node' : `${count} nodes`);

/** A big graph is drawn when asked. */
function laterDrawing(view: GraphView): HTMLElement {
  const button = element('button', { type: 'button' }, `Draw ${nodesText(view.nodes.length)}`);
  const box = element('div', {}, button);
  button.addEventListener('click', () => {
    button.disabled = true;
    button.textContent = 'Drawing…';
    setTimeout(() => {
      box.replaceChildren(drawingBox(view));
      box.dispatchEvent(new Event(drawnEvent, { bubbles: true }));
    }, 30);
  });
  return box;
}

export function graphPanel(view: GraphView, text?: string): HTMLElement {
  return element(
    'div',
    { class: 'graph-panel' },
    view.nodes.length > drawnUnasked ? laterDrawing(view) : drawingBox(view),
    details(`${nodesText(view.nodes.length)} as a table`, nodeTable(view)),
    text !== undefined && details('Graph as text', element('pre', { tabindex: 0 }, text)),
  );
}
