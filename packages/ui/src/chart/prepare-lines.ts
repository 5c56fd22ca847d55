import { formatElapsed } from "../core/format.ts";
import { makeTimeTicks, makeValueAxis, toAxis } from "./axes.ts";
import { findGaps, isJoined, withLate } from "./gaps.ts";
import type {
  ChartEvent,
  ChartGap,
  ChartRange,
  ChartSpan,
  ChartThreshold,
  ChartTone,
  LineWeight,
  Mark,
  PreparedChart,
  Reading,
  ValueAxis,
} from "./model.ts";
import { formatShare, type Quantity } from "./units.ts";

/** One line; its columns have equal length, with one entry per window. */
export interface LineInput {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight?: LineWeight;
  readonly endMs: readonly number[];
  readonly values: readonly (number | null)[];
  /** Band around the line, such as each window's minimum and maximum; none where either is null. */
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
  readonly n?: readonly number[];
  /** Hides a window's value below this number of samples. */
  readonly sampleCountMin?: number;
}

/** Input shared by all chart kinds. */
export interface ChartInput {
  readonly range: ChartRange;
  readonly stepMs: number;
  readonly quantity: Quantity;
  readonly gaps?: readonly ChartGap[];
  /** Periods that are hatched although they contain values, because data is incomplete. */
  readonly late?: readonly ChartGap[];
  readonly events?: readonly ChartEvent[];
  readonly spans?: readonly ChartSpan[];
  readonly thresholds?: readonly ChartThreshold[];
  /** End of the newest window expected by now; the end of the range by default. */
  readonly expectedUntilMs?: number;
  /** Start of the first measurement. */
  readonly measuredSinceMs?: number;
  /** Times in which the nodes behind the series reported, including windows without samples. */
  readonly reported?: readonly ChartRange[];
  readonly utcOffsetMs: number;
  /** Times are durations since the beginning rather than calendar times. */
  readonly isElapsed?: boolean;
}

export interface LinesInput extends ChartInput {
  readonly lines: readonly LineInput[];
  readonly isLatency?: boolean;
  /** Total that contains the values, in the base unit: axis labels and readings also show the share. */
  readonly whole?: number | null;
  /** Further values that must fit, so that charts side by side share one scale. */
  readonly scaledBy?: readonly number[];
}

export function prepareLines(input: LinesInput): PreparedChart {
  const lines = input.lines.map((line) => withinRange(withoutFewSamples(line), input));
  const { axis, unit } = makeValueAxis({
    quantity: input.quantity,
    mayBeLog: input.isLatency ?? false,
    values: [
      ...lines.flatMap(drawnValues),
      ...(input.thresholds ?? []).map(({ value }) => value),
      ...(input.scaledBy ?? []),
    ],
  });
  const whole = input.whole ?? 0;
  const marks = lines.flatMap((line) => lineMarks(line, axis, input));
  const current = lines.filter(({ weight }) => weight !== "previous");
  return {
    ...chartFrame(
      input,
      current.map(({ endMs }) => endMs),
    ),
    unit,
    valueAxis: whole > 0 ? withShares(axis, whole) : axis,
    ...(whole > 0 ? { whole } : {}),
    marks,
    thresholds: (input.thresholds ?? []).map((limit) => ({ ...limit, at: toAxis(axis, limit.value) })),
    readings: lines.map(toReading),
    isEmpty: !current.some(({ values }) => values.some((value) => value !== null)),
  };
}

/** "200 · 5 %": on a linear axis, whose positions are values. */
const withShares = (axis: ValueAxis, whole: number): ValueAxis =>
  axis.scale === "log"
    ? axis
    : {
        ...axis,
        ticks: axis.ticks.map(({ at, label }) => ({ at, label: `${label} · ${formatShare(at / whole)}` })),
      };

/** Parts that do not depend on how values are drawn. */
export function chartFrame(input: ChartInput, times: readonly (readonly number[])[]) {
  const { range, stepMs } = input;
  return {
    range,
    stepMs,
    ...(input.isElapsed ? { isElapsed: true } : {}),
    timeTicks: input.isElapsed
      ? makeTimeTicks(range, 0, formatElapsed)
      : makeTimeTicks(range, input.utcOffsetMs),
    gaps: withLate(
      findGaps({
        range,
        stepMs,
        times,
        known: input.gaps ?? [],
        expectedUntilMs: input.expectedUntilMs ?? range.toMs,
        measuredSinceMs: input.measuredSinceMs ?? 0,
        reported: input.reported ?? [],
      }),
      input.late ?? [],
      range,
    ),
    isReported: isWithin(range, times, input.reported ?? []),
    ...(input.spans === undefined ? {} : { spans: withinTime(input.spans, range) }),
    events: (input.events ?? []).filter(
      ({ timeMs, span }) => (span?.endMs ?? timeMs) >= range.fromMs && timeMs <= range.toMs,
    ),
  };
}

const isWithin = (
  { fromMs, toMs }: ChartRange,
  times: readonly (readonly number[])[],
  reported: readonly ChartRange[],
): boolean =>
  times.some((ends) => ends.some((endMs) => endMs > fromMs && endMs <= toMs)) ||
  reported.some((span) => span.toMs > fromMs && span.fromMs < toMs);

const withinTime = (spans: readonly ChartSpan[], { fromMs, toMs }: ChartRange): ChartSpan[] =>
  spans
    .filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs)
    .map((span) => ({
      ...span,
      startMs: Math.max(span.startMs, fromMs),
      endMs: Math.min(span.endMs, toMs),
    }));

/** Hides values of too few samples even if the input contains them. */
function withoutFewSamples(line: LineInput): LineInput {
  const { n, sampleCountMin } = line;
  if (n === undefined || sampleCountMin === undefined) return line;
  return { ...line, values: line.values.map((value, i) => ((n[i] ?? 0) < sampleCountMin ? null : value)) };
}

/** Draws an unfinished window, such as the newest one, at the end of the range. */
function withinRange(line: LineInput, { range: { toMs }, stepMs }: ChartInput): LineInput {
  const newestMs = line.endMs.at(-1) ?? 0;
  if (newestMs <= toMs || newestMs - stepMs >= toMs) return line;
  return { ...line, endMs: [...line.endMs.slice(0, -1), toMs] };
}

function drawnValues(line: LineInput): number[] {
  const values = line.values.filter((value) => value !== null);
  const edges = [...(line.high ?? []), ...(line.low ?? [])].filter((value) => value !== null);
  return [...values, ...edges];
}

/** Draws a window at its full length if it is longer than this share of the range. */
const WIDE_SHARE_MIN = 0.01;
/** Runs shorter than this on average leave no room for dashes. */
const DASHED_WINDOWS_MIN = 4;

export function lineMarks(
  line: LineInput,
  axis: ValueAxis,
  { range, stepMs }: Pick<ChartInput, "range" | "stepMs">,
): Mark[] {
  const { id, tone, weight = "strong" } = line;
  const isWide = stepMs >= WIDE_SHARE_MIN * (range.toMs - range.fromMs);
  const runs = connectedRuns(line, stepMs);
  const drawn = runs.map((places) =>
    places.map((i): [number, number] => [line.endMs[i] ?? 0, toAxis(axis, line.values[i] ?? 0)]),
  );
  const windowCount = runs.reduce((sum, { length }) => sum + length, 0);
  const isSolid = windowCount < DASHED_WINDOWS_MIN * runs.length;
  const points = drawn.flatMap((run, i): [number, number | null][] => {
    const [[timeMs, value] = [0, 0]] = run;
    // Draws a window between two gaps over its duration, or as a point at its end if that would be too short to see.
    const shown: [number, number][] = run.length === 1 && isWide ? [[timeMs - stepMs, value], ...run] : run;
    const [lastMs] = run.at(-1) ?? [0];
    return i === drawn.length - 1 ? shown : [...shown, [lastMs + 1, null]];
  });
  const mark: Mark = { kind: "line", id, tone, weight, ...(isSolid ? { isSolid } : {}), points };
  const bands = bandRuns(line, axis, stepMs);
  return bands.length === 0 ? [mark] : [{ kind: "band", id, tone, runs: bands }, mark];
}

/** Indexes of connected windows, run by run. */
function connectedRuns({ endMs, values }: LineInput, stepMs: number): number[][] {
  const runs: number[][] = [];
  let last: number | null = null;
  endMs.forEach((timeMs, i) => {
    if ((values[i] ?? null) === null) return;
    const isNext = last === i - 1 && isJoined(endMs[i - 1] ?? timeMs, timeMs, stepMs);
    if (last === null || !isNext) runs.push([]);
    runs.at(-1)?.push(i);
    last = i;
  });
  return runs;
}

function bandRuns(line: LineInput, axis: ValueAxis, stepMs: number): [number, number, number][][] {
  const runs: [number, number, number][][] = [];
  let isOpen = false;
  line.endMs.forEach((timeMs, i) => {
    const earlierMs = line.endMs[i - 1];
    const joined = earlierMs !== undefined && isJoined(earlierMs, timeMs, stepMs);
    const [low = null, high = null] = [line.low?.[i], line.high?.[i]];
    const hasBand = low !== null && high !== null;
    if (hasBand && !(joined && isOpen)) runs.push([]);
    if (hasBand) runs.at(-1)?.push([timeMs, toAxis(axis, low), toAxis(axis, high)]);
    isOpen = hasBand;
  });
  return runs;
}

export function toReading(line: LineInput): Reading {
  const { id, label, tone, weight = "strong" } = line;
  return {
    id,
    label,
    tone,
    weight,
    points: line.endMs.map((timeMs, i) => {
      const [value, n] = [line.values[i] ?? null, line.n?.[i]];
      const isFew = value === null && n !== undefined && n < (line.sampleCountMin ?? 0);
      return {
        timeMs,
        value,
        ...(n === undefined ? {} : { n }),
        ...(isFew ? { note: `needs ${line.sampleCountMin} samples` } : {}),
      };
    }),
  };
}
