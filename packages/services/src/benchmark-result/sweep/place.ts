/** One place of a sweep: the endpoints of a plan over its operations and sizes, before anything is judged. */
import type { BenchmarkRunLabel } from "@stashlight/contracts/benchmark/plan";
import { type BenchmarkOperation, taggedShareMax } from "@stashlight/contracts/benchmark/sample";
import type { BenchmarkSweepEntry, BenchmarkSweepSeries } from "@stashlight/contracts/benchmark/sweep";
import { median, medianInterval, RUNS_MIN } from "@stashlight/stats";
import { present } from "../../present.ts";
import type { RunColumns, SubjectFigures } from "../run-columns.ts";

export interface Cell {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
  /** The runs of each series; null where it has none here. */
  readonly runs: readonly (RunColumns | null)[];
}

export interface Slots {
  /** Slots in which every endpoint that has figures at all was measured, oldest first. */
  readonly commonMs: readonly number[];
  /** Common slots that count: without those of contaminated runs, where enough others remain. */
  readonly usedMs: readonly number[];
  /** The share of disturbed samples of runs of which too many were, by the series' place and the slot. */
  readonly contaminated: ReadonlyMap<string, number>;
}

export const runKey = (series: number, slotMs: number): string => `${series} ${slotMs}`;

/** Cells by operation, connections and size; the operations in the order in which they are always shown. */
export function cellsOf(
  figures: readonly SubjectFigures[],
  series: readonly BenchmarkSweepSeries[],
  operations: readonly BenchmarkOperation[],
): Cell[] {
  const measured = figures.filter(({ operation }) => operation !== "TCP_CONNECT");
  const bySubject = Map.groupBy(measured, ({ operation, sizeBytes, connectionCount }) =>
    JSON.stringify([operation, sizeBytes, connectionCount]),
  );
  const cells = [...bySubject.values()].map((ofSubject): Cell => {
    const { operation, sizeBytes, connectionCount } = present(ofSubject[0]);
    const runs = series.map(
      ({ endpoint }) => ofSubject.find((each) => each.endpoint.id === endpoint.id)?.runs ?? null,
    );
    return { operation, sizeBytes, connectionCount, runs };
  });
  return cells.sort(
    (a, b) =>
      operations.indexOf(a.operation) - operations.indexOf(b.operation) ||
      a.connectionCount - b.connectionCount ||
      a.sizeBytes - b.sizeBytes,
  );
}

/** A run is the same slot in all cells, and is contaminated as a whole. */
export function slotsOf(cells: readonly Cell[], seriesCount: number): Slots {
  const runs = Array.from({ length: seriesCount }, () => new Map<number, { n: number; tagged: number }>());
  for (const cell of cells) {
    for (const [series, columns] of cell.runs.entries()) {
      const ofSeries = present(runs[series]);
      for (const [i, slotMs] of (columns?.slotMs ?? []).entries()) {
        const sum = ofSeries.get(slotMs) ?? { n: 0, tagged: 0 };
        sum.n += present(columns?.n[i]);
        sum.tagged += present(columns?.taggedCount[i]);
        ofSeries.set(slotMs, sum);
      }
    }
  }
  const withFigures = runs.filter(({ size }) => size > 0);
  const first = withFigures[0] ?? new Map<number, unknown>();
  const commonMs =
    withFigures.length < 2
      ? []
      : [...first.keys()].filter((slotMs) => withFigures.every((each) => each.has(slotMs)));
  commonMs.sort((a, b) => a - b);
  const contaminated = new Map(
    runs.flatMap((ofSeries, series) =>
      [...ofSeries]
        .map(([slotMs, { n, tagged }]) => [runKey(series, slotMs), tagged / Math.max(1, n)] as const)
        .filter(([, taggedShare]) => taggedShare > taggedShareMax),
    ),
  );
  const clean = commonMs.filter((slotMs) =>
    runs.every((_, series) => !contaminated.has(runKey(series, slotMs))),
  );
  return { commonMs, usedMs: clean.length >= RUNS_MIN ? clean : commonMs, contaminated };
}

/** The medians of a cell's runs in these slots; in a slot that one of them lacks, nobody has one. */
export function pairedMedians({ runs }: Cell, slotsMs: readonly number[]): Float64Array[] {
  const places = runs.map(
    (columns) => new Map(Array.from(columns?.slotMs ?? [], (slotMs, i) => [slotMs, i])),
  );
  const taking = runs.flatMap((columns, series) => (columns === null ? [] : [series]));
  const complete = slotsMs.filter((slotMs) => taking.every((series) => present(places[series]).has(slotMs)));
  return runs.map((columns, series) =>
    columns === null
      ? new Float64Array()
      : Float64Array.from(complete, (slotMs) => {
          const medianMs = present(columns.medianMs[present(present(places[series]).get(slotMs))]);
          return Number.isNaN(medianMs) ? Infinity : medianMs;
        }),
  );
}

/** What is shown of an endpoint in a cell; null where it has no run with a success. */
export function entryOf(
  { runs }: Cell,
  series: number,
  { commonMs, usedMs, contaminated }: Slots,
): BenchmarkSweepEntry | null {
  const columns = runs[series] ?? null;
  if (columns === null) return null;
  const used = new Set(usedMs);
  const left = new Set(commonMs.filter((slotMs) => !used.has(slotMs)));
  const slots = Array.from(columns.slotMs);
  const kept = slots.flatMap((slotMs, i) =>
    left.has(slotMs) || Number.isNaN(columns.medianMs[i]) ? [] : [i],
  );
  const newest = kept.at(-1);
  if (newest === undefined) return null;
  const sum = (column: Float64Array): number => column.reduce((total, value) => total + value, 0);
  return {
    series,
    medianMs: kept.length < RUNS_MIN ? ofRun(columns, newest) : ofRuns(columns, kept),
    runCount: slots.length,
    sampleCount: sum(columns.n),
    failureCount: sum(columns.failureCount),
    contaminatedCount: slots.filter((slotMs) => contaminated.has(runKey(series, slotMs))).length,
  };
}

const numberOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

const ofRun = (columns: RunColumns, i: number): BenchmarkSweepEntry["medianMs"] => ({
  value: present(columns.medianMs[i]),
  low: numberOrNull(columns.medianLowMs[i]),
  high: numberOrNull(columns.medianHighMs[i]),
});

function ofRuns(columns: RunColumns, kept: readonly number[]): BenchmarkSweepEntry["medianMs"] {
  const medians = Float64Array.from(kept, (i) => present(columns.medianMs[i]));
  const interval = medianInterval(medians);
  return { value: median(medians), low: interval?.low ?? null, high: interval?.high ?? null };
}

/** The series of a plan: its endpoints in its own order, then those that it no longer measures. */
export function seriesOf(
  endpoints: readonly (Omit<BenchmarkSweepSeries, "endpoint"> & {
    id: string;
    name: string;
    label: BenchmarkRunLabel;
  })[],
  figures: readonly SubjectFigures[],
): BenchmarkSweepSeries[] {
  const measured = new Map(figures.map(({ endpoint }) => [endpoint.id, endpoint]));
  const own = endpoints.map(({ id, name, label, ...place }) => ({
    endpoint: measured.get(id) ?? { id, name, label, place: null },
    ...place,
  }));
  const known = new Set(endpoints.map(({ id }) => id));
  const former = [...measured.values()].filter(({ id }) => !known.has(id));
  return [...own, ...former.map((endpoint) => ({ endpoint, kind: null, region: null }))];
}
