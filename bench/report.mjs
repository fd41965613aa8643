// The parts of docs/performance.md that report the inference.

export const milliseconds = (value) => (value === undefined ? '–' : value.toFixed(value < 1 ? 3 : 2));
export const ratio = (theirs, ours) => (theirs === undefined ? '–' : (theirs / ours).toFixed(2));

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

function comparison(rows, withNative) {
  const others = ['ort', 'tfjs', ...(withNative ? ['native'] : [])];
  const names = { ort: 'onnxruntime-web', tfjs: 'tfjs-backend-wasm', native: 'OneModel natively' };
  return table(
    ['Case', 'OneModel', ...others.map((each) => names[each]), ...others.map((each) => `${each} / OneModel`)],
    rows.map((row) => [
      row.name,
      milliseconds(row.onemodel),
      ...others.map((each) => milliseconds(row[each])),
      ...others.map((each) => ratio(row[each], row.onemodel)),
    ]),
  );
}

/** A table of aims: [what, measured, whether it is met, the bound]. */
export const aimsTable = (rows) =>
  table(
    ['Aim', 'measured', 'bound', 'met'],
    rows.map(([what, value, met, bound]) => [what, value.toFixed(2), bound, met ? 'yes' : '**no**']),
  );

/** Those that are not met, in words. */
export const missedAims = (rows) =>
  rows.filter(([, , met]) => !met).map(([what, value, , bound]) => `${what}: ${value.toFixed(2)}, expected ${bound}`);

/** What the engine is held to: rows of `aimsTable`. */
function aims({ measured, startup, sizes }) {
  const speedup = (variant, where, name) => {
    const row = measured.find((each) => each.variant === variant)[where].find((each) => each.name === name);
    return row.ort / row.onemodel;
  };
  const out = [];
  for (const name of ['matrix product 512', 'matrix product 1024', 'convolution 3×3, 64→64, 56×56']) {
    for (const [variant, where, least] of [
      ['relaxed', 'node', 1.5],
      ['relaxed', 'chromium', 1.3],
      ['simd', 'node', 0.95],
    ]) {
      const value = speedup(variant, where, name);
      out.push([
        `${name}, ${variant}, one thread, ${where}: times as fast as onnxruntime-web`,
        value,
        value >= least,
        `≥ ${least}`,
      ]);
    }
  }
  const overhead = Math.max(...measured.filter(({ threads }) => threads === 1).map((each) => each.overhead));
  out.push(['`run` of one node, one thread, µs', overhead, overhead <= 15, '≤ 15']);
  out.push(['`init` and the session of a small model, ms', startup.onemodel, startup.onemodel <= 150, '≤ 150']);
  const heaviest = Math.max(...Object.values(sizes).map(({ brotli }) => brotli)) / 1e6;
  out.push(['largest module with its loader, MB of brotli', heaviest, heaviest <= 0.8, '≤ 0.8']);
  return out;
}

/** What was measured as `text`, and the aims that were `missed`. */
export function report(results) {
  const { where, measured, startup } = results;
  const rows = aims(results);
  const sections = measured.map(({ variant, threads, node: rows, chromium }) => {
    const title = `${variant}, ${threads} thread${threads > 1 ? 's' : ''}`;
    return `## ${title}\n\nNode:\n\n${comparison(rows, true)}\n\nChromium:\n\n${comparison(chromium, false)}\n`;
  });
  const text = `# Performance

Written by \`npm run bench -- --write\` on ${where}.

Milliseconds: medians of runs in turns in one process or page, from an input at hand to the values in JavaScript; of two
processes or pages, the better median of each engine. Ratios above 1 mean that OneModel is faster. Absolute times move
from machine to machine and from moment to moment, ratios by about a tenth. In Node, tfjs has one thread.

## Aims

${aimsTable(rows)}

Starting onnxruntime-web with the same model: ${startup.ort.toFixed(0)} ms.

${sections.join('\n')}`;
  return { text, missed: missedAims(rows) };
}
