/** Text of a prepared chart: the reading at a moment, and the table. */
import { MISSING } from "../core/format.ts";
import type { Column } from "../table/column-types.ts";
import type { ChartTone, LineWeight, PreparedChart, Reading, ReadingPoint } from "./model.ts";
import { formatIn, formatShare, formatWith } from "./units.ts";

export interface MomentReading {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight: LineWeight;
  /** "1.42 ms", or a dash. */
  readonly value: string;
  /** "n 12,480", "needs 1000 samples". */
  readonly detail: string;
}

export interface Moment {
  /** End of the window read, or the moment itself without a window. */
  readonly timeMs: number;
  readonly readings: readonly MomentReading[];
  /** Set where data is missing. */
  readonly gapReason?: string;
  readonly events: readonly string[];
}

const counts = new Intl.NumberFormat("en-US");

/** Finds each line's window at a moment. Heatmap rows without counts are left out. */
export function readAt(chart: PreparedChart, timeMs: number): Moment {
  const gap = chart.gaps.find(({ startMs, endMs }) => timeMs > startMs && timeMs < endMs);
  const unit = chart.readingUnit ?? chart.unit;
  let windowEndMs = timeMs;
  const readings = highestFirst(chart, timeMs).flatMap(
    ({ id, label, tone, weight, points }): MomentReading[] => {
      const point = pointAt(points, timeMs, chart.stepMs);
      if (point === undefined || (chart.readingUnit !== undefined && point.value === 0)) return [];
      if (weight !== "previous") windowEndMs = point.timeMs;
      const value = point.value === null ? MISSING : formatWith(unit, point.value);
      const part = chart.whole === undefined || point.value === null ? null : point.value / chart.whole;
      const detail = [part === null ? "" : formatShare(part), readingDetail(point)];
      return [{ id, label, tone, weight, value, detail: detail.filter((each) => each !== "").join(", ") }];
    },
  );
  const nearMs = (chart.range.toMs - chart.range.fromMs) / 100;
  const events = chart.events.filter(
    (event) => timeMs >= event.timeMs - nearMs && timeMs <= (event.span?.endMs ?? event.timeMs) + nearMs,
  );
  const spans = (chart.spans ?? []).filter(({ startMs, endMs }) => timeMs >= startMs && timeMs <= endMs);
  return {
    timeMs: windowEndMs,
    readings,
    ...(gap === undefined ? {} : { gapReason: gap.reason }),
    events: [...spans, ...events].map(({ label }) => label),
  };
}

/** Sorts lines by their values at a moment; bar layers and heatmap rows keep their own order. */
function highestFirst({ readings, marks, stepMs }: PreparedChart, timeMs: number): readonly Reading[] {
  if (marks.some(({ kind }) => kind !== "line" && kind !== "band")) return readings;
  const levelAt = ({ points }: Reading) => pointAt(points, timeMs, stepMs)?.value ?? Number.NEGATIVE_INFINITY;
  const isEarlier = ({ weight }: Reading) => (weight === "previous" ? 1 : 0);
  return readings.toSorted((a, b) => isEarlier(a) - isEarlier(b) || levelAt(b) - levelAt(a) || 0);
}

const readingDetail = ({ n, note }: ReadingPoint): string =>
  [n === undefined ? "" : `n ${counts.format(n)}`, note ?? ""].filter((part) => part !== "").join(", ");

/** Searches by bisection, since points are in order of time. */
function pointAt(points: readonly ReadingPoint[], timeMs: number, stepMs: number): ReadingPoint | undefined {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.timeMs ?? 0) < timeMs) low = middle + 1;
    else high = middle;
  }
  const next = points[low];
  if (next !== undefined && next.timeMs - timeMs <= stepMs) return next;
  const last = points[low - 1];
  // The chart's right edge may be slightly later than the newest window.
  return last !== undefined && timeMs - last.timeMs < stepMs / 2 ? last : undefined;
}

export interface ChartTableRow {
  readonly timeMs: number;
  /** Keyed by reading id. */
  readonly points: ReadonlyMap<string, ReadingPoint>;
}

export interface ChartTable {
  readonly columns: readonly Column<ChartTableRow>[];
  /** Newest first. */
  readonly rows: readonly ChartTableRow[];
}

/** All values in the chart's unit, with the sample count beside each percentile. */
export function readingTable(chart: PreparedChart): ChartTable {
  const unit = chart.readingUnit ?? chart.unit;
  const byTime = new Map<number, Map<string, ReadingPoint>>();
  for (const { id, points } of chart.readings) {
    for (const point of points) {
      const row = byTime.get(point.timeMs) ?? new Map<string, ReadingPoint>();
      byTime.set(point.timeMs, row.set(id, point));
    }
  }
  const columns = chart.readings.flatMap(({ id, label, points }): Column<ChartTableRow>[] => {
    const value: Column<ChartTableRow> = {
      id,
      header: unit.name === "" ? label : `${label}, ${unit.name}`,
      numeric: true,
      value: (row) => inUnit(row.points.get(id)?.value, unit.size),
      cell: (row) => {
        const amount = row.points.get(id)?.value;
        return amount === undefined || amount === null ? MISSING : formatIn(unit, amount);
      },
    };
    if (!points.some(({ n }) => n !== undefined)) return [value];
    const samples: Column<ChartTableRow> = {
      id: `${id}-n`,
      header: `${label}, n`,
      numeric: true,
      value: (row) => row.points.get(id)?.n,
    };
    return [value, samples];
  });
  const time: Column<ChartTableRow> = chart.isElapsed
    ? { id: "time", header: "After, s", numeric: true, value: ({ timeMs }) => timeMs / 1000 }
    : { id: "time", header: "Time", value: ({ timeMs }) => new Date(timeMs) };
  const rows = [...byTime]
    .map(([timeMs, points]) => ({ timeMs, points }))
    .sort((a, b) => b.timeMs - a.timeMs);
  return { columns: [time, ...withoutRepeatedSamples(columns, rows)], rows };
}

const inUnit = (value: number | null | undefined, size: number): number | undefined =>
  value === null || value === undefined ? undefined : Number((value / size).toPrecision(12));

/** Percentiles of one series share a sample count, shown once after the first. */
function withoutRepeatedSamples(
  columns: readonly Column<ChartTableRow>[],
  rows: readonly ChartTableRow[],
): Column<ChartTableRow>[] {
  const seen = new Set<string>();
  return columns.flatMap((column) => {
    if (!column.id.endsWith("-n")) return [column];
    const content = rows.map((row) => column.value?.(row) ?? "").join();
    if (seen.has(content)) return [];
    seen.add(content);
    return [seen.size === 1 ? { ...column, header: "n" } : column];
  });
}
