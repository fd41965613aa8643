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

const page = `# Modules, functions, optimizers and schedules

Written by \`scripts/generate\` from the declarations in \`src/nn\`. How they are used: [training](training.md);
what they take: [tensors](tensors.md).

Names and defaults are PyTorch's. In JavaScript arguments without a default come first, by position, the others as one
object: \`new om.nn.Conv2d(1, 8, 3, { padding: 1 })\`. In C++ they are members of a struct, in snake_case:
\`nn::Conv2d({.in_channels = 1, .out_channels = 8, .kernel_size = 3, .padding = 1})\`. In brackets: what may be left out and has no
default.

## Modules

\`om.nn.NAME\` and \`nn::NAME\`.

${classTable(classesIn(read('modules.ts')))}

Besides, with children instead of arguments: \`Sequential\` runs modules one after the other; \`ModuleList\` and \`ModuleDict\`
(JavaScript) hold some that their owner calls, in order or by name; \`TransformerEncoder\` and \`TransformerDecoder\` run copies of
a layer one after the other, \`new om.nn.TransformerEncoder(layer, 6, { norm: new om.nn.LayerNorm(64) })\`, and \`Transformer\` is
an encoder and a decoder, with PyTorch's options; \`Module\` is what modules of your own extend, where \`parameter\` (JavaScript) makes a field that is trained
and \`registerBuffer\` (\`register_buffer\`) one that is saved only. \`dropout\` (JavaScript) is \`Dropout\` as a function.

Convolutions, pools, instance normalisation, recurrent layers, attention and transformer layers also take inputs without a batch,
and then give results without one.

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
