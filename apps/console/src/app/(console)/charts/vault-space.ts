/** Fill, garbage and space amplification of vaults, nodes and drives, for every page that shows them. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import {
  type Fill,
  isOneMoment,
  type Measured,
  measureFill,
  podSpace,
  vaultSpace,
} from "@stashlight/contracts/space";
import { type ChartThreshold, formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";
import { measuredLast } from "./occupancy.ts";

const live = "stashlight_pod_live_bytes";
const garbage = "stashlight_pod_garbage_bytes";
const rawCapacity = "stashlight_pod_capacity_bytes";
const visible = "stashlight_pod_visible_bytes";
const counted = "stashlight_pod_counted_bytes";

type Scope = Pick<MetricSelection, "where" | "nodeIds">;

/** Level of the figures. Coordinators report a vault's space; nodes and drives report their own. */
export type SpaceOf = "Vault" | "Node" | "Drive";

export const spaceSelections = (of: SpaceOf = "Vault", scope: Scope = {}): MetricSelection[] => {
  const ask = (metric: MetricName, across: "sum" | "max" = "sum"): MetricSelection => ({
    ...scope,
    metric,
    groupBy: ["vault"],
    across,
    summarise: true,
  });
  const ofFill =
    of === "Vault"
      ? [ask(vaultSpace.taken, "max"), ask(vaultSpace.capacity, "max")]
      : [ask(podSpace.taken), ask(podSpace.capacity)];
  return [
    ...ofFill,
    ...([live, garbage, rawCapacity, visible, counted] as const).map((metric) => ask(metric)),
  ];
};

/** Interval of the pods' reports. */
const REPORT_EVERY_MS = 10_000;

export interface Space {
  readonly vault: string;
  /** Null if its source does not report. */
  readonly fill: Fill | null;
  readonly garbage: { readonly bytes: number; readonly share: number; readonly atMs: number } | null;
  /** Bytes in use on pods per byte that visible objects need there, at the last count of objects. */
  readonly amplification: { readonly ratio: number; readonly atMs: number } | { readonly missing: string };
}

/** Space of each vault, fullest first. */
export function readSpace(answers: readonly MetricAnswer[], of: SpaceOf = "Vault"): Space[] {
  const vaults = new Set(answers.flatMap(({ series }) => series.map(({ labels }) => labels.vault ?? "")));
  return [...vaults]
    .map((vault) => readVault(answers, vault, of))
    .filter((space) => space.fill !== null || space.garbage !== null)
    .sort((a, b) => (b.fill?.share ?? -1) - (a.fill?.share ?? -1));
}

function readVault(answers: readonly MetricAnswer[], vault: string, of: SpaceOf): Space {
  const read = (metric: MetricName): Measured | null =>
    measuredLast(answerTo(answers, metric)?.series.find(({ labels }) => (labels.vault ?? "") === vault));
  const [liveBytes, garbageBytes, capacity] = [read(live), read(garbage), read(rawCapacity)];
  const hasBoth = liveBytes !== null && garbageBytes !== null && isOneMoment(liveBytes, garbageBytes);
  const used = hasBoth
    ? { bytes: liveBytes.bytes + garbageBytes.bytes, atMs: Math.min(liveBytes.atMs, garbageBytes.atMs) }
    : null;
  // During heavy writes or deletions, a sum of two reports matches the total at no point in time.
  const isOneReport = hasBoth && Math.abs(liveBytes.atMs - garbageBytes.atMs) < REPORT_EVERY_MS;
  const space = of === "Vault" ? vaultSpace : podSpace;
  // After an outage sums may cover only some pods, which would look like a smaller vault.
  const isOfAllPods = ([live, garbage, rawCapacity] as const).every(
    (metric) => answerTo(answers, metric)?.partial === undefined,
  );
  return {
    vault,
    fill: measureFill({
      objects: read(space.taken),
      room: read(space.capacity),
      rawUsed: isOfAllPods && isOneReport ? used : null,
      rawCapacity: capacity,
    }),
    garbage:
      used === null || garbageBytes === null
        ? null
        : { ...garbageBytes, share: used.bytes > 0 ? garbageBytes.bytes / used.bytes : 0 },
    amplification: measureAmplification(read(counted), read(visible), capacity),
  };
}

/**
 * Minimum share of the capacity that visible objects need for a ratio; with fewer, a vault's first segments would
 * look like amplification.
 */
const VISIBLE_SHARE_MIN = 0.01;

/** Returns no ratio for figures of different moments, or if fewer bytes are in use than the objects need. */
function measureAmplification(
  inUse: Measured | null,
  needed: Measured | null,
  capacity: Measured | null,
): Space["amplification"] {
  if (inUse === null || needed === null || capacity === null || !isOneMoment(inUse, needed)) {
    return { missing: "objects are not counted yet" };
  }
  if (needed.bytes < VISIBLE_SHARE_MIN * capacity.bytes || needed.bytes <= 0) {
    return { missing: "too few objects" };
  }
  if (inUse.bytes < needed.bytes) return { missing: "pods lack shards" };
  return { ratio: inUse.bytes / needed.bytes, atMs: Math.min(inUse.atMs, needed.atMs) };
}

/** Sources of a chart of the pods' space, with `usableThreshold` as its limit. */
export function spaceSources(scope: Scope = {}): LinesSource[] {
  return [
    { ...scope, metric: live, lines: [{ column: "avg", label: "live", tone: "pod", hasBand: true }] },
    {
      ...scope,
      metric: visible,
      lines: [{ column: "avg", label: "visible", tone: "pod", weight: "light" }],
    },
    {
      ...scope,
      metric: garbage,
      lines: [{ column: "avg", label: "garbage", tone: "unknown", weight: "dotted" }],
    },
    { ...scope, metric: podSpace.capacity, lines: [] },
  ];
}

export function usableThreshold(answers: readonly MetricAnswer[]): ChartThreshold[] {
  const usable = measuredLast(answerTo(answers, podSpace.capacity)?.series[0]);
  if (usable === null) return [];
  const { value, unit } = formatQuantity("bytes", usable.bytes);
  return [{ value: usable.bytes, label: `full at ${value} ${unit}, parity included`, tone: "bad" }];
}
