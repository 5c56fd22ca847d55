/**
 * Fits a window to the store's limits: series beyond them are counted under "other" or dropped, and each such change is
 * reported.
 */
import {
  type DecodedWindow,
  HistogramSum,
  type ItemRefusalReason,
  packHistogram,
} from "@stashlight/telemetry";
import { present } from "../../present.ts";
import type { Branch, NodeSeries, SeriesName } from "./node-series.ts";

/** Reasons why values of a batch are not stored, or not under their own name. */
export type RemarkReason =
  | ItemRefusalReason
  | "too_many_values"
  | "too_many_series"
  | "store_full"
  /** These values are stored. */
  | "counted_as_other";

export interface Remark {
  /** Empty for whole windows. */
  readonly metric: string;
  readonly reason: RemarkReason;
  /** The number of values. */
  readonly count: number;
}

/** Destination of each series of a window. */
export interface Fit {
  /** For each incoming series its index in `names`, or -1 if it is dropped. */
  readonly places: readonly number[];
  /** The series that are stored, in the order of histograms, gauges and counters. */
  readonly names: readonly SeriesName[];
  readonly branches: readonly Branch[];
  readonly remarks: readonly Remark[];
}

/** Number of series that may still be created. */
export interface SeriesAllowance {
  left: number;
}

/**
 * Finds the series of a window, or adds them to `series` within the limits. Added branches have no id until the store
 * has created them.
 */
export function fitSeries(series: NodeSeries, names: readonly SeriesName[], room: SeriesAllowance): Fit {
  const remarks = new Remarks();
  const kept: { readonly name: SeriesName; readonly branch: Branch }[] = [];
  const hasOwn = new Set<Branch>();
  const placeOf = new Map<Branch, number>();
  const placed = (own: SeriesName): number => {
    const known = series.find(own);
    const name = known === undefined ? series.nameWithRoom(own) : own;
    if (name === null) return remarks.leftOut(own, "too_many_values");
    const isFolded = name !== own;
    let branch = known ?? (isFolded ? series.find(name) : undefined);
    if (branch === undefined) {
      if (series.isFull) return remarks.leftOut(own, "too_many_series");
      if (room.left <= 0) return remarks.leftOut(own, "store_full");
      room.left -= 1;
      branch = series.add(name);
    }
    if (isFolded) remarks.add(own, "counted_as_other");
    const place = placeOf.get(branch) ?? kept.length;
    if (!isFolded && hasOwn.has(branch)) return remarks.leftOut(own, "comes_twice");
    if (!isFolded) hasOwn.add(branch);
    if (place === kept.length) kept.push({ name, branch });
    placeOf.set(branch, place);
    return place;
  };
  return {
    places: names.map(placed),
    names: kept.map(({ name }) => name),
    branches: kept.map(({ branch }) => branch),
    remarks: remarks.list(),
  };
}

class Remarks {
  readonly #counts = new Map<string, { metric: string; reason: RemarkReason; count: number }>();

  add({ metric }: SeriesName, reason: RemarkReason): void {
    const key = `${metric} ${reason}`;
    const known = this.#counts.get(key) ?? { metric, reason, count: 0 };
    known.count += 1;
    this.#counts.set(key, known);
  }

  leftOut(name: SeriesName, reason: RemarkReason): -1 {
    this.add(name, reason);
    return -1;
  }

  list(): Remark[] {
    return [...this.#counts.values()];
  }
}

/** Returns the window with the series of `fit`. Sums that overflow are dropped. */
export function fitWindow(
  window: DecodedWindow,
  { places, names }: Fit,
): { window: DecodedWindow; remarks: Remark[] } {
  const remarks = new Remarks();
  const groupItems = <Item extends SeriesName>(items: readonly Item[], from: number): Item[][] => {
    const groups = new Map<number, Item[]>();
    for (const [i, item] of items.entries()) {
      const place = present(places[from + i]);
      if (place === -1) continue;
      const group = groups.get(place);
      const named = { ...item, labels: present(names[place]).labels };
      if (group === undefined) groups.set(place, [named]);
      else group.push(named);
    }
    return [...groups.values()];
  };
  const { histograms, gauges, counters } = window;
  const gaugesFrom = histograms.length;
  const countersFrom = gaugesFrom + gauges.length;
  return {
    window: {
      ...window,
      histograms: groupItems(histograms, 0).map((group) => sumOfHistograms(group, remarks)),
      gauges: groupItems(gauges, gaugesFrom).map((group) => sumFields(group, ["value"], remarks)),
      counters: groupItems(counters, countersFrom).map((group) =>
        sumFields(group, ["increase", "total"], remarks),
      ),
    },
    remarks: remarks.list(),
  };
}

type Histogram = DecodedWindow["histograms"][number];

function sumOfHistograms(group: readonly Histogram[], remarks: Remarks): Histogram {
  const first = present(group[0]);
  if (group.length === 1) return first;
  const sum = new HistogramSum();
  for (const each of group) {
    const { histogram } = each;
    const isPossible = sum.count + histogram.count <= Number.MAX_SAFE_INTEGER;
    if (isPossible) sum.add(histogram, histogram.buckets, 0, histogram.buckets.length);
    else remarks.add(each, "impossible_value");
  }
  return { ...first, histogram: packHistogram(sum.content()) };
}

function sumFields<Field extends string, Item extends SeriesName & Readonly<Record<Field, number>>>(
  group: readonly Item[],
  fields: readonly Field[],
  remarks: Remarks,
): Item {
  const first = present(group[0]);
  let sums = fields.map((field): number => first[field]);
  for (const each of group.slice(1)) {
    const more = sums.map((sum, i) => sum + each[present(fields[i])]);
    if (more.every(Number.isFinite)) sums = more;
    else remarks.add(each, "impossible_value");
  }
  return { ...first, ...Object.fromEntries(fields.map((field, i) => [field, sums[i]])) };
}
