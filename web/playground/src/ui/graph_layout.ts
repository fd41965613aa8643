/** Places the nodes of a graph: boxes for operators, inputs and outputs, and the values between them. */

import { Graph, layout } from '@dagrejs/dagre';
import type { GraphView } from 'onemodel';
import { extentText } from '../protocol';

export interface PlacedBox {
  kind: 'input' | 'output' | 'node';
  title: string;
  /** Smaller ones, below the title. */
  lines: string[];
  tooltip: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedEdge {
  label: string;
  tooltip: string;
  points: { x: number; y: number }[];
  labelX: number;
  labelWidth: number;
  labelY: number;
}

export interface Placement {
  boxes: PlacedBox[];
  edges: PlacedEdge[];
  width: number;
  height: number;
}

const titleCharacter = 7.8;
const smallCharacter = 6.5;
export const lineHeight = 15;
const margin = 16;

export const shapeText = (view: GraphView, value: number): string =>
  `[${view.values[value]?.shape.map(extentText).join(', ') ?? ''}]`;

const labelWidth = (view: GraphView, value: number) => shapeText(view, value).length * smallCharacter + 10;

const shortened = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** The end of a path says more than its beginning. */
const pathEnd = (path: string, length: number) => (path.length > length ? `…${path.slice(1 - length)}` : path);

type Unplaced = Omit<PlacedBox, 'x' | 'y' | 'width' | 'height'>;

function nodeBox(view: GraphView, index: number): Unplaced {
  const node = view.nodes[index] as GraphView['nodes'][number];
  const constants = node.inputs.filter((id) => view.values[id]?.kind);
  const told = [node.label, node.modulePath && `module ${node.modulePath}`, node.name && `node ${node.name}`];
  for (const id of constants) {
    const value = view.values[id] as GraphView['values'][number];
    told.push(`${value.kind} ${value.name} ${value.dtype} ${shapeText(view, id)}`);
  }
  return {
    kind: 'node',
    title: node.op,
    lines: [pathEnd(node.modulePath, 34), shortened(constants.map((id) => shapeText(view, id)).join(' '), 34)].filter(
      Boolean,
    ),
    tooltip: told.filter(Boolean).join('\n'),
  };
}

function endBox(view: GraphView, value: number, kind: 'input' | 'output'): Unplaced {
  const { name = '', dtype = 'float32' } = view.values[value] ?? {};
  const text = `${dtype} ${shapeText(view, value)}`;
  return { kind, title: shortened(name, 30), lines: [text], tooltip: `${kind} ${name} ${text}` };
}

/** Operators, then outputs, use values; operators and inputs make them. */
export function placeGraph(view: GraphView): Placement {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 18, marginx: margin, marginy: margin });
  const unplaced = new Map<string, Unplaced>();
  const makers = new Map<number, string>();
  const addBox = (id: string, box: Unplaced) => {
    unplaced.set(id, box);
    const longest = Math.max(0, ...box.lines.map((line) => line.length));
    const width = Math.max(box.title.length * titleCharacter, longest * smallCharacter) + 28;
    graph.setNode(id, { width: Math.max(72, width), height: 32 + box.lines.length * lineHeight });
  };
  const edges: { value: number; key: { v: string; w: string; name: string } }[] = [];
  const addEdge = (value: number, to: string) => {
    const from = makers.get(value);
    if (from === undefined) return; // a constant or a left-out input
    const key = { v: from, w: to, name: String(edges.length) };
    graph.setEdge(key, { width: labelWidth(view, value), height: 18, labelpos: 'c' });
    edges.push({ value, key });
  };

  for (const value of view.inputs) {
    addBox(`input ${value}`, endBox(view, value, 'input'));
    makers.set(value, `input ${value}`);
  }
  view.nodes.forEach((node, i) => {
    addBox(`node ${i}`, nodeBox(view, i));
    for (const value of node.outputs) makers.set(value, `node ${i}`);
  });
  view.nodes.forEach((node, i) => {
    for (const value of node.inputs) addEdge(value, `node ${i}`);
  });
  view.outputs.forEach((value, i) => {
    addBox(`output ${i}`, endBox(view, value, 'output'));
    addEdge(value, `output ${i}`);
  });
  layout(graph);

  const size = graph.graph() as { width?: number; height?: number };
  return {
    boxes: Array.from(unplaced, ([id, box]) => {
      const { x, y, width, height } = graph.node(id) as { x: number; y: number; width: number; height: number };
      return { ...box, x, y, width, height };
    }),
    edges: edges.map(({ value, key }) => {
      const placed = graph.edge(key) as { points: { x: number; y: number }[]; x: number; y: number };
      const { name = '', dtype = '' } = view.values[value] ?? {};
      const label = shapeText(view, value);
      return {
        label,
        tooltip: `${name} ${dtype} ${label}`,
        points: placed.points,
        labelX: placed.x,
        labelWidth: labelWidth(view, value),
        labelY: placed.y,
      };
    }),
    width: size.width ?? 0,
    height: size.height ?? 0,
  };
}
