/** What `node:assert` does, for code that also runs in a browser: a broken promise of the caller's ends the call. */
export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new RangeError(message);
}
