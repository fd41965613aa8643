/** Text for a terminal: colour, columns, numbers. */

function wantsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  return Boolean(FORCE_COLOR && FORCE_COLOR !== '0') || (process.stdout.isTTY === true && TERM !== 'dumb');
}

const isColoured = wantsColour();

const painted = (on: number, off: number) => (text: string) =>
  isColoured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;

/** Colours and weights; plain text when the output is no terminal. */
export const style = {
  bold: painted(1, 22),
  dim: painted(2, 22),
  red: painted(31, 39),
  green: painted(32, 39),
  yellow: painted(33, 39),
  cyan: painted(36, 39),
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: what `painted` writes
const escapes = /\u001b\[\d+m/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
const controls = /(\u001b\[\d+m)|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** The text without what a terminal would obey, but colours and ends of lines: names come from files that anyone made. */
export const printable = (text: string): string =>
  text.replace(controls, (_, colour: string | undefined) => (isColoured && colour) || '\ufffd');

/** How many characters of a text are seen. */
const widthOf = (text: string) => [...text.replace(escapes, '')].length;

/** How a column's cells stand. */
export type Align = 'left' | 'right';

function padded(cell: string, width: number, align: Align): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(cell)));
  return align === 'left' ? cell + space : space + cell;
}

/** Rows, one line each, with their cells below one another, two spaces between; left by default. */
export function columns(given: readonly (readonly string[])[], align: readonly Align[] = []): string {
  const rows = given.map((row) => row.map((cell) => cell.replaceAll('\n', '\ufffd')));
  const most = rows.reduce((length, row) => Math.max(length, row.length), 0);
  const widths = Array.from({ length: most }, (_, i) => Math.max(0, ...rows.map((row) => widthOf(row[i] ?? ''))));
  return rows
    .map((row) => row.map((cell, i) => padded(cell, widths[i] as number, align[i] ?? 'left')).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Columns below a head, indented. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly Align[] = [],
): string {
  return indented(columns([head.map(style.dim), ...rows], align));
}

/** Every line two spaces further in. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** A heading with what belongs to it below. */
export const section = (heading: string, body: string): string => `${style.bold(heading)}\n${body}`;

/** A heading with names and what they stand for below. */
export const factSection = (heading: string, facts: readonly (readonly [string, string])[]): string =>
  section(heading, indented(columns(facts.map(([name, fact]) => [style.dim(name), fact]))));

const separated = new Intl.NumberFormat('en');

/** 12345 as "12,345". */
export const count = (value: number): string => separated.format(value);

/** "1 node", "12,345 nodes". */
export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** 12345678 as "12.3 MB". */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${(value / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** A number with up to six significant digits. */
export const number = (value: number | null): string => (value === null ? '-' : String(Number(value.toPrecision(6))));
