/**
 * Reason why a figure cannot be computed: no values, a value that is not a number, too few values, or a wrong
 * parameter.
 */
export type StatsErrorReason = "empty" | "not-finite" | "too-few" | "bad-argument";

/** Error whose message is a sentence that names the argument, its value and the allowed values. */
export class StatsError extends Error {
  override readonly name = "StatsError";
  readonly reason: StatsErrorReason;

  constructor(reason: StatsErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Throws a `StatsError` unless there are `countMin` values, all finite. The message calls them `name`. */
export function requireValues(values: ArrayLike<number>, name: string, countMin = 1): void {
  if (values.length === 0 && countMin > 0) throw new StatsError("empty", `There are no ${name}.`);
  if (values.length < countMin) {
    throw new StatsError("too-few", `There are ${values.length} ${name}; at least ${countMin} are needed.`);
  }
  for (let i = 0; i < values.length; i += 1) {
    if (!Number.isFinite(values[i])) {
      throw new StatsError(
        "not-finite",
        `Value ${i} of the ${name} is ${values[i]}, which is not a finite number.`,
      );
    }
  }
}

/** Throws a `StatsError` unless `value` is within the bounds, inclusive. */
export function requireWithin(value: number, name: string, min: number, max: number): void {
  if (!(value >= min && value <= max)) {
    throw new StatsError("bad-argument", `${name} is ${value}; it must be from ${min} to ${max}.`);
  }
}

/** Checks like `requireWithin`, for integers. */
export function requireCount(value: number, name: string, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new StatsError(
      "bad-argument",
      `${name} is ${value}; it must be a whole number from ${min} to ${max}.`,
    );
  }
}
