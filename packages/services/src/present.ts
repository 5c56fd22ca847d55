/**
 * The value itself, where it is known to be there and only its type does not say so: an element within bounds, or a key
 * that was set. The caller reads the element itself, so that each place has one shape and hot loops stay fast.
 */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === undefined || value === null) throw missing();
  return value;
}

const missing = (): Error => new Error("A value that must be there is missing.");
