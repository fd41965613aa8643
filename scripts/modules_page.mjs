// Writes docs/modules.md below FOLDER: modules, losses and other functions, optimizers and schedules with their arguments, as the TypeScript
// that was generated from their declarations has them.
//   node scripts/modules_page.mjs FOLDER

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const read = (name) => readFileSync(join(folder, 'web/src/generated', name), 'utf8');

/** Options with their defaults: `/** share that is kept; 0.1. *\/ gamma?: number;`. */
function optionsIn(text) {
  const found = [...text.matchAll(/\/\*\* ((?:(?!\*\/).)*?); ((?:(?!\*\/|; ).)*)\. \*\/\s*(\w+)\?: /g)];
  return found.map(([, , initial, name]) => (initial === 'none' ? `[${name}]` : `${name} = ${initial}`));
}

/** A class's arguments by position, then its options. */
function argumentsOf(text) {
  const signature = /constructor\(([\s\S]*?)\) \{/.exec(text)?.[1] ?? '';
  const [positional, options = ''] = signature.split(/options\b/);
  const names = [...positional.matchAll(/(\w+): /g)].map(([, name]) => name);
  return [...names.filter((name) => name !== 'optimizer'), ...optionsIn(options)];
}

function classesIn(text) {
  const found = text.matchAll(/\/\*\* (.*?) \*\/\nexport class (\w+) extends (\w+)[\s\S]*?\n\}\n/g);
  return [...found].map(([whole, doc, name, base]) => ({ doc, name, base, args: argumentsOf(whole) }));
}

/** `name?` may be left out. */
const inputsIn = (list) =>
  list
    .replaceAll("'", '')
    .split(/,\s*/)
    .filter(Boolean)
    .map((name) => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : name.replace('[]', '')));

function functionsIn(text) {
  const names = [...text.matchAll(/name: '(\w+)',\s*inputs: \[((?:'[^']*'(?:,\s*)?)*)\]/g)];
  const functions = [...text.matchAll(/\/\*\*\n \* (.*)[\s\S]*?export function (\w+)\([\s\S]*?\n\}\n/g)];
  return functions.map(([whole, doc, name], i) => {
    const [, native, inputs] = names[i];
    const required = /, \{ ([\w, ]+) \},?\s*\);\n\}\n$/.exec(whole)?.[1].split(', ') ?? [];
    return { doc, name, native, args: [...inputsIn(inputs), ...required, ...optionsIn(whole)] };
  });
}

const optimizersText = read('optimizers.ts');

/** What an optimizer takes is an interface of its own. */
function optimizerOf({ name, doc }) {
  const options = new RegExp(`interface ${name}Options \\{[^}]*\\}`).exec(optimizersText)[0];
  return { name, doc, args: optionsIn(options) };
}

const classes = classesIn(optimizersText);
const schedules = classes.filter(({ base }) => base === 'LRScheduler');
const optimizers = classes.filter((each) => !schedules.includes(each)).map(optimizerOf);

const lossModules = classesIn(read('losses.ts'));

const code = (texts) => texts.map((text) => `\`${text}\``).join(', ');
const cell = (text) => text.replaceAll('|', '\\|');
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
const classTable = (rows) =>
  table(
    ['Name', 'Arguments', 'What it is'],
    rows.map(({ name, args, doc }) => [`\`${name}\``, code(args), doc]),
  );

/** What the modules take that do not have one input and one output: inputs by position, and results. */
const calls = {
  RNN: [['x', '[h]', '[lengths]'], '[y, h]'],
  GRU: [['x', '[h]', '[lengths]'], '[y, h]'],
  LSTM: [['x', '[h, c]', '[lengths]'], '[y, h, c]'],
  RNNCell: [['x', '[h]'], 'h'],
  GRUCell: [['x', '[h]'], 'h'],
  LSTMCell: [['x', '[h, c]'], '[h, c]'],
  MultiheadAttention: [['query', 'key', 'value', '[keyPaddingMask]', '[attnMask]'], "y of the query's shape"],
  TransformerEncoderLayer: [['src', '[srcMask]', '[srcKeyPaddingMask]'], "y of src's shape"],
  TransformerDecoderLayer: [
    ['tgt', 'memory', '[tgtMask]', '[memoryMask]', '[tgtKeyPaddingMask]', '[memoryKeyPaddingMask]'],
    "y of tgt's shape",
  ],
};
calls.TransformerEncoder = calls.TransformerEncoderLayer.with(0, ['src', '[mask]', '[srcKeyPaddingMask]']);
calls.TransformerDecoder = calls.TransformerDecoderLayer;
calls.Transformer = [
  ['src', 'tgt', ...['src', 'tgt', 'memory'].map((name) => `[${name}Mask]`)].concat(
    ['src', 'tgt', 'memory'].map((name) => `[${name}KeyPaddingMask]`),
  ),
  "y of tgt's shape",
];

const modules = classesIn(read('modules.ts'));
const ofSeveral = modules.filter(({ base }) => base !== 'NativeLayer').map(({ name }) => name);
const stacks = ['TransformerEncoder', 'TransformerDecoder', 'Transformer'];
const callRows = [...ofSeveral, ...stacks].map((name) => {
  if (!calls[name]) throw new Error(`scripts/modules_page.mjs does not say what forward of ${name} takes`);
  const [inputs, results] = calls[name];
  return [`\`${name}\``, code(inputs), results];
});

const forward = `### What forward takes

\`model.forward(x)\`, in C++ \`model(x)\`. Where the table says nothing a module takes one tensor and gives
one of the same shape.

${table(
  ['Module', 'Input', 'Output'],
  [
    ['`Linear`', '[…, inFeatures]', '[…, outFeatures]'],
    [
      '`Conv1d`, `Conv2d`, `Conv3d` and their transposes',
      '[batch, inChannels, …] with 1, 2 or 3 more axes',
      '[batch, outChannels, …]',
    ],
    [
      '`PixelShuffle`',
      '[batch, channels, height, width]',
      '[batch, channels / r², r * height, r * width] of upscaleFactor r',
    ],
    ['`Unflatten`', 'any', 'with the axis dim as unflattenedSize'],
    ['pads', '[batch, channels, …] with as many more axes as the name says', 'longer by their amounts'],
    ['pools, `Upsample`', '[batch, channels, …] with as many more axes as the name says', '[batch, channels, …]'],
    ['`BatchNorm…`, `InstanceNorm…`, `GroupNorm`', '[batch, channels, …]', 'the same'],
    ['`LayerNorm`, `RMSNorm`', '[…, normalizedShape]', 'the same'],
    ['`Embedding`', 'indices, int64 or int32 […]', '[…, embeddingDim]'],
    ['`Flatten`', 'any', 'with the axes from startDim to endDim as one'],
    ['`GLU`', 'any, with an even extent of dim', 'with half of that'],
  ],
)}

Several inputs are given by position, in JavaScript as arguments (\`lstm.forward(x, h, c)\`, null for one that is left out), in C++ as a
span (\`lstm(std::vector<Tensor>{x, h, c})\`, \`Tensor()\` for one that is left out). Several outputs come as a list.

${table(['Module', 'Inputs', 'Result'], callRows)}

- Sequences are [steps, batch, features], or [batch, steps, features] with \`batchFirst\`.
- Recurrent layers: y is [steps, batch, directions * hiddenSize], as the input is laid out; the states h and c, given and returned, are
  [numLayers * directions, batch, hiddenSize], zeros when they are left out. \`lengths\`, int64 or int32 [batch], says how many steps each
  row has: y is 0 after them, and the last states are those of the row's last step.
- Cells do one step: x is [batch, inputSize], the states [batch, hiddenSize].
- Attention: key and value are [S, batch, …] to a query of [L, batch, embedDim]; a query alone is all three. A padding mask is
  [batch, S], an attention mask [L, S], [batch, L, S] or [batch * heads, L, S]; bool masks are true where a key must not be seen, others
  are added to the scores. In JavaScript masks may also be named after the value, \`{ attnMask, needWeights: true }\`, which asks for the
  weights: \`[y, weights]\`, [batch, L, S] or, with \`averageAttnWeights: false\`, [batch, heads, L, S]; in C++ \`with_weights\`.
`;

const shapes = `Losses give a scalar, or with \`reduction = "none"\` every single loss. What they compare:

- element by element (\`mseLoss\`, \`l1Loss\`, \`smoothL1Loss\`, \`huberLoss\`, \`binaryCrossEntropy…\`, \`klDiv\`): target and input of one shape;
  weights broadcast to it. \`klDiv\` takes logarithms of probabilities.
- \`crossEntropy\`: scores [batch, classes, …] with classes, int64 or int32 [batch, …], or with probabilities of the scores' shape;
  \`nllLoss\`: logarithms of probabilities with classes. \`weight\` is [classes].
- \`ctcLoss\`: logProbs [steps, batch, classes]; targets [batch, labels], or all labels one after another; the lengths are lists of
  numbers, one for each row.
`;

const page = `# Modules, functions, optimizers and schedules

Written by \`scripts/generate\` from the declarations in \`src/nn\`. How they are used: [training](training.md);
what they take: [tensors](tensors.md).

Names and defaults are PyTorch's. In JavaScript arguments without a default come first, by position, the others as one
object: \`new om.nn.Conv2d(1, 8, 3, { padding: 1 })\`. In C++ they are members of a struct, in snake_case:
\`nn::Conv2d({.in_channels = 1, .out_channels = 8, .kernel_size = 3, .padding = 1})\`. In brackets: what may be left out and has no
default.

## Modules

\`om.nn.NAME\` and \`nn::NAME\`.

${classTable(modules)}

Besides, with children instead of arguments: \`Sequential\` runs modules one after the other; \`ModuleList\` and \`ModuleDict\`
(JavaScript) hold some that their owner calls, in order or by name; \`TransformerEncoder\` and \`TransformerDecoder\` run copies of
a layer one after the other, \`new om.nn.TransformerEncoder(layer, 6, { norm: new om.nn.LayerNorm(64) })\`, and \`Transformer\` is
an encoder and a decoder, with PyTorch's options; \`Module\` is what modules of your own extend, where \`parameter\` (JavaScript) makes a field that is trained
and \`registerBuffer\` (\`register_buffer\`) one that is saved only. \`dropout\` (JavaScript) is \`Dropout\` as a function; \`relu\`, \`sigmoid\`, \`tanh\`, \`softmax\` and
\`logSoftmax\` (JavaScript) are the methods of tensors as functions.

Convolutions, pools, instance normalisation, recurrent layers, attention and transformer layers also take inputs without a batch,
and then give results without one.

${forward}
## Losses and other functions

${table(
  ['JavaScript', 'C++', 'Arguments', 'What it is'],
  functionsIn(read('functional.ts')).map(({ name, native, args, doc }) => [
    `\`om.nn.${name}\``,
    `\`nn::${native}\``,
    code(args),
    doc.replace(/\.$/, ''),
  ]),
)}

Losses are modules too: ${lossModules.map(({ name }) => `\`${name}\``).join(', ')} take the function's options and hold tensors
among them as buffers.

${shapes}
## Optimizers

\`om.optim.NAME\` and \`nn::NAME\`, of parameters or of groups of them. All are an \`Optimizer\`.

${classTable(optimizers)}

Before a step, \`om.nn.clipGradNorm\` (\`nn::clip_grad_norm\`) and \`om.nn.clipGradValue\` (\`nn::clip_grad_value\`) bound gradients.

## Schedules

\`om.optim.NAME\` and \`nn::NAME\`, of an optimizer.

${classTable(schedules)}
`;

mkdirSync(join(folder, 'docs'), { recursive: true });
writeFileSync(join(folder, 'docs/modules.md'), page);
