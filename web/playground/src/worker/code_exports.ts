/** What the code of the editor exports. */

import * as om from 'onemodel';
import type { TaggedLetter } from '../protocol';
import type { Found } from './segmentations';

/** Only `model` is needed. */
export interface CodeExports {
  model: om.nn.Module;
  optimizer?: om.Optimizer;
  steps: number;
  trainStep?: (step: number) => unknown;
  accuracy?: () => number;
  classify?: (image: om.Tensor) => om.Tensor;
  write?: (prompt: string) => string;
  segment?: () => Found;
  tag?: (text: string) => TaggedLetter[];
  /** Texts one after the other, from a session of the exported program. */
  stream?: (session: om.ProgramSession, prompt: string) => Iterable<string>;
  /** Inputs to trace and to export with. */
  example?: om.Tensor | readonly om.Tensor[] | Readonly<Record<string, om.Tensor>>;
  axes?: om.TraceOptions['axes'];
  outputNames?: readonly string[];
  dynamicShapes?: om.DynamicShapes | om.ShapesSource;
  preserveModuleCalls?: readonly string[];
}

const functions = ['trainStep', 'accuracy', 'classify', 'write', 'segment', 'tag', 'stream'] as const;

/** The names of functions that the code may export. */
export type FunctionName = (typeof functions)[number];

/** Throws ArgumentError saying what the code must export. */
export function checkedExports(exported: Record<string, unknown>): CodeExports {
  const wrong = (what: string): never => {
    throw new om.ArgumentError(`the code ${what}`, 'Code');
  };
  if (!(exported.model instanceof om.nn.Module)) wrong('must export `model`, an om.nn.Module');
  for (const name of functions) {
    if (name in exported && typeof exported[name] !== 'function') wrong(`exports \`${name}\`, which is no function`);
  }
  const steps = exported.steps ?? 100;
  if (!(typeof steps === 'number' && Number.isInteger(steps) && steps > 0)) {
    wrong('exports `steps`, which is no positive integer');
  }
  return { ...exported, steps } as unknown as CodeExports;
}

/** The inputs to record with. Throws ArgumentError when the code exports none. */
export function exampleOf({ example }: CodeExports, use: string): NonNullable<CodeExports['example']> {
  if (!example) throw new om.ArgumentError(`the code must export \`example\`, the inputs to ${use} with`, 'Code');
  return example;
}
