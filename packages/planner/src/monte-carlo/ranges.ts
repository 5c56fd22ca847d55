/** Inputs that are not known but for a range, and what chance makes of them. All are drawn independently of each other. */
import { z } from "zod";
import { boundsAt } from "../sizing/bounds.ts";
import type { InputProblem } from "../sizing/input.ts";
import type { StashPlanInput } from "../sizing/schema.ts";
import { type PlanVariable, planVariables, readVariable } from "../sizing/variables.ts";
import { figureInWords } from "../words.ts";

export const rangeShapes = ["uniform", "triangular", "log-uniform"] as const;
export type RangeShape = (typeof rangeShapes)[number];

const NUMBER = "Write a number.";
const VARIABLES_MAX = planVariables.length;

const rangeSchema = z
  .object({
    variable: z.enum(planVariables, "This input cannot be uncertain."),
    /** `log-uniform`: each factor is as likely as any other, for what is known to an order of magnitude. */
    shape: z.enum(rangeShapes, "A range is uniform, triangular or log-uniform."),
    low: z.number(NUMBER),
    /** The likeliest value, of a triangular range. */
    mode: z.number(NUMBER).optional(),
    high: z.number(NUMBER),
  })
  .superRefine(({ variable, shape, low, mode, high }, { addIssue }) => {
    const say = (field: "low" | "mode" | "high", message: string) =>
      addIssue({ code: "custom", path: [field], message });
    const bounds = boundsAt(variable);
    for (const [field, value] of [
      ["low", low],
      ["high", high],
    ] as const) {
      if (bounds !== null && (value < bounds.min || value > bounds.max)) {
        say(field, `This input is ${figureInWords(bounds.min)} to ${figureInWords(bounds.max)}.`);
      }
    }
    if (high < low) say("high", "A range ends at or above where it begins.");
    if (shape === "log-uniform" && low <= 0) say("low", "A log-uniform range begins above 0.");
    if (shape === "triangular" && mode === undefined)
      say("mode", "A triangular range needs a likeliest value.");
    if (shape === "triangular" && mode !== undefined && !(mode >= low && mode <= high)) {
      say("mode", "The likeliest value lies within the range.");
    }
  });

const rangesSchema = z
  .array(rangeSchema, "Ranges are a list.")
  .max(VARIABLES_MAX, `There are ${VARIABLES_MAX} inputs that can be uncertain.`)
  .superRefine((ranges, { addIssue }) => {
    ranges.forEach(({ variable }, at) => {
      if (ranges.findIndex((other) => other.variable === variable) < at) {
        addIssue({ code: "custom", path: [at, "variable"], message: "This input has a range already." });
      }
    });
  });

export type UncertainRange = z.infer<typeof rangeSchema>;

export type CheckedRanges =
  | { readonly ranges: readonly UncertainRange[]; readonly problems: readonly [] }
  | { readonly ranges: null; readonly problems: readonly InputProblem[] };

/** Problems have fields such as `0.low`. Never throws, whatever it is given. */
export function checkRanges(given: unknown): CheckedRanges {
  const { success, data, error } = rangesSchema.safeParse(given);
  if (success) return { ranges: data, problems: [] };
  const problems = error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  return {
    ranges: null,
    problems: problems.filter(({ field }, at) => problems.findIndex((other) => other.field === field) === at),
  };
}

/** From a share below to a share above what the input says, as far as the input may be so. */
export function rangeAround(input: StashPlanInput, variable: PlanVariable, share: number): UncertainRange {
  const value = readVariable(input, variable);
  const bounds = boundsAt(variable);
  const within = (wanted: number): number =>
    bounds === null ? wanted : Math.min(bounds.max, Math.max(bounds.min, wanted));
  const ends = [within(value * (1 - share)), within(value * (1 + share))];
  return { variable, shape: "uniform", low: Math.min(...ends), high: Math.max(...ends) };
}

/** The value of which a share of all lies below: the inverse of the distribution. `share` is 0 up to, but without, 1. */
export function quantileOf({ shape, low, mode = low, high }: UncertainRange, share: number): number {
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
