/** Replaces `node:assert` in code that also runs in a browser: a violated precondition ends the call. */
export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new RangeError(message);
}
