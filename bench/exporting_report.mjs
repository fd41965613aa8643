// The part of docs/performance.md that reports exported programs.

import { aimsTable, milliseconds, missedAims, ratio, table } from './report.mjs';

/**
 * What was measured as `text`, and the aims that were `missed`. `where` says on which machine and when; `checks` are microseconds
 * by engine; `tokens` what bench/exporting_node.mjs prints.
 */
export function exportingReport({ where, checks, tokens }) {
  const aims = Object.entries(checks).map(([engine, check]) => [
    `checking the sizes of four inputs, ${engine}, µs`,
    check,
    check < 1,
    '< 1',
  ]);
  const [first, last] = [tokens[0], tokens.at(-1)];
  const growth = last.cached / first.cached;
  aims.push([
    `a token behind ${last.length} from the cache: times one behind ${first.length}`,
    growth,
    growth < 1.5,
    '< 1.5',
  ]);
  const rows = tokens.map((each) => [
    each.length,
    milliseconds(each.cached),
    milliseconds(each.anew),
    ratio(each.anew, each.cached),
  ]);
  const text = `## Exported programs

Written by \`npm run bench -- exporting --write\` on ${where}.

${aimsTable(aims)}

Milliseconds of a token of the transformer of \`examples/js/cached_model.mjs\` (two layers of width 64), one thread, simd, in sessions of
exported programs, by the number of tokens before it: from the keys and values in its buffers, and when the text is read anew.

${table(['Tokens before', 'cached', 'anew', 'anew / cached'], rows)}
`;
  return { text, missed: missedAims(aims) };
}
