import type { LiveInputs } from "@stashlight/contracts";
import { rangeAround, type Sensitivity, type StashPlanInput, type UncertainRange } from "@stashlight/planner";

export interface OwnedRange {
  readonly range: UncertainRange;
  /** Whose it is, for the table. */
  readonly source: string;
}

const RANGES_MAX = 8;

const liveFields = {
  uploadsPerSecond: "uploadsPerSecond",
  residenceSecondsMean: "residenceSecondsMean",
  residenceSecondsP99: "residenceSecondsP99",
  shardsPerCommit: "shardsPerCommit",
  "drive.fsyncPerSecond": "fsyncPerSecond",
  growthPerYear: "growthPerYear",
} as const;

interface RangesOfOptions {
  readonly input: StashPlanInput;
  /** Of its answer, the strongest first. */
  readonly sensitivities: readonly Sensitivity[];
  readonly share: number;
  readonly live: LiveInputs | undefined;
  readonly fromFleet: ReadonlySet<string>;
}

/** A range for each of the inputs that move the answer most: the fleet's, where the figure is the fleet's too. */
export function rangesOf({ input, sensitivities, share, live, fromFleet }: RangesOfOptions): OwnedRange[] {
  return sensitivities.slice(0, RANGES_MAX).map(({ variable, value }): OwnedRange => {
    const around = rangeAround(input, variable, share);
    const name = variable in liveFields ? liveFields[variable as keyof typeof liveFields] : undefined;
    const told = name === undefined || !fromFleet.has(variable) ? null : (live?.[name].figure?.range ?? null);
    // A range that its own figure is outside of, such as that of parts of a time, is not one of this input.
    if (told === null || !(told.low <= value && value <= told.high) || told.low <= 0) {
      return { range: around, source: `± ${Number((share * 100).toPrecision(3))} %` };
    }
    return {
      range: { variable, shape: "triangular", low: told.low, mode: value, high: told.high },
      source: `fleet, ${told.over}`,
    };
  });
}
