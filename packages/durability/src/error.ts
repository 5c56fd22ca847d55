/**
 * An input that no model is defined for. The message is a sentence that names the input, its value and the allowed
 * values.
 */
export class DurabilityError extends Error {
  override readonly name = "DurabilityError";
}

/** Throws unless `min <= value <= max`; NaN is refused. */
export function requireWithin(value: number, name: string, min: number, max: number): void {
  if (value >= min && value <= max) return;
  throw new DurabilityError(`${name} is ${value}; it must be from ${min} to ${max}.`);
}

/** Like `requireWithin`, for integers. */
export function requireCount(value: number, name: string, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new DurabilityError(`${name} is ${value}; it must be a whole number from ${min} to ${max}.`);
}
