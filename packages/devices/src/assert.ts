/** Replaces `node:assert` in code that also runs in a browser: a violated precondition throws a RangeError. */
export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new RangeError(message);
}
