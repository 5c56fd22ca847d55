/**
 * Splits a query into the part that pre-merged fleet buckets answer and the rest that must be read, so that the answer
 * is the merge of all its series:
 *
 *     fleet    .....1h.....|....10m....|...1m...|          up to the newest bucket of its finest resolution
 *     members                                   |.1m.|.raw.   later data
 *     a late member            (what its buckets lack up to there, from the resolution below)
 *     others   one by one      series whose fleet holds more than the query covers
 *
 * The newest minute of thousands of members costs more than an hour of pre-merged buckets. An answer about that many
 * series ends at the newest fleet bucket, which is at most a minute and a half old while the roll-up keeps up.
 */
import type { MetricDefinition, MetricName } from "@stashlight/contracts/metrics";
import type { MetricQuery } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time";
import {
  areFleetsPending,
  type FleetAcross,
  findFleetSeries,
  individualLabels,
  type MetricClient,
  type Resolution,
  type RollupResolution,
  readHistograms,
} from "@stashlight/db/metrics";
import { present } from "../../present.ts";
import { fromCoarsest, type Plan, type PlanInput, planRange, SAMPLE_ROW_COUNT_MAX } from "./plan.ts";
import { nodesById, type SelectedSeries } from "./select.ts";
import { sharing } from "./sharing.ts";

/**
 * With fewer series of histograms, or nodes of samples (which share a row), merging is as quick as finding the fleet.
 */
export const FLEET_SERIES_MIN = 64;
export const FLEET_NODES_MIN = 12;

/** Limit on raw windows to read for points finer than a minute where fleets answer. */
const RAW_ROWS_MAX = 20_000;
/** Limit on members to read one by one for the time after their fleets' newest bucket. */
export const TAIL_SERIES_MAX = 500;
/**
 * A one-minute bucket is built 20 s after its end, and is the newest for a minute. If the newest is older, answers do
 * not wait for fleets.
 */
const FLEET_AGE_MS_MAX = 3 * MINUTE_MS;

type Source = Parameters<typeof readHistograms>[2][number];

/** The series of one line of a chart. */
export interface Covered {
  readonly fleets: readonly { readonly source: Source; readonly members: readonly SelectedSeries[] }[];
  readonly others: readonly SelectedSeries[];
}

export interface FleetQuestion {
  readonly metric: MetricName;
  readonly kind: MetricDefinition["kind"];
  readonly across: MetricQuery["across"];
}

/** Plan for answering a query: the resolution, and the parts to read for each group. */
export async function planCovered(
  client: MetricClient,
  { metric, kind, across }: FleetQuestion,
  groups: readonly (readonly SelectedSeries[])[],
  range: Omit<PlanInput, "rowsPerWindow" | "finest" | "rowCountMax" | "rawRowCountMax">,
): Promise<{ plan: Plan; covered: readonly Covered[] }> {
  const isHistogram = kind === "histogram";
  const countRows = (series: readonly SelectedSeries[]): number =>
    isHistogram ? series.length : new Set(series.map(({ nodeId }) => nodeId)).size;
  const input = isHistogram ? range : { ...range, rowCountMax: SAMPLE_ROW_COUNT_MAX };
  const rowsPerWindow = countRows(groups.flat());
  const isSmall = rowsPerWindow < (isHistogram ? FLEET_SERIES_MIN : FLEET_NODES_MIN);
  const plan = planRange({ ...input, rowsPerWindow, ...(isSmall ? {} : { rawRowCountMax: RAW_ROWS_MAX }) });
  const coarsest = fromCoarsest(plan);
  if (isSmall || coarsest.resolution === "raw") {
    return { plan: coarsest, covered: groups.map((others) => ({ fleets: [], others })) };
  }
  const fleetAcross = kind === "gauge" ? (across === "avg" ? "sum" : across) : null;
  // With fewer rows points become shorter, so the range begins at most one point earlier.
  const covered = await coverByFleets(client, metric, fleetAcross, groups, plan.startMs - plan.stepMs);
  const rows = covered.reduce((sum, { fleets }) => sum + fleets.length, 0);
  const ofOthers = countRows(covered.flatMap(({ others }) => others));
  const planned = planRange({ ...input, rowsPerWindow: rows + ofOthers, finest: "1m" });
  const leastMs = Math.max(range.nowMs - FLEET_AGE_MS_MAX, planned.startMs + planned.stepMs);
  const readToMs = areMany(groups) ? mergedUntilMs(covered, leastMs) : planned.endMs;
  return { plan: { ...fromCoarsest(planned), readToMs: Math.min(planned.endMs, readToMs) }, covered };
}

/** True if all groups together have too many series to read their newest minute one by one. */
export const areMany = (groups: readonly (readonly SelectedSeries[])[]): boolean =>
  groups.reduce((sum, { length }) => sum + length, 0) > TAIL_SERIES_MAX;

/** End of the buckets that fleets have merged; infinite if that is before `leastMs`, or without fleets. */
function mergedUntilMs(covered: readonly Covered[], leastMs: number): number {
  const fleets = covered.flatMap((group) => group.fleets);
  const untilMs = fleets.length === 0 ? 0 : sharedWatermarks(fleets)["1m"];
  return untilMs < leastMs ? Number.POSITIVE_INFINITY : untilMs;
}

export const ROLLED_UP = ["1h", "10m", "1m"] as const satisfies readonly RollupResolution[];

/**
 * Time up to which all of these fleets have buckets. Ignores a fleet whose members reported nothing after its newest
 * bucket, because no further bucket will come.
 */
export function sharedWatermarks(fleets: Covered["fleets"]): Source["watermarks"] {
  const shared = { "1m": 0, "10m": 0, "1h": 0 };
  let coarserMs = 0;
  for (const of of ROLLED_UP) {
    const all = fleets.map(({ source }) => source.watermarks[of]);
    const behind = fleets.flatMap(({ source, members }) => {
      const ownMs = source.watermarks[of];
      return members.some(({ node }) => (node.newestMs ?? 0) > ownMs) ? [ownMs] : [];
    });
    shared[of] = Math.max(coarserMs, behind.length > 0 ? Math.min(...behind) : Math.max(...all));
    coarserMs = shared[of];
  }
  return shared;
}

const fleetSeriesOf = sharing(findFleetSeries, ({ length }) => length);
const arePending = sharing(areFleetsPending);

/**
 * Finds for each group the fleets that contain exactly its series; series without reports since `sinceMs` do not
 * matter.
 */
async function coverByFleets(
  client: MetricClient,
  metric: MetricName,
  /** Merge of gauges across series; null for other kinds. */
  across: FleetAcross | null,
  groups: readonly (readonly SelectedSeries[])[],
  sinceMs: number,
): Promise<Covered[]> {
  const found = (await arePending(client)) ? [] : await fleetSeriesOf(client, metric, across, sinceMs);
  const nodes = await nodesById(client, [...new Set(found.map(({ fleetId }) => fleetId))]);
  const individual = new Set([...individualLabels(metric), "node", "vault"]);
  // Called for each of thousands of series, and most of them share at most one label.
  const fleetSeriesKey = (fleetId: string | undefined, labels: Readonly<Record<string, string>>): string => {
    let key = fleetId ?? "";
    for (const label of Object.keys(labels).sort()) {
      if (!individual.has(label)) key += `\0${label}\0${labels[label]}`;
    }
    return key;
  };
  const byKey = new Map(found.map((each) => [fleetSeriesKey(each.fleetId, each.labels), each]));
  const parents = new Map(found.map(({ fleetId, parentId }) => [fleetId, parentId ?? fleetId]));
  const isTold = ({ node }: SelectedSeries): boolean => (node.newestMs ?? Number.POSITIVE_INFINITY) > sinceMs;

  const cover = (series: readonly SelectedSeries[], fleetOf: (of: string) => string | undefined): Covered => {
    const others: SelectedSeries[] = [];
    const fleets: Covered["fleets"][number][] = [];
    const byFleet = Map.groupBy(series, ({ node, labels }) =>
      fleetSeriesKey(fleetOf(node.fleetId ?? ""), labels),
    );
    for (const [key, all] of byFleet) {
      const fleet = byKey.get(key);
      const members = all.filter(isTold);
      const watermarks = fleet && nodes.get(fleet.fleetId)?.watermarks;
      if (!fleet || !watermarks || members.length !== fleet.memberSeriesCount) others.push(...all);
      else fleets.push({ source: { nodeId: fleet.fleetId, seriesId: fleet.seriesId, watermarks }, members });
    }
    return { fleets, others };
  };
  return groups.map((series) => {
    const whole = cover(series, (fleetId) => parents.get(fleetId));
    const ofVaults = cover(whole.others, (fleetId) => fleetId);
    return { fleets: [...whole.fleets, ...ofVaults.fleets], others: ofVaults.others };
  });
}

interface Reading {
  readonly group: number;
  readonly source: Source;
  readonly resolution: Resolution;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The packed windows of each group. */
export async function readCovered(
  client: MetricClient,
  { resolution, startMs, readToMs }: Plan,
  groups: readonly Covered[],
): Promise<string[][]> {
  const whole = { resolution, fromMs: startMs, toMs: readToMs };
  const readings = groups.flatMap(({ fleets, others }, group): Reading[] => [
    ...others.map((series) => ({ ...whole, group, source: seriesSource(series) })),
    ...fleets.flatMap(({ source, members }) => [
      { ...whole, group, source },
      ...members.flatMap((member) =>
        missingRanges(member, source, whole).map((range) => ({
          ...range,
          group,
          source: seriesSource(member),
        })),
      ),
    ]),
  ]);
  const packed = groups.map((): string[] => []);
  const ranges = Map.groupBy(readings, (each) => `${each.resolution} ${each.fromMs} ${each.toMs}`);
  const lanes = [...ranges.values()].flatMap(splitLanes);
  const read = await Promise.all(
    lanes.map((lane) =>
      readHistograms(
        client,
        present(lane[0]),
        lane.map(({ source }) => source),
      ),
    ),
  );
  // In a stable order, because sums of fractions depend on it.
  for (const [i, lane] of lanes.entries()) {
    for (const [j, { group }] of lane.entries()) packed[group]?.push(present(read[i]?.[j]));
  }
  return packed;
}

/**
 * From this number of series on, windows are read over two connections, because each hour of each series is on a
 * separate page.
 */
const LANES_SERIES_MIN = 32;

function splitLanes(readings: readonly Reading[]): (readonly Reading[])[] {
  if (readings.length < LANES_SERIES_MIN) return [readings];
  const half = Math.ceil(readings.length / 2);
  return [readings.slice(0, half), readings.slice(half)];
}

const seriesSource = ({ nodeId, seriesId, node: { watermarks } }: SelectedSeries): Source => ({
  nodeId,
  seriesId,
  watermarks,
});

const FINER: Readonly<Record<RollupResolution, Resolution>> = { "1h": "10m", "10m": "1m", "1m": "raw" };

/** Ranges of a member that a fleet's buckets lack. */
export function missingRanges(
  { node }: Pick<SelectedSeries, "node">,
  fleet: Pick<Source, "watermarks">,
  { resolution, fromMs, toMs }: Pick<Reading, "resolution" | "fromMs" | "toMs">,
): Pick<Reading, "resolution" | "fromMs" | "toMs">[] {
  const missing: Pick<Reading, "resolution" | "fromMs" | "toMs">[] = [];
  const newestMs = node.newestMs ?? 0;
  let sinceMs = fromMs;
  for (let at = resolution; at !== "raw"; at = FINER[at]) {
    const untilMs = Math.min(toMs, fleet.watermarks[at]);
    const madeMs = Math.max(sinceMs, node.watermarks[at]);
    if (madeMs < untilMs && newestMs > madeMs) {
      missing.push({ resolution: FINER[at], fromMs: madeMs, toMs: untilMs });
    }
    sinceMs = Math.max(sinceMs, untilMs);
  }
  if (sinceMs < toMs && newestMs > sinceMs) missing.push({ resolution: "1m", fromMs: sinceMs, toMs });
  return missing;
}
