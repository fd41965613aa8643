// What the package's types allow and refuse; compiled by `scripts/lint`, never run.

import * as om from 'onemodel';
import { InferenceSession, installGlobal, register, Tensor as OrtTensor } from 'onemodel/ort';
import * as web from 'onnxruntime-common';

class Net extends om.nn.Module {
  fc = new om.nn.Linear(4, 2, { bias: false });
  scale = om.nn.parameter([2]);

  override forward(x: om.Tensor): om.Tensor {
    return this.fc.forward(x).mul(this.scale).relu();
  }
}

export async function uses(): Promise<number> {
  const environment: om.Environment = await om.init({ threads: 2, variant: 'simd-threads' });
  const net = new Net();
  const optimizer = new om.optim.Adam(net.parameters(), { lr: 0.1 });
  optimizer.lr = 0.01;
  const x = om.tensor([[1, 2, 3, 4]], { dtype: 'float32', requiresGrad: true });
  const traced = om.trace(net, x, { axes: ['batch', null], verify: true });
  const session: om.Session = traced.createSession({ arithmetic: 'exact' });
  const results: om.TensorMap = await session.run({ input: x });
  const some: om.TensorMap = session.runSync([x, undefined], { outputs: ['y'], onProgress: (done) => done });
  const lists = session.runSync<{ y: om.Tensor[]; z: om.Tensor | null }>({ xs: [x, x], o: null });
  const shapes: number[][] = lists.y.map(({ shape }) => [...shape]);
  const slowest: number = Math.max(...session.profile(x).map(({ microseconds }) => microseconds));
  const extents: om.Extent[] = session.inputs[0]?.shape ?? [];
  om.ops.softmax(x, { axis: 1 });
  om.ops.concat([x, x], { axis: 0 });
  om.trace((a, b) => ({ sum: a.add(b) }), { a: x, b: x }, { axes: { a: { 0: 'n' } }, outputNames: ['sum'] });
  om.trace((a, b) => a.add(b), [x, x], { axes: [['n', null], null] });
  const counts = extents.length + environment.threads + shapes.length + slowest;
  return counts + (results.output?.size ?? 0) + (some.y?.size ?? 0);
}

export function pieces(graph: om.Graph): number {
  const sizes: number[] = [];
  const write: om.ByteSink = (bytes) => sizes.push(bytes.length);
  graph.writeOneModel(write);
  graph.toOnnx({ externalData: { file: 'w.data', write } });
  return sizes.length;
}

export function elements(x: om.Tensor): number {
  const rows = x.toArray<number[][]>();
  const flags = x.toArray<boolean[]>();
  const any: om.NestedArray = x.toArray();
  const values = x.data as Float32Array;
  const gradient = x.grad?.data as Float32Array;
  const typed: Float32Array = x.dataAs('float32');
  const first: bigint | undefined = x.dataAs('int64')[0];
  const texts: string[] = x.dataAs('string');
  // @ts-expect-error: bool comes as bytes
  const bits: Float32Array = x.dataAs('bool');
  const squares: number[] = [x].map(({ grad }) => grad?.mul(grad).sum().item() ?? 0);
  // @ts-expect-error: no elements are dates
  x.toArray<Date[]>();
  return (
    typed.length +
    Number(first) +
    texts.length +
    bits.length +
    rows.flat().length +
    flags.length +
    Number(any) +
    values.length +
    Math.hypot(...gradient, ...squares)
  );
}

export function namedElsewhere(x: om.Tensor, pixels: Uint8ClampedArray): om.Tensor {
  const scores: om.Tensor = om.matmul(om.relu(x).view([2, -1]), om.tensor(pixels).t());
  // @ts-expect-error: a method with the tensor first, not a list
  om.sum([1, 2]);
  // @ts-expect-error: sizes are a list
  x.view(2, 3);
  return om.softmax(om.clamp(scores, 0, om.max(x)), -1);
}

export function pathOf(error: unknown): string | undefined {
  return error instanceof om.OneModelError ? error.modulePath : undefined;
}

export function strings(): string {
  const texts = om.tensor([['a'], ['b']]);
  om.tensor('c', 'string');
  // @ts-expect-error: strings and numbers do not mix
  om.tensor(['a', 1]);
  return (texts.data as string[]).join() + om.tensor(['d']).item<string>();
}

export function typedArrays(plain: Float32Array, shared: SharedArrayBuffer): Float32Array<ArrayBuffer> {
  om.tensor(plain, { shape: [plain.length] });
  om.tensor(new Float32Array(shared));
  om.tensor(new Uint16Array(2), 'bfloat16');
  om.tensor(BigUint64Array.of(1n));
  const copy: om.TypedArray<ArrayBuffer> | string[] = om.tensor(plain).data;
  return copy as Float32Array<ArrayBuffer>;
}

export function training(net: Net, x: om.Tensor): number[] {
  const optimizer = new om.optim.AdamW([{ params: [net.scale], lr: 1e-4 }, { params: net.fc.parameters() }], {
    lr: 1e-3,
    betas: [0.9, 0.95],
  });
  for (const group of optimizer.paramGroups) group.lr = group.lr * group.params.length;
  optimizer.addParamGroup({ params: [x], weightDecay: 0 });
  const schedule: om.LRScheduler = new om.optim.OneCycleLR(optimizer, [0.1, 0.2, 0.3], 100, { threePhase: true });
  const norm: number = om.nn.clipGradNorm(net.parameters(), 1, { normType: 1 });
  om.nn.crossEntropy(x, x, { weight: x, ignoreIndex: -1, labelSmoothing: 0.1, reduction: 'none' });
  om.nn.klDiv(x, x, { reduction: 'batchmean', logTarget: true });
  om.nn.ctcLoss(x, x, [3, 2], x, { zeroInfinity: true });
  om.loadCheckpoint(om.saveCheckpoint(net, optimizer, schedule), net, optimizer, schedule);
  return [norm, ...schedule.getLastLr()];
}

export function operands(x: om.Tensor): om.Tensor[] {
  const attention = new om.nn.MultiheadAttention(8, 2);
  const [y, weights] = attention.forward(x, x, x, { needWeights: true, averageAttnWeights: false });
  const alone: om.Tensor = attention.forward(x, x, x, null, x);
  return [y, weights, alone, om.ops.resize(x, null, [1, 1.5]), om.ops.resize(x, [0, 0, 1, 0.5], undefined, [4, 6])];
}

export function functions(x: om.Tensor): om.Tensor[] {
  const { values, indices }: om.Ordered = om.sort(x, 0, true);
  const [y, h, c] = new om.nn.LSTM(3, 4).forward(x, null, null, indices);
  new om.nn.Conv2d(1, 2, 3, { padding: 'same', paddingMode: 'reflect' });
  new om.nn.BatchNorm2d(3, { momentum: null });
  new om.nn.Conv2d(1, 2, 3, { padding: [1, 2] });
  // @ts-expect-error: no such padding
  new om.nn.Conv2d(1, 2, 3, { padding: 'full' });
  om.nn.scaledDotProductAttention(x, x, x, null, { isCausal: true });
  om.nn.pad(x, [1, 1], { mode: 'circular' });
  const parts: om.Tensor[] = om.chunk(x, 2, -1);
  return [values, ...parts, x.var([0, 1], { correction: 0 }), ...[y, h, c].flatMap((each) => (each ? [each] : []))];
}

export async function onnxRuntime(file: ArrayBuffer): Promise<number> {
  installGlobal();
  register(web);
  const session: web.InferenceSession = await InferenceSession.create(file, {
    executionProviders: [{ name: 'onemodel', arithmetic: 'exact' }, 'wasm'],
    freeDimensionOverrides: { batch: 1 },
  });
  const plain: InferenceSession.ExecutionProviderConfig = { name: 'onemodel' };
  await InferenceSession.create('model.onnx', { executionProviders: [plain] });
  // @ts-expect-error no such arithmetic
  await InferenceSession.create('model.onnx', { executionProviders: [{ name: 'onemodel', arithmetic: 'quick' }] });
  const { y } = await session.run({ x: new OrtTensor('float32', new Float32Array(3), [1, 3]) }, { y: null });
  return y?.dims.length ?? 0;
}

export function modules(): void {
  const net = new Net();
  const every: om.nn.NamedTensor[] = net.namedTensors({ removeDuplicate: false });
  net.loadStateDict(net.stateDict(), { strict: false });
  const problems: string[] = net.stateProblems({ [every[0]?.path ?? '']: net.scale });
  om.nn.parameter(om.zeros([problems.length]));
}

export function refusals(x: om.Tensor): void {
  // @ts-expect-error a required attribute is missing
  om.ops.concat([x]);
  // @ts-expect-error a shape is a list
  x.reshape(3, 2);
  // @ts-expect-error axes are a list
  x.permute(1, 0);
  // @ts-expect-error the opset cannot be chosen
  om.trace((y) => y, x).toOnnx({ opset: 13 });
  // @ts-expect-error required arguments go by position
  new om.optim.StepLR(new om.optim.SGD([x]), { stepSize: 2 });
  // @ts-expect-error no such dtype
  x.cast('complex64');
  // @ts-expect-error attributes have types
  om.ops.softmax(x, { axis: 'last' });
  // @ts-expect-error no such option
  new om.optim.SGD([{ params: [x], betas: [0, 0] }]);
  // @ts-expect-error only klDiv has batchmean
  om.nn.mseLoss(x, x, { reduction: 'batchmean' });
  // @ts-expect-error total_steps is required
  new om.optim.OneCycleLR(new om.optim.SGD([x]), 0.1);
  // @ts-expect-error no such variant
  om.init({ variant: 'mmx' });
  // @ts-expect-error kernel_size is required
  new om.nn.Conv2d(1, 2);
  // @ts-expect-error a DataView holds no elements
  om.tensor(new DataView(new ArrayBuffer(4)));
  // @ts-expect-error the shape cannot be changed
  x.shape[0] = 2;
  // @ts-expect-error a tensor is not made by its constructor alone
  new om.Tensor('x');
}

export function exporting(net: Net, x: om.Tensor): om.ExportedProgram {
  const batch: om.Dim = om.Dim('batch', { min: 2, max: 64 });
  const [rows] = om.dims('rows', 'columns');
  const dynamicShapes: om.DynamicShapes = {
    x: [batch.mul(2).add(1), null],
    y: { 0: om.Dim.AUTO({ min: 2 }), 1: rows },
  };
  const program = om.exportProgram(net, { x, y: [x, 3, null] }, { dynamicShapes, preserveModuleCalls: ['fc'] });
  om.exportProgram((a: om.Tensor, { b }: { b: om.Tensor }) => [a.add(b)], [x, { b: x }]);
  om.exportForTraining(net, [x], { dynamicShapes: new om.ShapesCollection().set(x, [batch, null]) });
  const report: om.DraftReport = om.draftExport(net, [x]);
  const kinds: readonly om.InputKind[] = program.signature.inputs.map(({ kind }) => kind);
  const result: om.Argument = program.call(x, { nested: [x, 'text', true] });
  const session: om.ProgramSession = program.createSession({ arithmetic: 'exact' });
  program.createSession({ shareStateWith: session });
  const tree: om.nn.Module = om.unflatten(program, { fc: new om.nn.Linear(4, 2) });
  om.refineDynamicShapes(`${kinds} ${result}`, dynamicShapes);
  x.add_(1, { alpha: 2 }).mul_(x).zero_().sliceScatter_(x, 0);
  // @ts-expect-error: no such hint
  om.Dim.SOMETIMES;
  // @ts-expect-error: a name is needed
  om.Dim({ min: 2 });
  // @ts-expect-error: a module is no argument
  program.call(tree);
  return om.loadPrograms(om.savePrograms({ main: program, draft: report.program ?? program })).main ?? program;
}

interface Scores {
  logits: om.Tensor;
}

export async function results(program: om.ExportedProgram, x: om.Tensor): Promise<om.Tensor[]> {
  const [sum, product] = program.call<[om.Tensor, om.Tensor]>(x);
  const { a } = program.module().forward<{ a: om.Tensor }>(x);
  const { logits } = await program.createSession().run<Scores>({ input: x });
  const { logits: others } = om.trace(program.module(), x).createSession().runSync<Scores>(x);
  const named: om.Argument = program.call(x);
  // @ts-expect-error: no result has functions
  program.call<() => void>(x);
  // @ts-expect-error: results are tensors, lists of them or null
  await program.createSession().run<{ y: number }>(x);
  return [sum, product, a, logits, others, named as om.Tensor];
}

export function sizes(): om.DynamicShapes {
  const batch: om.Dim = new om.Dim('batch', { max: 8 });
  const other = om.Dim('other');
  if (!(other instanceof om.Dim)) return {};
  // @ts-expect-error: a name is needed
  new om.Dim();
  return { x: [batch, other.add(1)] };
}

export function lists(): number {
  const blocks = new om.nn.ModuleList([new om.nn.ReLU()]);
  const first: om.nn.Module | undefined = blocks.at(0);
  return [...blocks].length + blocks.length + (first ? 1 : 0);
}

export function defaults(x: om.Tensor, program: om.ExportedProgram, optimizer: om.optim.Optimizer): om.Tensor {
  let a = x.gather([0, 1]);
  const layers = new om.nn.ModuleList([new om.nn.Linear(2, 2)]);
  for (const layer of layers) a = layer.forward(a);
  const last: om.nn.Linear | undefined = layers.at(-1);
  const any: om.nn.ModuleList = layers;
  optimizer.step();
  const [y] = program.call<[om.Tensor, om.Tensor]>(a);
  return y
    .add(program.call(a))
    .add(program.module().forward(a))
    .mul(any.length + (last ? 1 : 0));
}

export function states(x: om.Tensor): om.Tensor {
  const [y, h, c] = new om.nn.LSTM(2, 2).forward(x);
  // @ts-expect-error: a GRU has no cell
  const [, , none] = new om.nn.GRU(2, 2).forward(x);
  return y
    .add(h)
    .add(c)
    .add(none as unknown as om.Tensor);
}

export function words(x: om.Tensor): om.Tensor {
  new om.nn.RNN(2, 2, { nonlinearity: 'relu' });
  new om.nn.Upsample({ mode: 'bilinear' });
  om.ops.pad(x, [0, 1], null, null, { mode: 'reflect' });
  om.ops.gather(x, [0, 1], { axis: 1 });
  // @ts-expect-error no such word
  new om.nn.RNN(2, 2, { nonlinearity: 'sigmoid' });
  // @ts-expect-error no such word
  new om.nn.Conv2d(1, 1, 3, { paddingMode: 'same' });
  // @ts-expect-error no such word
  om.nn.pad(x, [1, 1], { mode: 'edge' });
  // @ts-expect-error no such word
  om.ops.scatterND(x, x, x, { reduction: 'mean' });
  // @ts-expect-error values are no list
  om.ops.add(x, [1, 2]);
  const unary: (input: om.Tensor) => om.Tensor = new om.nn.Linear(2, 2).forward;
  // @ts-expect-error one input
  new om.nn.ReLU().forward(x, x);
  return unary(x);
}
