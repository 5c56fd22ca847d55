/** When the vaults behind an endpoint need another one, from the pods of all of them. */
import { vaultMarks } from "@stashlight/contracts/judgement";
import type { Live, LiveAddVault } from "@stashlight/contracts/planner";
import { type TimeToFull, timeToFull } from "@stashlight/contracts/vault/time-to-full";
import { allNamed } from "../../all-named.ts";
import { selectSeries } from "../../metrics/query/select.ts";
import { known, readPoints, type Scope, sourceOf, unknown } from "./read.ts";

/** Nodes of every vault, by its name. */
export type NodesOf = (vault: string) => readonly string[];

export async function readAddVault(
  scope: Scope,
  vault: string,
  nodesOf: NodesOf,
): Promise<Live<LiveAddVault>> {
  const vaults = await vaultsBeside(scope, vault, nodesOf);
  const ofPods: Scope = { ...scope, nodeIds: vaults.flatMap((name) => nodesOf(name)) };
  const groupBy = ["vault"] as const;
  const { live, taken, usable } = await allNamed({
    live: readPoints(ofPods, { metric: "stashlight_pod_live_bytes", groupBy }),
    taken: readPoints(ofPods, { metric: "stashlight_pod_taken_bytes", groupBy }),
    usable: readPoints(ofPods, { metric: "stashlight_pod_usable_bytes", groupBy }),
  });
  const [takenNow, usableNow] = [sums(taken).values.at(-1), sums(usable).values.at(-1)];
  if (takenNow === undefined || usableNow === undefined || usableNow <= 0) {
    return unknown("No pod of the vault told its space in this time.");
  }
  const { endMs, values: liveBytes } = sums(live);
  const trend = timeToFull({
    endMs,
    liveBytes,
    capacityBytes: vaultMarks.warningShare * usableNow,
  });
  const fullness = takenNow / usableNow;
  const isDue = fullness >= vaultMarks.warningShare;
  if (!isDue && trend.kind === "too-little-data") return unknown(`The growth ${trend.reason}.`);
  return known({
    vaults,
    fullness,
    dueAtMs: isDue ? (endMs.at(-1) ?? scope.toMs) : dueAtMs(trend, endMs),
    ...sourceOf(scope, [live, taken, usable], {
      source:
        "stashlight_pod_taken_bytes against stashlight_pod_usable_bytes of all pods, and the straight line through stashlight_pod_live_bytes",
      n: endMs.length,
      nUnit: "points",
      range: null,
    }),
  });
}

function dueAtMs(trend: TimeToFull, endMs: readonly number[]): number | null {
  const newestMs = endMs.at(-1);
  if (newestMs === undefined) return null;
  if (trend.kind === "full") return newestMs;
  return trend.kind === "filling" ? newestMs + trend.seconds * 1000 : null;
}

/** The vault, and those that stand behind the same endpoint, by name. */
async function vaultsBeside(scope: Scope, vault: string, nodesOf: NodesOf): Promise<string[]> {
  const { metrics } = scope.ctx.platform;
  const { fromMs, toMs } = scope;
  const question = { metric: "stashlight_endpoint_capacity_bytes", where: {}, fromMs, toMs } as const;
  const own = await selectSeries(metrics, { ...question, nodeIds: [...scope.nodeIds] });
  const endpoints = [...new Set(own.flatMap(({ labels }) => labels.endpoint ?? []))];
  if (endpoints.length === 0) return [vault];
  const all = await selectSeries(metrics, { ...question, where: { endpoint: endpoints } });
  const names = new Set([vault, ...all.flatMap(({ labels }) => labels.vault ?? [])]);
  return [...names].filter((name) => nodesOf(name).length > 0).sort();
}

/** Over all vaults, at the points that each of them has: one that is late would look like space that was freed. */
function sums({ series }: Awaited<ReturnType<typeof readPoints>>): {
  readonly endMs: readonly number[];
  readonly values: readonly number[];
} {
  const points = new Map<number, { vaultCount: number; sum: number }>();
  for (const { endMs, columns } of series) {
    const last = columns.kind === "gauge" ? columns.last : [];
    endMs.forEach((ms, i) => {
      const point = points.get(ms) ?? { vaultCount: 0, sum: 0 };
      points.set(ms, { vaultCount: point.vaultCount + 1, sum: point.sum + (last[i] ?? 0) });
    });
  }
  const whole = [...points].filter(([, { vaultCount }]) => vaultCount === series.length);
  whole.sort(([a], [b]) => a - b);
  return { endMs: whole.map(([ms]) => ms), values: whole.map(([, { sum }]) => sum) };
}
