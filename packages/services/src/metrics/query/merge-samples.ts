/**
 * Merges packed samples of gauges and counters into points. Levels are first combined across series, cell by cell, and
 * then the cells of a point are combined; so a fleet's sum is the same whether merged in advance or here. A cell is as
 * long as the buckets read; for raw windows it is a point.
 */
import type { MetricQuery } from "@stashlight/contracts/metrics/query";
import { unpackSamples } from "@stashlight/db/metrics";
import { present } from "../../present.ts";
import { fuller, joined, type Level, type LevelPoint, summarisePartial } from "./level-points.ts";
import { type Bins, binAt, binEndMs, type MergedSeries } from "./points.ts";

/** Cells of one length; the next ones begin where these end. */
export interface CellRange {
  readonly untilMs: number;
  readonly lengthMs: number;
}

export interface SampleGroup {
  readonly series: readonly number[];
  /** Series of fleets; each combines several series. */
  readonly fleetSeries: readonly number[];
  /** From the start of the points; the last one extends to their end. */
  readonly cells: readonly CellRange[];
  /** For a sum, cells that begin then or later lack values that a node has not reported yet, and are left out. */
  readonly completeMs: number;
}

export interface SampleJob extends Bins {
  readonly kind: "gauge" | "counter";
  readonly across: MetricQuery["across"];
  /**
   * A series that misses a cell keeps its level for one cell, because windows of different nodes do not end at the same
   * time.
   */
  readonly isHeld: boolean;
  /** Packed samples, and the series of each of their columns; those of a node are consecutive. */
  readonly sources: readonly {
    readonly nodeId: string;
    readonly packed: string;
    readonly series: readonly number[];
  }[];
  readonly groups: readonly SampleGroup[];
}

export function mergeSamples(job: SampleJob): MergedSeries[] {
  const totals = job.groups.map((group) => new Total(job, group));
  const totalOf = new Map(
    job.groups.flatMap(({ series, fleetSeries }, i) =>
      [...series, ...fleetSeries].map((id) => [id, present(totals[i])] as const),
    ),
  );
  const fleetSeries = new Set(job.groups.flatMap((group) => group.fleetSeries));
  // Reuses cells for the next node: clearing the few that were filled is cheaper than allocating all.
  const spare = new Map<Total, Levels[]>();
  for (let first = 0; first < job.sources.length; ) {
    const ofNode = new Map<number, { readonly total: Total; readonly levels: Levels }>();
    const nodeId = job.sources[first]?.nodeId;
    for (; job.sources[first]?.nodeId === nodeId && first < job.sources.length; first += 1) {
      const { packed, series } = present(job.sources[first]);
      for (const sample of unpackSamples(Buffer.from(packed, "hex"), series.length)) {
        const id = present(series[sample.place]);
        let own = ofNode.get(id);
        if (own === undefined) {
          const total = present(totalOf.get(id));
          own = { total, levels: spare.get(total)?.pop() ?? new Levels(total.cellCount) };
          ofNode.set(id, own);
        }
        own.levels.add(own.total.cellOf(sample.atMs), sample);
        own.total.newestMs = Math.max(own.total.newestMs, sample.atMs);
      }
    }
    for (const [id, { total, levels }] of ofNode) {
      if (job.kind === "counter") total.addIncreases(levels);
      else total.addLevels(levels, fleetSeries.has(id));
      levels.clear();
      spare.set(total, [...(spare.get(total) ?? []), levels]);
    }
  }
  return totals.map((total) => (job.kind === "counter" ? total.counterSeries() : total.gaugeSeries()));
}

type Sample = ReturnType<typeof unpackSamples> extends Generator<infer Each> ? Each : never;

/** Reported values of one series, cell by cell. */
class Levels {
  readonly count: Float64Array;
  readonly sum: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
  readonly #lastMs: Float64Array;
  /** Cells with a value. */
  readonly filled: number[] = [];

  constructor(cellCount: number) {
    const make = (): Float64Array => new Float64Array(cellCount);
    [this.count, this.sum, this.min] = [make(), make(), make()];
    [this.max, this.last, this.#lastMs] = [make(), make(), make()];
  }

  add(cell: number, { atMs, count, sum, min, max, last }: Sample): void {
    if (!(cell >= 0 && cell < this.count.length)) return;
    const isFirst = this.count[cell] === 0;
    if (isFirst) this.filled.push(cell);
    this.count[cell] = present(this.count[cell]) + count;
    this.sum[cell] = present(this.sum[cell]) + sum;
    this.min[cell] = isFirst ? min : Math.min(present(this.min[cell]), min);
    this.max[cell] = isFirst ? max : Math.max(present(this.max[cell]), max);
    if (isFirst || atMs >= present(this.#lastMs[cell])) {
      this.#lastMs[cell] = atMs;
      this.last[cell] = last;
    }
  }

  clear(): void {
    for (const cell of this.filled) {
      this.count[cell] = 0;
      this.sum[cell] = 0;
    }
    this.filled.length = 0;
  }
}

const COLUMNS = ["min", "max", "avg", "last"] as const;

/** Reported values of all series of a group. */
class Total {
  readonly #job: SampleJob;
  readonly #group: SampleGroup;
  /** Start of each range of cells, in time and among the cells. */
  readonly #ranges: readonly (CellRange & { readonly sinceMs: number; readonly first: number })[];
  readonly cellCount: number;
  newestMs = Number.NEGATIVE_INFINITY;
  /** Number of series that reported a level in the cell, and of series whose last level is carried forward. */
  readonly #told: Float64Array;
  readonly #held: Float64Array;
  readonly #columns: Readonly<Record<(typeof COLUMNS)[number], Float64Array>>;

  constructor(job: SampleJob, group: SampleGroup) {
    this.#job = job;
    this.#group = group;
    const endMs = job.startMs + job.pointCount * job.stepMs;
    let [sinceMs, first] = [job.startMs, 0];
    this.#ranges = group.cells.map(({ untilMs, lengthMs }) => {
      const range = { sinceMs, first, lengthMs, untilMs: Math.max(sinceMs, Math.min(untilMs, endMs)) };
      first += Math.ceil((range.untilMs - sinceMs) / lengthMs);
      sinceMs = range.untilMs;
      return range;
    });
    this.cellCount = first;
    const nothing = { sum: 0, avg: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    const make = (): Float64Array =>
      new Float64Array(first).fill(job.kind === "counter" ? 0 : nothing[job.across]);
    this.#columns = { min: make(), max: make(), avg: make(), last: make() };
    this.#told = new Float64Array(first);
    this.#held = new Float64Array(first);
  }

  cellOf(atMs: number): number {
    const range = this.#ranges.find(({ untilMs }) => atMs <= untilMs);
    return range === undefined ? -1 : range.first + Math.ceil((atMs - range.sinceMs) / range.lengthMs) - 1;
  }

  addIncreases({ filled, sum }: Levels): void {
    for (const cell of filled) {
      this.#told[cell] = present(this.#told[cell]) + 1;
      this.#columns.avg[cell] = present(this.#columns.avg[cell]) + present(sum[cell]);
    }
  }

  addLevels(levels: Levels, isFleet: boolean): void {
    const { filled, count, sum, min, max, last } = levels;
    for (const cell of filled) {
      const own = present(count[cell]);
      this.#add(cell, {
        min: present(min[cell]),
        max: present(max[cell]),
        // The `sum` of a fleet row already adds up one average per series.
        avg: isFleet ? present(sum[cell]) : present(sum[cell]) / own,
        last: present(last[cell]),
      });
      this.#told[cell] = present(this.#told[cell]) + (isFleet ? own : 1);
      const next = cell + 1;
      if (!this.#job.isHeld || next >= this.cellCount || present(count[next]) > 0) continue;
      const held = present(last[cell]);
      this.#add(next, { min: held, max: held, avg: held, last: held });
      this.#held[next] = present(this.#held[next]) + 1;
    }
  }

  #add(cell: number, level: Level): void {
    const { across } = this.#job;
    for (const column of COLUMNS) {
      const values = this.#columns[column];
      const value = level[column];
      if (across === "min") values[cell] = Math.min(present(values[cell]), value);
      else if (across === "max") values[cell] = Math.max(present(values[cell]), value);
      else values[cell] = present(values[cell]) + value;
    }
  }

  *#cells(): Generator<{ cell: number; bin: number; lengthMs: number }> {
    for (const { sinceMs, untilMs, lengthMs, first } of this.#ranges) {
      for (let i = 0; sinceMs + i * lengthMs < untilMs; i += 1) {
        if (!(present(this.#told[first + i]) > 0)) continue;
        const endMs = Math.min(untilMs, sinceMs + (i + 1) * lengthMs);
        yield { cell: first + i, bin: binAt(this.#job, endMs), lengthMs };
      }
    }
  }

  counterSeries(): MergedSeries {
    const bins = new Map<number, number>();
    for (const { cell, bin } of this.#cells()) {
      bins.set(bin, (bins.get(bin) ?? 0) + present(this.#columns.avg[cell]));
    }
    return {
      endMs: [...bins.keys()].map((bin) => binEndMs(this.#job, bin)),
      newestMs: this.newestMs,
      columns: { kind: "counter", increase: [...bins.values()] },
    };
  }

  gaugeSeries(): MergedSeries {
    const points: LevelPoint[] = [];
    const isSum = this.#job.across === "sum";
    for (const { cell, bin, lengthMs } of this.#cells()) {
      const sinceMs = binEndMs(this.#job, bin) - this.#job.stepMs;
      if (isSum && Math.max(sinceMs, this.#sinceOf(cell)) >= this.#group.completeMs) continue;
      const point = { bin, ...this.#levelAt(cell), seriesCount: this.#countAt(cell), weight: lengthMs };
      const before = points.at(-1);
      if (before?.bin === bin)
        points[points.length - 1] = isSum ? fuller(before, point) : joined(before, point);
      else points.push(point);
    }
    return {
      endMs: points.map(({ bin }) => binEndMs(this.#job, bin)),
      newestMs: this.newestMs,
      columns: {
        kind: "gauge",
        min: points.map(({ min }) => min),
        max: points.map(({ max }) => max),
        avg: points.map(({ avg }) => avg),
        last: points.map(({ last }) => last),
      },
      partial: isSum ? summarisePartial(points) : null,
    };
  }

  #countAt = (cell: number): number => present(this.#told[cell]) + present(this.#held[cell]);

  #sinceOf(cell: number): number {
    const range = this.#ranges.findLast(({ first }) => first <= cell) ?? this.#ranges[0];
    return range === undefined ? 0 : range.sinceMs + (cell - range.first) * range.lengthMs;
  }

  #levelAt(cell: number): Level {
    const { min, max, avg, last } = this.#columns;
    const by = this.#job.across === "avg" ? this.#countAt(cell) : 1;
    return {
      min: present(min[cell]) / by,
      max: present(max[cell]) / by,
      avg: present(avg[cell]) / by,
      last: present(last[cell]) / by,
    };
  }
}
