// The part of docs/performance.md that reports quantised operators and normalisation.

import { aimsTable, milliseconds, missedAims, ratio, table } from './report.mjs';

const aimed = (measured) =>
  measured.map((each) => {
    const least = Math.min(...each.rows.map(({ ort, onemodel }) => ort / onemodel));
    return [`${each.variant}: the slowest case, times as fast as onnxruntime-web`, least, least >= 0.95, '≥ 0.95'];
  });

const comparison = (rows) =>
  table(
    ['Case', 'OneModel', 'onnxruntime-web', 'ort / OneModel'],
    rows.map(({ name, onemodel, ort }) => [name, milliseconds(onemodel), milliseconds(ort), ratio(ort, onemodel)]),
  );

/** What was measured as `text`, and the aims that were `missed`. `where` says on which machine and when; `measured` is what bench/quantised_node.mjs prints for each configuration. */
export function quantisedReport({ where, measured }) {
  const sections = measured.map((each) => `### ${each.variant}, 1 thread\n\n${comparison(each.rows)}\n`);
  const aims = aimed(measured);
  const text = `## Quantised operators and normalisation

Written by \`npm run bench -- quantised --write\` on ${where}.

Milliseconds in Node, measured as above. Weights are constant int8, and what is fed is uint8.

${aimsTable(aims)}

${sections.join('\n')}`;
  return { text, missed: missedAims(aims) };
}
