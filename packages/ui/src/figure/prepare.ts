import { makeValueAxis, toAxis } from "../chart/axes.ts";
import type { ChartTone, ValueAxis } from "../chart/model.ts";
import type { Quantity } from "../chart/units.ts";
import type { FigureMark, FigureTick, PreparedFigure } from "./model.ts";

export interface SampleInput {
  /** Position in the run. */
  readonly index: number;
  readonly seconds: number;
  readonly kind: "ok" | "tagged" | "failed";
}

const kinds = [
  { kind: "ok", label: "succeeded", tone: "accent-ink", isHollow: false },
  { kind: "tagged", label: "client disturbed", tone: "warning", isHollow: true },
  { kind: "failed", label: "failed", tone: "bad", isHollow: true },
] as const satisfies readonly {
  kind: SampleInput["kind"];
  label: string;
  tone: ChartTone;
  isHollow: boolean;
}[];

const axisShare = (axis: ValueAxis, value: number): number =>
  (toAxis(axis, value) - axis.min) / (axis.max - axis.min);
const axisTicks = (axis: ValueAxis): FigureTick[] =>
  axis.ticks.map(({ at, label }) => ({ at: (at - axis.min) / (axis.max - axis.min), label }));

/** Draws every sample at its position in the run, so that drift, stalls and modes are visible. */
export function prepareSamples(samples: readonly SampleInput[]): PreparedFigure {
  const { axis, unit } = makeValueAxis({
    quantity: "seconds",
    mayBeLog: true,
    values: samples.map(({ seconds }) => seconds),
  });
  const last = samples.reduce((most, { index }) => Math.max(most, index), 1);
  const marks = kinds.map(
    ({ kind, label, tone, isHollow }): FigureMark => ({
      kind: "points",
      id: kind,
      label,
      tone,
      isHollow,
      points: samples
        .filter((sample) => sample.kind === kind)
        .map(({ index, seconds }) => [index / last, axisShare(axis, seconds)]),
    }),
  );
  return {
    marks: marks.filter((mark) => mark.kind !== "points" || mark.points.length > 0),
    xTicks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: String(Math.round(at * last)) })),
    yTicks: axisTicks(axis).map((tick) => withUnit(tick, unit.name)),
    xLabel: "position in the run",
    hasNames: false,
    columns: ["Position", "Duration, ms", "Outcome"],
    rows: samples.map(({ index, seconds, kind }) => [
      index,
      round(seconds),
      kinds.find((each) => each.kind === kind)?.label ?? kind,
    ]),
    isEmpty: samples.length === 0,
  };
}

const BIN_COUNT = 40;

/** Histogram of durations: bins of equal width on the axis, which is logarithmic for a wide range. */
export function prepareHistogram(seconds: readonly number[]): PreparedFigure {
  const { axis, unit } = makeValueAxis({ quantity: "seconds", mayBeLog: true, values: seconds });
  const counts = new Array<number>(BIN_COUNT).fill(0);
  for (const value of seconds) {
    const bin = Math.min(BIN_COUNT - 1, Math.max(0, Math.floor(axisShare(axis, value) * BIN_COUNT)));
    counts[bin] = (counts[bin] as number) + 1;
  }
  const { axis: countAxis } = makeValueAxis({ quantity: "count", mayBeLog: false, values: counts });
  const edge = (bin: number): number => {
    const at = axis.min + (bin / BIN_COUNT) * (axis.max - axis.min);
    return axis.scale === "log" ? 10 ** at : at;
  };
  return {
    marks: [
      {
        kind: "bars",
        id: "samples",
        label: null,
        tone: "accent-ink",
        bars: counts.flatMap((count, bin) =>
          count === 0 ? [] : [[bin / BIN_COUNT, (bin + 1) / BIN_COUNT, axisShare(countAxis, count)] as const],
        ),
      },
    ],
    xTicks: axisTicks(axis).map((tick) => withUnit(tick, unit.name)),
    yTicks: axisTicks(countAxis),
    xLabel: "duration",
    hasNames: false,
    columns: ["From, ms", "To, ms", "Samples"],
    rows: counts.flatMap((count, bin) =>
      count === 0 ? [] : [[round(edge(bin)), round(edge(bin + 1)), count]],
    ),
    isEmpty: seconds.length === 0,
  };
}

export interface IntervalInput {
  readonly label: string;
  readonly seconds: number;
  /** Null with too few runs for an interval. */
  readonly lowSeconds: number | null;
  readonly highSeconds: number | null;
  readonly tone: ChartTone;
  /** Published value from another source, shown for comparison. */
  readonly isReference?: boolean;
}

const intervalUnits = { ms: 1000, s: 1 } as const;

/**
 * Draws values below each other on an axis from zero, each with its interval, so that overlaps are visible. `figure`
 * names the values, and `tableUnit` is the unit of the table.
 */
export function prepareIntervals(
  rows: readonly IntervalInput[],
  figure = "mean",
  tableUnit: keyof typeof intervalUnits = "ms",
): PreparedFigure {
  const inTable = (seconds: number): number => Number((seconds * intervalUnits[tableUnit]).toPrecision(6));
  const { axis, unit } = makeValueAxis({
    quantity: "seconds",
    mayBeLog: false,
    values: rows.flatMap(({ seconds, highSeconds }) => [seconds, highSeconds ?? seconds]),
  });
  const across = (row: number): number => 1 - (row + 0.5) / rows.length;
  return {
    marks: rows.flatMap(
      ({ label, tone, seconds, lowSeconds, highSeconds, isReference }, row): FigureMark[] => {
        const value = axisShare(axis, seconds);
        const dot: FigureMark = {
          kind: "points",
          id: `${row} ${label}`,
          label: null,
          tone,
          isHollow: isReference ?? false,
          points: [[value, across(row)]],
        };
        if (lowSeconds === null || highSeconds === null) return [dot];
        const ends = [across(row), axisShare(axis, lowSeconds), value, axisShare(axis, highSeconds)] as const;
        return [
          { kind: "intervals", id: `${row} interval`, label: null, tone, axis: "x", intervals: [ends] },
          dot,
        ];
      },
    ),
    xTicks: axisTicks(axis).map((tick) => withUnit(tick, unit.name)),
    yTicks: rows.map(({ label }, row) => ({ at: across(row), label })),
    xLabel: figure,
    hasNames: true,
    columns: [
      "Of",
      `${figure.charAt(0).toUpperCase()}${figure.slice(1)}, ${tableUnit}`,
      `95 % from, ${tableUnit}`,
      `95 % to, ${tableUnit}`,
    ],
    rows: rows.map(({ label, seconds, lowSeconds, highSeconds }) => [
      label,
      inTable(seconds),
      lowSeconds === null ? null : inTable(lowSeconds),
      highSeconds === null ? null : inTable(highSeconds),
    ]),
    isEmpty: rows.length === 0,
  };
}

export interface BySizeInput {
  readonly label: string;
  readonly tone: ChartTone;
  readonly points: readonly {
    readonly sizeBytes: number;
    readonly sizeLabel: string;
    /** In the base unit of the quantity: seconds for latency. */
    readonly value: number;
    readonly low: number | null;
    readonly high: number | null;
  }[];
}

export interface BySizeOptions {
  readonly quantity: Quantity;
  /** Table headers: the series, and the value with its unit. */
  readonly seriesName: string;
  readonly valueName: string;
  readonly intervalNames: readonly [low: string, high: string];
  /** True if sizes are points of one curve rather than separate items. */
  readonly isJoined: boolean;
  /** The value as shown in the table. */
  readonly inTable: (value: number) => number;
}

const latencyBySize: BySizeOptions = {
  quantity: "seconds",
  seriesName: "Endpoint",
  valueName: "Median, ms",
  intervalNames: ["95 % from, ms", "95 % to, ms"],
  isJoined: false,
  inTable: (seconds) => seconds * 1000,
};

/**
 * Draws latency or another quantity against size, on logarithmic axes for wide ranges; only measured sizes appear.
 * Figures shown side by side get each other's points as `beside`, so that their axes match.
 */
export function prepareBySize(
  series: readonly BySizeInput[],
  beside: readonly BySizeInput[] = [],
  options: BySizeOptions = latencyBySize,
): PreparedFigure {
  const { quantity, seriesName, valueName, intervalNames } = options;
  const inTable = (value: number): number => Number(options.inTable(value).toPrecision(6));
  const points = series.flatMap((each) => each.points);
  const { axis, unit } = makeValueAxis({
    quantity,
    mayBeLog: true,
    values: [...series, ...beside].flatMap((each) =>
      each.points.flatMap(({ value, low, high }) => [low ?? value, value, high ?? value]),
    ),
  });
  const sizes = [...new Map(points.map(({ sizeBytes, sizeLabel }) => [sizeBytes, sizeLabel]))].sort(
    ([a], [b]) => a - b,
  );
  const [least, most] = [Math.log10(sizes[0]?.[0] ?? 1), Math.log10(sizes.at(-1)?.[0] ?? 1)];
  // Adds a little room at both ends, and centres a single size.
  const place = (sizeBytes: number): number =>
    most === least ? 0.5 : 0.05 + (0.9 * (Math.log10(sizeBytes) - least)) / (most - least);
  return {
    marks: series.flatMap((each, i) => {
      // Offsets the endpoints, so that their intervals do not cover each other.
      const at = (sizeBytes: number): number => place(sizeBytes) + (i - (series.length - 1) / 2) * 0.012;
      return marksBySize({ input: each, isOdd: i % 2 === 1, isJoined: options.isJoined, at, axis });
    }),
    xTicks: sizes.map(([sizeBytes, label]) => ({ at: place(sizeBytes), label })),
    yTicks: axisTicks(axis).map((tick) => withUnit(tick, unit.name)),
    xLabel: "size",
    hasNames: false,
    columns: [seriesName, "Size, bytes", valueName, ...intervalNames],
    rows: series.flatMap(({ label, points: ofSeries }) =>
      ofSeries.map(({ sizeBytes, value, low, high }) => [
        label,
        sizeBytes,
        inTable(value),
        low === null ? null : inTable(low),
        high === null ? null : inTable(high),
      ]),
    ),
    isEmpty: points.length === 0,
  };
}

interface SeriesBySize {
  readonly input: BySizeInput;
  /** Every second series is dashed and hollow. */
  readonly isOdd: boolean;
  readonly isJoined: boolean;
  readonly at: (sizeBytes: number) => number;
  readonly axis: ValueAxis;
}

function marksBySize({ input, isOdd, isJoined, at, axis }: SeriesBySize): FigureMark[] {
  const { label, tone, points } = input;
  const intervals: FigureMark = {
    kind: "intervals",
    id: `${label} intervals`,
    label: null,
    tone,
    axis: "y",
    intervals: points.flatMap(({ sizeBytes, value, low, high }) =>
      low === null || high === null
        ? []
        : [[at(sizeBytes), axisShare(axis, low), axisShare(axis, value), axisShare(axis, high)] as const],
    ),
  };
  const line: FigureMark = {
    kind: "line",
    id: `${label} line`,
    label: null,
    tone,
    isDashed: isOdd,
    points: points
      .toSorted((a, b) => a.sizeBytes - b.sizeBytes)
      .map(({ sizeBytes, value }) => [at(sizeBytes), axisShare(axis, value)]),
  };
  const dots: FigureMark = {
    kind: "points",
    id: label,
    label,
    tone,
    isHollow: isOdd,
    points: points.map(({ sizeBytes, value }) => [at(sizeBytes), axisShare(axis, value)]),
  };
  return isJoined ? [intervals, line, dots] : [intervals, dots];
}

const withUnit = ({ at, label }: FigureTick, unit: string): FigureTick => ({
  at,
  label: `${label} ${unit}`.trim(),
});

/** Milliseconds to six significant digits. */
const round = (seconds: number): number => Number((seconds * 1000).toPrecision(6));
