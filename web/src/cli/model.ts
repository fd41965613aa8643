/** Model files as the commands read them. */

import { open } from 'node:fs/promises';
import { type Environment, init } from '../engine.js';
import type { Graph, GraphView } from '../graph.js';
import { loadGraph } from '../load.js';
import { fields, text } from '../protobuf.js';
import { Session, type SessionOptions } from '../session.js';
import type { ValueInfo } from '../session_feeds.js';
import type { Arguments, Option } from './command.js';
import { about, readBytes, reading } from './files.js';

/** What an .onnx file says about itself. */
export interface OnnxHeader {
  irVersion: number;
  /** Version by domain; that of ONNX itself is "ai.onnx". */
  opsets: Record<string, number>;
  /** The program that wrote the file, with its version. */
  producer: string;
}

/** A graph and the file that it came from. */
export interface ModelFile {
  path: string;
  bytes: number;
  graph: Graph;
  view: GraphView;
  /** Null for a .onemodel file. */
  onnx: OnnxHeader | null;
}

/** The head of a ModelProto that was read already. */
function readHeader(file: Uint8Array): OnnxHeader {
  const header: OnnxHeader = { irVersion: 0, opsets: {}, producer: '' };
  const producer: string[] = [];
  for (const field of fields(file)) {
    if (field.number === 1) header.irVersion = Number(field.value);
    else if (field.number === 2 || field.number === 3) producer.push(text(field));
    else if (field.number === 8) {
      const entries = [...fields(field.bytes)];
      const domain = entries.find((entry) => entry.number === 1);
      const version = entries.find((entry) => entry.number === 2);
      header.opsets[(domain && text(domain)) || 'ai.onnx'] = Number(version?.value ?? 0);
    }
  }
  return { ...header, producer: producer.join(' ').trim() };
}

const oneModelByte = 0x89;

/** The size of a file and whether it is a .onemodel, which may be larger than any buffer. */
const readFacts = (path: string): Promise<{ bytes: number; isOneModel: boolean }> =>
  reading(path, async () => {
    const file = await open(path);
    try {
      const { buffer } = await file.read(new Uint8Array(1), 0, 1, 0);
      return { bytes: (await file.stat()).size, isOneModel: buffer[0] === oneModelByte };
    } finally {
      await file.close();
    }
  });

/** Starts the engine as the options say. Throws UsageError for a bad count. */
export function startEngine(args: Arguments): Promise<Environment> {
  const threads = args.integer('threads', 1, 64, undefined);
  return init(threads === undefined ? {} : { threads });
}

/** Starts the engine as the options say and loads a model. Throws UsageError and what `loadGraph` throws. */
export async function openModel(path: string, args: Arguments): Promise<ModelFile> {
  const { bytes, isOneModel } = await readFacts(path);
  await startEngine(args);
  const graph = await about(path, () => loadGraph(path)); // by its path, for the sake of weights beside it
  const onnx = isOneModel ? null : readHeader(await readBytes(path));
  return { path, bytes, graph, view: graph.view(), onnx };
}

/** Options of the commands that run a model. */
export const runOptions: Record<string, Option> = {
  arithmetic: { value: 'exact|fast', help: 'exact: the same bits on every machine. Default: fast.' },
  threads: { value: 'N', help: 'How many threads compute. Default: the cores, at most 4.' },
};

/** How the options say that sessions run. Throws UsageError for another word. */
export function sessionOptions(args: Arguments): SessionOptions {
  return { arithmetic: args.word('arithmetic', ['exact', 'fast'], 'fast') };
}

/** A session for the model, as the options say; both are freed when `use` is through. */
export async function withSession<R>(
  path: string,
  args: Arguments,
  use: (session: Session, model: ModelFile) => Promise<R>,
): Promise<R> {
  const options = sessionOptions(args);
  const model = await openModel(path, args);
  try {
    const session = await about(path, () => Session.fromGraph(model.graph, options));
    try {
      return await use(session, model);
    } finally {
      session.dispose();
    }
  } finally {
    model.graph.dispose();
  }
}

type ValueType = Pick<ValueInfo, 'name' | 'dtype'> & { shape: ValueInfo['shape'] | null };

/** The values of a graph by their index in its view; a shape is null where only a run tells it. */
export const valuesAt = (view: GraphView, ids: readonly number[]): ValueType[] =>
  ids.map((id) => {
    const { name, dtype, shape, hasRank } = view.values[id] as GraphView['values'][number];
    return { name, dtype, shape: hasRank ? shape : null };
  });

/** "[batch, 4]". */
export const shapeText = (shape: readonly (number | string)[] | null): string =>
  shape === null ? 'of any rank' : `[${shape.join(', ')}]`;

/** Rows of name, dtype and shape. */
export const valueRows = (values: readonly ValueType[]): string[][] =>
  values.map(({ name, dtype, shape }) => [name, dtype, shapeText(shape)]);
