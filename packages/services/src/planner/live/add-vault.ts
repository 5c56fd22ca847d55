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
  const { live, taken, usable } = await allNamed({
    live: readPoints(ofPods, { metric: "stashlight_pod_live_bytes" }),
    taken: readPoints(ofPods, { metric: "stashlight_pod_taken_bytes" }),
    usable: readPoints(ofPods, { metric: "stashlight_pod_usable_bytes" }),
  });
  const [takenNow, usableNow] = [lastValues(taken).at(-1), lastValues(usable).at(-1)];
  if (takenNow === undefined || usableNow === undefined || usableNow <= 0) {
    return unknown("No pod of the vault told its space in this time.");
  }
  const endMs = live.series[0]?.endMs ?? [];
  const trend = timeToFull({
    endMs,
    liveBytes: lastValues(live),
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

function lastValues({ series }: Awaited<ReturnType<typeof readPoints>>): readonly number[] {
  const columns = series[0]?.columns;
  return columns?.kind === "gauge" ? columns.last : [];
}
