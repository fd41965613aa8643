/** What the page shows of an exported program. */

import type * as om from 'onemodel';
import type { ModuleRow, ProgramReport, SignatureRow, SizeRow } from '../export_protocol';

type Specs = readonly (om.InputSpec | om.OutputSpec)[];

function rows(direction: 'input' | 'output', specs: Specs, ids: readonly number[], view: om.GraphView): SignatureRow[] {
  return specs.map((spec, i) => {
    const { dtype, shape } = view.values[ids[i] as number] as om.GraphView['values'][number];
    const { kind, name, target } = spec;
    const persistent = kind === 'Buffer' && 'persistent' in spec ? spec.persistent : null;
    return { direction, kind, name, target, dtype, shape, persistent };
  });
}

const squeezed = (label: om.Extent) => String(label).replaceAll(' ', '');
const labelled = (label: om.Extent) => [squeezed(label), String(label)] as const;

/** Sizes that vary: those of the caller's inputs, then others with a range. */
function sizesOf(ranges: readonly om.RangeConstraint[], signature: readonly SignatureRow[]): SizeRow[] {
  const axes = signature
    .filter(({ kind }) => kind === 'UserInput')
    .flatMap(({ name, shape }) => shape.map((extent, axis) => ({ extent, place: `${name}, axis ${axis}` })))
    .filter(({ extent }) => typeof extent === 'string');
  const labels = new Map([...axes.map(({ extent }) => extent), ...ranges.map(({ label }) => label)].map(labelled));
  return [...labels].map(([key, label]) => {
    const range = ranges.find((each) => squeezed(each.label) === key);
    const found = axes.filter(({ extent }) => squeezed(extent) === key);
    return { label, min: range?.min ?? 0, max: range?.max ?? null, places: found.map(({ place }) => place) };
  });
}

/** The innermost module around `path` that was called, by position; the root when there is none. */
function around(path: string, positions: ReadonlyMap<string, number>): number {
  for (let outer = path; outer.includes('.'); ) {
    outer = outer.slice(0, outer.lastIndexOf('.'));
    const position = positions.get(outer);
    if (position !== undefined) return position;
  }
  return path === '' ? -1 : 0;
}

function modulesOf(calls: readonly om.ModuleCall[], stacks: readonly string[][]): ModuleRow[] {
  const paths = new Set(calls.map(({ path }) => path).filter((path) => path !== ''));
  // Modules are in the order of their first nodes, those without nodes last, and each before those below it.
  const order = ['', ...new Set([...stacks.flat().filter((path) => paths.has(path)), ...paths])];
  const positions = new Map<string, number>();
  const byPath = order.map((path, position) => {
    positions.set(path, position);
    const nodes = stacks.flatMap((stack, node) => (path === '' || stack.includes(path) ? [node] : []));
    return { path, calls: calls.filter((call) => call.path === path).length, nodes };
  });
  return byPath.map((row) => ({ ...row, parent: around(row.path, positions) }));
}

/** The view without the inputs that only bring state in: in drawings these are constants. */
function folded(view: om.GraphView, { inputs, outputs }: om.ProgramSignature): om.GraphView {
  const changed = new Set(outputs.map(({ target }) => target));
  const values = [...view.values];
  const shown = view.inputs.filter((id, i) => {
    const { kind, target } = inputs[i] as om.InputSpec;
    if (kind === 'UserInput' || changed.has(target)) return true;
    values[id] = { ...(values[id] as om.GraphView['values'][number]), kind: kind.toLowerCase() };
    return false;
  });
  return { ...view, values, inputs: shown };
}

export function programReport(program: om.ExportedProgram): ProgramReport {
  const { signature } = program;
  const view = program.graph.view();
  const signatureRows = [
    ...rows('input', signature.inputs, view.inputs, view),
    ...rows('output', signature.outputs, view.outputs, view),
  ];
  const sizes = sizesOf(program.rangeConstraints, signatureRows);
  return {
    view: folded(view, signature),
    text: program.toString(),
    signature: signatureRows,
    sizes,
    relations: [...program.equalityConstraints],
    modules: modulesOf(program.moduleCallGraph, program.moduleStacks()),
    warnings: [...program.warnings],
  };
}
