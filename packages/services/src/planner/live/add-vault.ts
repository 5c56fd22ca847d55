/** Forecasts when the vaults behind an endpoint need another one, from their combined fill. */

import type { Live, LiveAddVault } from "@stashlight/contracts/planner";
import { measureFill, vaultSpace } from "@stashlight/contracts/space";
import { vaultMarks } from "@stashlight/contracts/thresholds";
import {
  describeForecast,
  type Forecast,
  forecastFull,
  type HistoryPoint,
  isFarAway,
} from "@stashlight/stats/forecast";
import { allNamed } from "../../all-named.ts";
import { type HistoryQuestion, readHistories, readNewest } from "../../forecast/history.ts";
import { selectSeries } from "../../metrics/query/select.ts";
import { known, metricSource, readPoints, type Scope, unknown } from "./metric-sources.ts";

/** Nodes of every vault, by its name. */
export type NodesOf = (vault: string) => readonly string[];

export async function readAddVault(
  scope: Scope,
  vault: string,
  nodesOf: NodesOf,
): Promise<Live<LiveAddVault>> {
  const vaults = await vaultsBeside(scope, vault, nodesOf);
  const ofVaults: Scope = { ...scope, nodeIds: vaults.flatMap((name) => nodesOf(name)) };
  const asked = { groupBy: ["vault"], across: "max" } as const;
  const { taken, capacity } = await allNamed({
    taken: readPoints(ofVaults, { metric: vaultSpace.taken, ...asked }),
    capacity: readPoints(ofVaults, { metric: vaultSpace.capacity, ...asked }),
  });
  const nowMs = scope.ctx.platform.now().getTime();
  const { points, takenNow, takenAtMs, capacityNow } = await endpointHistory(ofVaults);
  const fill = measureFill({
    objects: { bytes: takenNow, atMs: nowMs },
    room: { bytes: capacityNow, atMs: nowMs },
  });
  if (fill === null) return unknown("No coordinator of the vault reported its space in this period.");
  const forecast = forecastFull({ points, capacity: capacityNow, fullShare: vaultMarks.warningShare, nowMs });
  const isDue = fill.share >= vaultMarks.warningShare;
  return known({
    vaults,
    fill: fill.share,
    state: isDue ? "due" : addVaultState(forecast),
    forecast: describeForecast(forecast, `${vaultMarks.warningShare * 100} % full`),
    ...metricSource(scope, [taken, capacity], {
      source: `the share ${vaultSpace.taken} of ${vaultSpace.capacity}, and its growth`,
      n: points.length,
      nUnit: points.length === 1 ? "point" : "points",
      range: null,
    }),
    ageSeconds: Math.max(0, nowMs - takenAtMs) / 1000,
  });
}

function addVaultState(forecast: Forecast): LiveAddVault["state"] {
  if (forecast.kind === "full") return "due";
  if (forecast.kind === "filling") return "growing";
  return isFarAway(forecast.reason) ? "not-soon" : "unknown";
}

/**
 * Adds up all vaults over the forecast's own time, at points that each of them has; otherwise a late one would look
 * like freed space.
 */
async function endpointHistory({ ctx: { platform }, nodeIds }: Scope) {
  const nowMs = platform.now().getTime();
  const ask: Omit<HistoryQuestion, "metric"> = {
    where: {},
    nodeIds,
    groupBy: ["vault"],
    across: "max",
    leavesOutSimulated: false,
  };
  const histories = await readHistories(platform, { ...ask, metric: vaultSpace.taken }, nowMs);
  const capacities = await readNewest(platform, { ...ask, metric: vaultSpace.capacity }, nowMs);
  const told = histories.filter(({ points }) => points.length > 0);
  const byTime = Map.groupBy(
    told.flatMap(({ points }) => points),
    ({ atMs }) => atMs,
  );
  const points: HistoryPoint[] = [...byTime]
    .filter(([, ofVaults]) => ofVaults.length === told.length)
    .map(([atMs, ofVaults]) => ({ atMs, value: sum(ofVaults) }))
    .sort((x, y) => x.atMs - y.atMs);
  const newest = told.flatMap((each) => each.newest ?? []);
  return {
    points,
    takenNow: sum(newest),
    takenAtMs: Math.min(nowMs, ...newest.map(({ atMs }) => atMs)),
    capacityNow: sum(capacities),
  };
}

const sum = (items: readonly { readonly value: number }[]): number =>
  items.reduce((total, { value }) => total + value, 0);

/** Returns the vault and those behind the same endpoint, by name. */
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
