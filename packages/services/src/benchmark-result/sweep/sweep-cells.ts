/** One place of a sweep: the endpoints of a plan over its operations and sizes, before anything is judged. */
import type {
  BenchmarkRunLabel,
  BenchmarkSweepEntry,
  BenchmarkSweepSeries,
} from "@stashlight/contracts/benchmark";
import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import { median, medianInterval } from "@stashlight/stats";
import { present } from "../../present.ts";
import type { RunColumns, SubjectFigures } from "../run-columns.ts";
import { type AssessedSlots, assessSlots, disturbedSlots, isContaminated } from "../undisturbed-slots.ts";

export interface Cell {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
  /** The runs of each series; null if it has none here. */
  readonly runs: readonly (RunColumns | null)[];
}

/** Cells by operation, connections and size; the operations in their usual order. */
export function sweepCells(
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

export interface PairOfCell extends AssessedSlots {
  /** Indexes of the two endpoints in the series. */
  readonly ofSeries: [number, number];
}

/** Returns the pairs of series with figures in a cell, with the slots that each may be based on. */
export function pairsOfCell({ runs }: Cell, series: readonly BenchmarkSweepSeries[]): PairOfCell[] {
  const sides = runs.flatMap((columns, at) =>
    columns === null ? [] : [{ at, side: { endpoint: present(series[at]).endpoint, runs: columns } }],
  );
  return sides.flatMap((one, i) =>
    sides.slice(i + 1).map(
      (other): PairOfCell => ({
        ...assessSlots({ a: one.side, b: other.side }),
        ofSeries: [one.at, other.at],
      }),
    ),
  );
}

/**
 * Returns the figures of an endpoint in a cell, over the slots in which every series that has undisturbed runs has one:
 * with two endpoints these decide who leads. Without such a slot its own undisturbed runs count, or all if there is none;
 * null if it has no run with a success.
 */
export function sweepEntry(cell: Cell, series: number): BenchmarkSweepEntry | null {
  const columns = cell.runs[series] ?? null;
  if (columns === null) return null;
  const measured = Array.from(columns.slotMs.keys()).filter((i) => !Number.isNaN(columns.medianMs[i]));
  const usable = cell.runs.map((runs) => (runs === null ? NO_SLOTS : undisturbedSlots(runs)));
  const shared = slotsOfAll(usable.filter(({ size }) => size > 0));
  const own = present(usable[series]);
  const [kept = measured] = [shared, own]
    .map((slots) => measured.filter((i) => slots.has(present(columns.slotMs[i]))))
    .filter(({ length }) => length > 0);
  const newest = kept.at(-1);
  if (newest === undefined) return null;
  return {
    series,
    medianMs: kept.length === 1 ? ofRun(columns, newest) : ofRuns(columns, kept),
    runCount: columns.slotMs.length,
    sampleCount: kept.reduce((total, i) => total + present(columns.n[i]), 0),
    failureCount: columns.failureCount.reduce((total, count) => total + count, 0),
    contaminatedCount: columns.slotMs.filter((_, i) => isContaminated(columns, i)).length,
  };
}

const NO_SLOTS: ReadonlySet<number> = new Set();

/** Slots with a run that has a median, and without disturbed runs. */
function undisturbedSlots(runs: RunColumns): ReadonlySet<number> {
  const disturbed = new Set(disturbedSlots(runs));
  const isUsable = (slotMs: number, i: number) => !disturbed.has(slotMs) && !Number.isNaN(runs.medianMs[i]);
  return new Set(Array.from(runs.slotMs).filter(isUsable));
}

const slotsOfAll = ([first = NO_SLOTS, ...others]: readonly ReadonlySet<number>[]): ReadonlySet<number> =>
  new Set([...first].filter((slotMs) => others.every((slots) => slots.has(slotMs))));

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

/** Returns the series of a plan: its endpoints in plan order, then those that it no longer measures. */
export function sweepSeries(
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
