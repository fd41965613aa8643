/** What a value is, for error messages: "an array of length 2", "a number (1.5)", "Int8Array", "null". */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'number') return `a number (${value})`;
  if (typeof value === 'string' && value.length <= 20) return `a string ('${value}')`;
  return typeof value === 'object' ? (value.constructor?.name ?? 'an object') : `a ${typeof value}`;
}
