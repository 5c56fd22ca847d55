/** Ranges of uncertain inputs: given by the user, or else the fleet's, or else a share around the value. */
import type { LiveInputs } from "@stashlight/contracts/planner";
import {
  checkRanges,
  formatFigure,
  type InputProblem,
  type PlanVariable,
  type RangeShape,
  rangeAround,
  type Sensitivity,
  type StashPlanInput,
  type UncertainRange,
} from "@stashlight/planner";
import { findField, shownAs, storedAs } from "./draft.ts";

/** Text of the fields while the user types. */
export interface RangeDraft {
  readonly shape: RangeShape;
  readonly low: string;
  readonly mode: string;
  readonly high: string;
}

export type RangeDrafts = Readonly<Partial<Record<PlanVariable, RangeDraft>>>;

export interface RangeRow {
  readonly variable: PlanVariable;
  /** The range in use; a bound is NaN where its text is not a number. */
  readonly range: UncertainRange;
  readonly draft: RangeDraft;
  readonly origin: "given" | "fleet" | "around";
  /** Source of the range, for the table. */
  readonly source: string;
}

const RANGES_MAX = 8;
/** Significant digits of a range. */
const DIGITS = 4;

const liveFields = {
  uploadsPerSecond: "uploadsPerSecond",
  residenceSecondsMean: "residenceSecondsMean",
  residenceSecondsP99: "residenceSecondsP99",
  shardsPerCommit: "shardsPerCommit",
  "drive.fsyncPerSecond": "fsyncPerSecond",
  growthPerYear: "growthPerYear",
} as const;

const variableFactor = (variable: PlanVariable) => findField(variable) ?? { factor: 1 };

export interface RangeRowsOptions {
  readonly input: StashPlanInput;
  /** Sensitivities of the plan's answer, strongest first. */
  readonly sensitivities: readonly Sensitivity[];
  readonly share: number;
  readonly live: LiveInputs | undefined;
  readonly fromFleet: ReadonlySet<string>;
  readonly given: RangeDrafts;
}

/** One row for each given range, and for each of the inputs with the most influence on the answer. */
export function prepareRangeRows(options: RangeRowsOptions): RangeRow[] {
  const { sensitivities, given } = options;
  const strongest = sensitivities.slice(0, RANGES_MAX);
  const others = (Object.keys(given) as PlanVariable[]).filter((variable) =>
    strongest.every((each) => each.variable !== variable),
  );
  return [
    ...strongest.map(
      ({ variable, value }) => givenRow(variable, given) ?? automaticRow(options, variable, value),
    ),
    ...others.flatMap((variable) => givenRow(variable, given) ?? []),
  ];
}

function givenRow(variable: PlanVariable, given: RangeDrafts): RangeRow | null {
  const draft = given[variable];
  if (draft === undefined) return null;
  const numberIn = (text: string): number => storedAs(variableFactor(variable), text);
  const { shape, low, mode, high } = draft;
  const ends = { variable, shape, low: numberIn(low), high: numberIn(high) };
  const range = shape === "triangular" ? { ...ends, mode: numberIn(mode) } : ends;
  return { variable, range, draft, origin: "given", source: "given" };
}

/** Uses the fleet's range if the value is the fleet's too. */
function automaticRow(
  { input, share, live, fromFleet }: RangeRowsOptions,
  variable: PlanVariable,
  value: number,
): RangeRow {
  const name = variable in liveFields ? liveFields[variable as keyof typeof liveFields] : undefined;
  const told = name === undefined || !fromFleet.has(variable) ? null : (live?.[name].figure?.range ?? null);
  // Ignores a range that excludes its own value, such as one over parts of a period.
  if (told === null || !(told.low <= value && value <= told.high) || told.low <= 0) {
    const range = rangeAround(input, variable, share);
    const source = `± ${Number((share * 100).toPrecision(3))} %`;
    return { variable, range, draft: toDraft(range), origin: "around", source };
  }
  // All three are rounded the same way, so they stay in order, and a plan stores the values shown.
  const [low = 0, mode, high = 0] = [told.low, value, told.high].map((end) =>
    Number(end.toPrecision(DIGITS)),
  );
  const range: UncertainRange = { variable, shape: "triangular", low, mode, high };
  return { variable, range, draft: toDraft(range), origin: "fleet", source: `fleet, ${told.over}` };
}

function toDraft({ variable, shape, low, mode, high }: UncertainRange, digits = DIGITS): RangeDraft {
  const shown = (stored: number): string =>
    shownAs(variableFactor(variable), Number(stored.toPrecision(digits)));
  return { shape, low: shown(low), mode: mode === undefined ? "" : shown(mode), high: shown(high) };
}

/** Returns no ranges if the saved ones have an older format that is no longer valid. */
export function toDrafts(saved: unknown): RangeDrafts {
  const ranges = checkRanges(saved).ranges ?? [];
  return Object.fromEntries(ranges.map((range) => [range.variable, toDraft(range, 15)]));
}

export interface CheckedRows {
  /** Null while one of the ranges is invalid. */
  readonly ranges: readonly UncertainRange[] | null;
  readonly problemOf: (row: number, leaf: keyof RangeDraft) => string | undefined;
}

export function checkRows(rows: readonly RangeRow[]): CheckedRows {
  const { ranges, problems } = checkRanges(rows.map(({ range }) => range));
  const all: readonly InputProblem[] = problems;
  return {
    ranges,
    problemOf: (row, leaf) => all.find(({ field }) => field === `${row}.${leaf}`)?.message,
  };
}

/** Ranges that a plan stores: those that cannot be computed again when it is opened. */
export const rangesToSave = (rows: readonly RangeRow[]): UncertainRange[] =>
  rows.filter(({ origin }) => origin !== "around").map(({ range }) => range);

export const givenRanges = (rows: readonly RangeRow[]): UncertainRange[] =>
  rows.filter(({ origin }) => origin === "given").map(({ range }) => range);

/** "1,500 to 4,000 1/s, most likely 2,000" */
export function formatRange({ variable, shape, low, mode, high }: UncertainRange): string {
  const { factor, unit } = { unit: "", ...variableFactor(variable) };
  const formatValue = (value: number): string => formatFigure(value / factor);
  const likeliest = mode === undefined ? "" : `, most likely ${formatValue(mode)}`;
  const scale = shape === "log-uniform" ? ", by order of magnitude" : "";
  return `${formatValue(low)} to ${formatValue(high)} ${unit}`.trim() + likeliest + scale;
}
