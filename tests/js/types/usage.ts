// What the package's types allow and refuse; compiled by `scripts/lint`, never run.

import * as om from 'onemodel';

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
  const extents: om.Extent[] = session.inputs[0]?.shape ?? [];
  om.ops.softmax(x, { axis: 1 });
  om.ops.concat([x, x], { axis: 0 });
  om.trace((a, b) => ({ sum: a.add(b) }), { a: x, b: x }, { axes: { a: { 0: 'n' } }, outputNames: ['sum'] });
  return extents.length + environment.threads + (results.output?.size ?? 0);
}

export function refusals(x: om.Tensor): void {
  // @ts-expect-error a required attribute is missing
  om.ops.concat([x]);
  // @ts-expect-error no such dtype
  x.cast('complex64');
  // @ts-expect-error attributes have types
  om.ops.softmax(x, { axis: 'last' });
  // @ts-expect-error no such variant
  om.init({ variant: 'mmx' });
  // @ts-expect-error kernel_size is required
  new om.nn.Conv2d(1, 2);
  // @ts-expect-error the shape cannot be changed
  x.shape[0] = 2;
  // @ts-expect-error a tensor is not made by its constructor alone
  new om.Tensor('x');
}
