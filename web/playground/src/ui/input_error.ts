/** What was entered does not fit. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
