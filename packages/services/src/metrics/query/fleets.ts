/**
 * Finds the part of a question that the buckets answer that fleets have merged ahead, and what else is to be read so
 * that the answer is the merge of all the series that were asked for:
 *
 *     fleet    .....1h.....|....10m....|...1m...|          up to the newest bucket of its finest resolution
 *     members                                   |.1m.|.raw.   what came after it
 *     a late member            (what its buckets lack up to there, from the resolution below)
 *     others   as ever         series whose fleet holds more than was asked for
 */
import type { MetricDefinition, MetricName } from "@stashlight/contracts/metrics";
import type { MetricQuery } from "@stashlight/contracts/metrics/query";
import {
  type FleetAcross,
  findFleetSeries,
  findNodes,
  individualLabelsOf,
  type MetricClient,
  type Resolution,
  type RollupResolution,
  readHistograms,
} from "@stashlight/db/metrics";
import { present } from "../../present.ts";
import { fromCoarsest, type Plan, type PlanInput, planRange, SAMPLE_ROW_COUNT_MAX } from "./plan.ts";
import type { SelectedSeries } from "./select.ts";

/** Less is merged as quickly as its fleet is found: series of histograms, or nodes, whose samples share a row. */
export const FLEET_SERIES_MIN = 64;
export const FLEET_NODES_MIN = 12;

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

/** How a question is answered: in which resolution, and what is read of each group. */
export async function planCovered(
  client: MetricClient,
  { metric, kind, across }: FleetQuestion,
  groups: readonly (readonly SelectedSeries[])[],
  range: Omit<PlanInput, "rowsPerWindow" | "finest" | "rowCountMax">,
): Promise<{ plan: Plan; covered: readonly Covered[] }> {
  const isHistogram = kind === "histogram";
  const rowCountOf = (series: readonly SelectedSeries[]): number =>
    isHistogram ? series.length : new Set(series.map(({ nodeId }) => nodeId)).size;
  const input = isHistogram ? range : { ...range, rowCountMax: SAMPLE_ROW_COUNT_MAX };
  const rowsPerWindow = rowCountOf(groups.flat());
  const plan = planRange({ ...input, rowsPerWindow });
  const isSmall = rowsPerWindow < (isHistogram ? FLEET_SERIES_MIN : FLEET_NODES_MIN);
  if (isSmall || plan.resolution === "raw") {
    return { plan: fromCoarsest(plan), covered: groups.map((others) => ({ fleets: [], others })) };
  }
  const fleetAcross = kind === "gauge" ? (across === "avg" ? "sum" : across) : null;
  // With fewer rows points become shorter, so that the range begins at most a point earlier.
  const covered = await coverByFleets(client, metric, fleetAcross, groups, plan.startMs - plan.stepMs);
  const rows = covered.reduce((sum, { fleets }) => sum + fleets.length, 0);
  const ofOthers = rowCountOf(covered.flatMap(({ others }) => others));
  const planned = planRange({ ...input, rowsPerWindow: rows + ofOthers, finest: "1m" });
  return { plan: fromCoarsest(planned), covered };
}

/** For each group the fleets that hold just its series; of any that told nothing after `sinceMs` it does not matter. */
async function coverByFleets(
  client: MetricClient,
  metric: MetricName,
  /** How gauges are merged across series; null for other kinds. */
  across: FleetAcross | null,
  groups: readonly (readonly SelectedSeries[])[],
  sinceMs: number,
): Promise<Covered[]> {
  const found = await findFleetSeries(client, metric, across, sinceMs);
  const nodes = await findNodes(client, [...new Set(found.map(({ fleetId }) => fleetId))]);
  const individual = new Set([...individualLabelsOf(metric), "node", "vault"]);
  // Made for each of thousands of series, of which most have no more than one label that is common.
  const keyOf = (fleetId: string | undefined, labels: Readonly<Record<string, string>>): string => {
    let key = fleetId ?? "";
    for (const label of Object.keys(labels).sort()) {
      if (!individual.has(label)) key += `\0${label}\0${labels[label]}`;
    }
    return key;
  };
  const byKey = new Map(found.map((each) => [keyOf(each.fleetId, each.labels), each]));
  const parents = new Map(found.map(({ fleetId, parentId }) => [fleetId, parentId ?? fleetId]));
  const isTold = ({ node }: SelectedSeries): boolean => (node.newestMs ?? Number.POSITIVE_INFINITY) > sinceMs;

  const cover = (series: readonly SelectedSeries[], fleetOf: (of: string) => string | undefined): Covered => {
    const others: SelectedSeries[] = [];
    const fleets: Covered["fleets"][number][] = [];
    const byFleet = Map.groupBy(series, ({ node, labels }) => keyOf(fleetOf(node.fleetId ?? ""), labels));
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
  { resolution, startMs, endMs }: Plan,
  groups: readonly Covered[],
): Promise<string[][]> {
  const whole = { resolution, fromMs: startMs, toMs: endMs };
  const readings = groups.flatMap(({ fleets, others }, group): Reading[] => [
    ...others.map((series) => ({ ...whole, group, source: sourceOf(series) })),
    ...fleets.flatMap(({ source, members }) => [
      { ...whole, group, source },
      ...members.flatMap((member) =>
        missingOf(member, source, whole).map((range) => ({ ...range, group, source: sourceOf(member) })),
      ),
    ]),
  ]);
  const packed = groups.map((): string[] => []);
  const ranges = Map.groupBy(readings, (each) => `${each.resolution} ${each.fromMs} ${each.toMs}`);
  const lanes = [...ranges.values()].flatMap(lanesOf);
  const read = await Promise.all(
    lanes.map((lane) =>
      readHistograms(
        client,
        present(lane[0]),
        lane.map(({ source }) => source),
      ),
    ),
  );
  // In an order that is the same each time, as sums of fractions depend on theirs.
  for (const [i, lane] of lanes.entries()) {
    for (const [j, { group }] of lane.entries()) packed[group]?.push(present(read[i]?.[j]));
  }
  return packed;
}

/** From so many series on the windows are read over two connections: each hour of each lies on a page of its own. */
const LANES_SERIES_MIN = 32;

function lanesOf(readings: readonly Reading[]): (readonly Reading[])[] {
  if (readings.length < LANES_SERIES_MIN) return [readings];
  const half = Math.ceil(readings.length / 2);
  return [readings.slice(0, half), readings.slice(half)];
}

const sourceOf = ({ nodeId, seriesId, node: { watermarks } }: SelectedSeries): Source => ({
  nodeId,
  seriesId,
  watermarks,
});

const FINER: Readonly<Record<RollupResolution, Resolution>> = { "1h": "10m", "10m": "1m", "1m": "raw" };

/** What a fleet's buckets do not hold of a member in this range. */
export function missingOf(
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
