/**
 * Asserts that a value exists where its type does not show it: an element within bounds, or a key that was set. The
 * caller reads the element itself, so that each call site has one shape and hot loops stay fast.
 */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === undefined || value === null) throw missing();
  return value;
}

const missing = (): Error => new Error("A value that must be there is missing.");
