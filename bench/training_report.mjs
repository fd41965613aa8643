// The part of docs/performance.md that reports the training.

import { aimsTable, milliseconds, missedAims, ratio, table } from './report.mjs';
import { mlpName } from './training_cases.mjs';

function aims(measured) {
  const out = measured.map(({ variant, rows }) => {
    const { tfjs, onemodel } = rows.find(({ name }) => name === mlpName);
    return [`${mlpName}, ${variant}: times as fast as tfjs-backend-wasm`, tfjs / onemodel, tfjs / onemodel >= 5, '≥ 5'];
  });
  for (const { variant, operator } of measured)
    out.push([`\`a.add(b).dispose()\` of 8 elements, ${variant}, µs`, operator, operator <= 3, '≤ 3']);
  for (const { variant, memory } of measured) {
    const grown = memory[1] - memory[0];
    out.push([`live bytes after 10,000 steps less those after 1,000, ${variant}`, grown, grown === 0, '= 0']);
  }
  return out;
}

const theirs = ({ tfjs, lacking }) => (lacking ? `lacks ${lacking}` : milliseconds(tfjs));

const steps = (rows) =>
  table(
    ['Case', 'OneModel', 'tfjs-backend-wasm', 'tfjs / OneModel'],
    rows.map((row) => [row.name, milliseconds(row.onemodel), theirs(row), ratio(row.tfjs, row.onemodel)]),
  );

/**
 * What was measured as `text`, and the aims that were `missed`. `where` says on which machine and when; `measured` is what
 * bench/training_node.mjs prints for each variant.
 */
export function trainingReport({ where, measured }) {
  const aimed = aims(measured);
  const sections = measured.map(({ variant, rows }) => `### ${variant}, 1 thread\n\n${steps(rows)}\n`);
  const text = `## Training

Written by \`npm run bench -- training --write\` on ${where}.

Milliseconds of one step in Node: forward, cross entropy, backward, Adam, and the loss read by JavaScript. Both libraries
start from the same weights and take turns in one process; their losses after ten steps agree.

${aimsTable(aimed)}

${sections.join('\n')}`;
  return { text, missed: missedAims(aimed) };
}
