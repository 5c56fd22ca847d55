/** Inputs that are known only as a range, and their random draws, which are all independent. */

import type { InputProblem } from "../sizing/input.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import { type Refuse, readNumber } from "../sizing/read-plan-input.ts";
import { boundsAt, numberRowAt } from "../sizing/table.ts";
import { type PlanVariable, planVariables, readVariable } from "../sizing/variables.ts";

export const rangeShapes = ["uniform", "triangular", "log-uniform"] as const;
export type RangeShape = (typeof rangeShapes)[number];

export interface UncertainRange {
  variable: PlanVariable;
  /** `log-uniform`: equal factors are equally likely, for inputs known to an order of magnitude. */
  shape: RangeShape;
  low: number;
  /** Likeliest value of a triangular range. */
  mode?: number | undefined;
  high: number;
}

/** Default spread around an input without a given range. */
export const AROUND_SHARE_DEFAULT = 0.2;
export const AROUND_SHARE_MAX = 0.9;

export type CheckedRanges =
  | { readonly ranges: readonly UncertainRange[]; readonly problems: readonly [] }
  | { readonly ranges: null; readonly problems: readonly InputProblem[] };

/** Returns the first problem of each field, under names such as `0.low`. Never throws for any input. */
export function checkRanges(given: unknown): CheckedRanges {
  if (!Array.isArray(given))
    return { ranges: null, problems: [{ field: "", message: "Ranges must be a list." }] };
  const byField = new Map<string, InputProblem>();
  const variables = new Set<unknown>();
  const ranges = given.flatMap((part: unknown, at) => {
    if (isOfChoice(part)) return [];
    const refuse: Refuse = (name, message) => {
      const field = `${at}.${name}`;
      if (!byField.has(field)) byField.set(field, { field, message });
    };
    const range = readRange(part, refuse);
    if (variables.has(range.variable)) refuse("variable", "This input already has a range.");
    variables.add(range.variable);
    return [range];
  });
  if (byField.size > 0) return { ranges: null, problems: [...byField.values()] };
  return { ranges: ranges as UncertainRange[], problems: [] };
}

/**
 * Old plans may have a range for the drives per server, which used to be drawn. That number is a choice of the plan,
 * like the scheme, so such a range is dropped.
 */
function isOfChoice(given: unknown): boolean {
  return (given as { variable?: unknown } | null)?.variable === "drivesPerServer";
}

/** The result is valid only if nothing was refused. */
function readRange(given: unknown, refuse: Refuse): Partial<UncertainRange> {
  const { variable, shape, low, mode, high } = (given ?? {}) as Record<string, unknown>;
  if (!planVariables.includes(variable as PlanVariable)) {
    refuse("variable", "This input cannot have a range.");
  }
  if (!rangeShapes.includes(shape as RangeShape)) {
    refuse("shape", "A range must be uniform, triangular or log-uniform.");
  }
  const { min, max, outOfBounds } = numberRowAt(String(variable)) ?? {
    min: -Infinity,
    max: Infinity,
    outOfBounds: "",
  };
  const rule = { min, max, outOfBounds, default: 0 };
  const from = readNumber(low, rule, (message) => refuse("low", message));
  const to = readNumber(high, rule, (message) => refuse("high", message));
  if (from !== null && to !== null && to < from) refuse("high", "A range must not end below its beginning.");
  if (shape === "log-uniform" && from !== null && from <= 0) {
    refuse("low", "A log-uniform range must begin above 0.");
  }
  const range = { variable, shape, low, high } as UncertainRange;
  if (shape !== "triangular") return range;
  if (typeof mode !== "number" || Number.isNaN(mode))
    refuse("mode", "A triangular range needs a likeliest value.");
  else if (from !== null && to !== null && !(mode >= from && mode <= to)) {
    refuse("mode", "The likeliest value must be within the range.");
  }
  return { ...range, mode: mode as number };
}

/** Returns the range from a share below to a share above the input's value, within the input's bounds. */
export function rangeAround(input: StashPlanInput, variable: PlanVariable, share: number): UncertainRange {
  const value = readVariable(input, variable);
  const bounds = boundsAt(variable);
  const within = (wanted: number): number =>
    bounds === null ? wanted : Math.min(bounds.max, Math.max(bounds.min, wanted));
  const ends = [within(value * (1 - share)), within(value * (1 + share))];
  return { variable, shape: "uniform", low: Math.min(...ends), high: Math.max(...ends) };
}

/**
 * Returns the value that this share of all values is below: the inverse of the distribution. `share` is from 0 to below
 * 1.
 */
export function rangeQuantile({ shape, low, mode = low, high }: UncertainRange, share: number): number {
  switch (shape) {
    case "uniform":
      return low + share * (high - low);
    case "log-uniform":
      return low * (high / low) ** share;
    case "triangular": {
      if (high === low) return low;
      const below = (mode - low) / (high - low);
      return share < below
        ? low + Math.sqrt(share * (high - low) * (mode - low))
        : high - Math.sqrt((1 - share) * (high - low) * (high - mode));
    }
  }
}
