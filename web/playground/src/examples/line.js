import * as om from 'onemodel';

// Four points on y = 2x + 1 and one linear layer that finds 2 and 1.
om.manualSeed(42);
const x = om.tensor([[0], [1], [2], [3]]);
const y = om.tensor([[1], [3], [5], [7]]);

export const model = new om.nn.Linear(1, 1);
export const optimizer = new om.optim.SGD(model.parameters(), { lr: 0.05 });
export const steps = 200;

// One step of training; tensors made inside are freed when it returns.
export function trainStep() {
  const loss = om.nn.mseLoss(model.forward(x), y);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

// What Trace records: the first axis may have any size and is called "batch".
export const example = x;
export const axes = ['batch', null];

// What Export records: the same, as a contract on the sizes.
export const dynamicShapes = [[om.Dim('batch', { min: 1 }), null]];
