// The example of README.md, whose text must be this file's from the first import on (tests/js/readme.test.mjs).
import * as om from 'onemodel';

await om.init();
om.manualSeed(1);

const x = om.tensor([0, 0, 0, 1, 1, 0, 1, 1]).reshape([4, 2]);
const y = om.tensor([0, 1, 1, 0]).reshape([4, 1]);
const model = new om.nn.Sequential(new om.nn.Linear(2, 16), new om.nn.Tanh(), new om.nn.Linear(16, 1));
const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.05 });

for (let step = 0; step < 300; step++) {
  om.scope(() => {
    const loss = om.nn.mseLoss(model.forward(x), y);
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
  });
}

const traced = om.trace(model, x, { axes: ['batch', null] });
const session = await om.Session.load(traced.toOnnx()); // or write the bytes to a file
const { output } = await session.run({ input: om.tensor([[1, 0]]) });
console.log(JSON.stringify(output.toArray())); // near [[1]]
