/** Words that may have been meant. */

/** How many letters have to be put in, left out, changed or swapped with the next one to make `b` of `a`. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(a.length, b.length);
}

/** A name without what spellings differ in: "keep_dims" and "keepdims" are one. */
const plain = (name: string) => name.replaceAll('_', '').toLowerCase();

/**
 * ": did you mean '--runs'?" for the nearest of `known`, or for what `elsewhere`, names that others have for them, says; ""
 * where none is near.
 */
export function guess(
  word: string,
  known: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): string {
  const [name, short] = [plain(word), word.slice(0, 100)];
  const near = known
    .map((each) => ({ each, far: plain(each) === name ? 0 : distance(short, each) }))
    .sort((a, b) => a.far - b.far)[0];
  const isNear = near && near.far <= Math.min(2, word.length / 3);
  const other = Object.hasOwn(elsewhere, word) ? (elsewhere[word] as string) : '';
  const meant = known.includes(other) ? other : isNear ? near.each : '';
  return meant && `: did you mean '${meant}'?`;
}
