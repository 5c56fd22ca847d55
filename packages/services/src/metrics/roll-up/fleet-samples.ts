/** Merges the gauges and counters of fleets' buckets from those of their members. */
import { isMetricName, type MetricName } from "@stashlight/contracts/metrics";
import {
  FLEET_ACROSS,
  type FleetAcross,
  type FleetSamplePart,
  individualLabels,
  type LayoutNames,
  type MetricClient,
  type MetricConnection,
  type Queryable,
  type RollupMark,
  type RollupResolution,
  readFleetSamples,
  readLayoutNames,
  replaceFleetSamples,
} from "@stashlight/db/metrics";
import { present } from "../../present.ts";
import { knownIds } from "../ingest/known-ids.ts";

/** A column of a layout, as its fleet sees it; equal columns of all layouts share one object. */
interface Common {
  readonly key: string;
  readonly metric: MetricName;
  readonly labels: Readonly<Record<string, string>>;
}

interface Place {
  readonly common: Common;
  /** Rule by which a fleet's own series merges its members; null for a node's, which is part of all three. */
  readonly across: FleetAcross | null;
}

interface KnownLayout {
  readonly gauges: readonly (Place | null)[];
  readonly counters: readonly (Place | null)[];
}

/** Caches layouts, which never change. All are dropped at once when there are many more than nodes. */
class KnownLayouts {
  readonly #layouts = new Map<number, KnownLayout>();
  readonly #commons = new Map<string, Common>();

  async of(db: Queryable, parts: readonly FleetSamplePart[]): Promise<ReadonlyMap<number, KnownLayout>> {
    if (this.#layouts.size > LAYOUT_COUNT_MAX) this.#layouts.clear();
    const missing = new Map(parts.map((part) => [part.layoutId, part]));
    for (const layoutId of missing.keys()) if (this.#layouts.has(layoutId)) missing.delete(layoutId);
    for (const layout of await readLayoutNames(db, [...missing.values()])) {
      const places = layout.names.map((name) => this.#place(name));
      this.#layouts.set(layout.layoutId, {
        gauges: places.slice(0, layout.gaugeCount),
        counters: places.slice(layout.gaugeCount),
      });
    }
    return this.#layouts;
  }

  /** Null for a metric that is no longer in the catalogue. */
  #place([metric, { across, ...labels }]: LayoutNames["names"][number]): Place | null {
    if (!isMetricName(metric)) return null;
    const individual = new Set(individualLabels(metric));
    const kept = Object.entries(labels)
      .filter(([label]) => !individual.has(label))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([metric, kept]);
    const common = this.#commons.get(key) ?? {
      key,
      metric,
      labels: Object.fromEntries(kept),
    };
    this.#commons.set(key, common);
    return { common, across: FLEET_ACROSS.find((each) => each === across) ?? null };
  }
}

const LAYOUT_COUNT_MAX = 50_000;
const layoutsByClient = new WeakMap<MetricClient, KnownLayouts>();

function knownLayouts(client: MetricClient): KnownLayouts {
  const known = layoutsByClient.get(client) ?? new KnownLayouts();
  layoutsByClient.set(client, known);
  return known;
}

interface Level {
  count: number;
  avg: number;
  min: number;
  max: number;
  last: number;
}

const NOTHING: Readonly<Record<FleetAcross, number>> = {
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
};
const combine: Readonly<Record<FleetAcross, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  min: Math.min,
  max: Math.max,
};

const emptyLevel = (across: FleetAcross): Level => {
  const nothing = NOTHING[across];
  return { count: 0, avg: nothing, min: nothing, max: nothing, last: nothing };
};

type GaugeTotal = Readonly<Record<FleetAcross, Level>>;

function addTo(total: GaugeTotal, across: FleetAcross, level: Readonly<Level>): void {
  const sum = total[across];
  const both = combine[across];
  sum.count += level.count;
  sum.avg = both(sum.avg, level.avg);
  sum.min = both(sum.min, level.min);
  sum.max = both(sum.max, level.max);
  sum.last = both(sum.last, level.last);
}

interface Totals {
  readonly gauges: Map<Common, GaugeTotal>;
  readonly counters: Map<Common, number>;
}

/** A fleet's series already hold averages, a node's the sum of its values. */
function addGauges(
  { gauges }: Totals,
  places: KnownLayout["gauges"],
  fields: FleetSamplePart["fields"],
): void {
  const [counts, sums] = [present(fields[0]), present(fields[1])];
  const [mins, maxs, lasts] = [present(fields[2]), present(fields[3]), present(fields[4])];
  for (const [i, place] of places.entries()) {
    if (place === null) continue;
    const { common, across } = place;
    const total = gauges.get(common) ?? {
      sum: emptyLevel("sum"),
      min: emptyLevel("min"),
      max: emptyLevel("max"),
    };
    gauges.set(common, total);
    const rest = { min: present(mins[i]), max: present(maxs[i]), last: present(lasts[i]) };
    const [count, sum] = [present(counts[i]), present(sums[i])];
    if (across !== null) addTo(total, across, { ...rest, count, avg: sum });
    else for (const each of FLEET_ACROSS) addTo(total, each, { ...rest, count: 1, avg: sum / count });
  }
}

function addCounters({ counters }: Totals, places: KnownLayout["counters"], values: Float64Array): void {
  for (const [i, place] of places.entries()) {
    if (place !== null) counters.set(place.common, (counters.get(place.common) ?? 0) + present(values[i]));
  }
}

/** Runs in the transaction that took these marks. `client` creates ids, which stay even if the transaction fails. */
export async function rollUpFleetSamples(
  client: MetricClient,
  connection: MetricConnection,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
  nowMs: number,
): Promise<void> {
  const gauges = await readFleetSamples(connection, "gauge", resolution, marks);
  const counters = await readFleetSamples(connection, "counter", resolution, marks);
  const layouts = await knownLayouts(client).of(connection, [...gauges, ...counters]);
  const totals = new Map<RollupMark, Totals>(
    marks.map((mark) => [mark, { gauges: new Map(), counters: new Map() }]),
  );
  for (const { mark, layoutId, fields } of gauges) {
    addGauges(present(totals.get(mark)), layouts.get(layoutId)?.gauges ?? [], fields);
  }
  for (const { mark, layoutId, fields } of counters) {
    addCounters(present(totals.get(mark)), layouts.get(layoutId)?.counters ?? [], present(fields[0]));
  }
  await replaceFleetSamples(connection, resolution, marks, await readBuckets(client, totals, nowMs));
}

const byKey = ([a]: readonly [Common, unknown], [b]: readonly [Common, unknown]): number =>
  a.key < b.key ? -1 : 1;

async function readBuckets(client: MetricClient, totals: ReadonlyMap<RollupMark, Totals>, nowMs: number) {
  const filled = [...totals].flatMap(([mark, { gauges, counters }]) => {
    if (gauges.size + counters.size === 0) return [];
    const levels = [...gauges]
      .sort(byKey)
      .flatMap(([{ metric, labels }, total]) =>
        FLEET_ACROSS.map((across) => ({ metric, labels: { ...labels, across }, level: total[across] })),
      );
    return [{ mark, levels, increases: [...counters].sort(byKey) }];
  });
  const known = knownIds(client).ofFleets;
  const found = await known.series(
    client,
    filled.map(({ mark, levels, increases }) => ({
      nodeId: mark.nodeId,
      names: [...levels, ...increases.map(([common]) => common)],
    })),
    nowMs,
  );
  // Series beyond the bounds are dropped; a query then reads the nodes instead of their fleet.
  const kept = filled.map(({ mark, levels, increases }, i) => {
    const { fit, ids } = present(found[i]);
    const isKept = (place: number): boolean => fit.places[place] !== -1;
    return {
      mark,
      ids,
      levels: levels.filter((_, place) => isKept(place)),
      increases: increases.filter((_, place) => isKept(levels.length + place)),
    };
  });
  const layouts = await known.layouts(
    client,
    kept.map(({ mark, ids, levels }) => ({
      nodeId: mark.nodeId,
      seriesIds: ids,
      gaugeCount: levels.length,
      // A fleet has no raw rows.
      narrowAfter: 0,
    })),
    nowMs,
  );
  known.forgetSome();
  return kept.map(({ mark, levels, increases }, i) => ({
    ...mark,
    layoutId: present(layouts[i]),
    gauges: {
      counts: levels.map(({ level }) => level.count),
      sums: levels.map(({ level }) => level.avg),
      mins: levels.map(({ level }) => level.min),
      maxs: levels.map(({ level }) => level.max),
      lasts: levels.map(({ level }) => level.last),
    },
    increases: increases.map(([, increase]) => increase),
  }));
}
