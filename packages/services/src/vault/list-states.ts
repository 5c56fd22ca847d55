/** Reads the state, fill and forecasts of every vault, by the functions that pages and alerts use. */

import type { MetricName } from "@stashlight/contracts/metrics";
import type { VaultSilence } from "@stashlight/contracts/node";
import { type Fill, type Measured, measureFill, vaultSpace } from "@stashlight/contracts/space";
import { type JudgedState, judgeVault } from "@stashlight/contracts/vault-state";
import { describeForecast } from "@stashlight/stats/forecast";
import { listFiring } from "../alert/list-firing.ts";
import { type Context, requireRole } from "../context.ts";
import { readNewestLevels } from "../durability/newest-levels.ts";
import { readVaultForecasts } from "../forecast/list.ts";
import type { BaseWithMerger, WithMerger } from "../metrics/query/merger.ts";
import { listSilences } from "../node/silence.ts";

type VaultForecast = Awaited<ReturnType<typeof readVaultForecasts>>[number] & {
  /** Sentences about it, as on pages and in alerts. */
  readonly sentence: string;
};

/** State of a vault, judged by its alerts, its silence and its fill. */
export interface VaultStateRow {
  readonly name: string;
  readonly state: JudgedState;
  /** Sentences behind the state, worst first. */
  readonly reasons: readonly string[];
  /**
   * Time of the oldest judgement behind the state: of its fill, or of an alert's evaluation, which may judge windows of
   * hours. Null without any.
   */
  readonly judgedAtMs: number | null;
  /** All nodes but revoked ones, as on pages: probes count too. */
  readonly nodeCount: number;
  readonly silence: VaultSilence | null;
  readonly fill: Fill | null;
  readonly lastSeenAt: Date | null;
}

export interface ForecastVaultRow extends VaultStateRow {
  readonly forecasts: readonly VaultForecast[];
}

/** Lists vaults with an active node by name, without simulated ones. */
export async function listVaultStates({ ctx }: { ctx: Context<WithMerger> }): Promise<VaultStateRow[]> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const vaults = await platform.db.node.groupBy({
    by: ["vault"],
    where: { status: "active", isSimulated: false, role: { in: ["pod", "stash", "coordinator"] } },
    _max: { lastSeenAt: true },
    orderBy: { vault: "asc" },
  });
  if (vaults.length === 0) return [];
  const names = vaults.map(({ vault }) => vault);
  const [firing, silences, fills, nodeCounts] = await Promise.all([
    listFiring({ ctx }),
    listSilences({ ctx }),
    readFills(platform, names),
    countNodes(platform, names),
  ]);
  return vaults.map(({ vault, _max }) => {
    const own = firing.filter((alert) => alert.vault === vault && alert.status === "firing");
    const incidents = new Map(
      own.map(({ ruleId, severity, incidentSummary: sentence }) => [ruleId, { severity, sentence }]),
    );
    const silence = silences.find((each) => each.vault === vault) ?? null;
    const fill = fills.get(vault) ?? null;
    const times = [
      ...own.map(({ evaluatedAt }) => evaluatedAt.getTime()),
      ...(fill === null ? [] : [fill.atMs]),
    ];
    const judged = { vault, alerts: [...incidents.values()], silence, fillShare: fill?.share ?? null };
    return {
      name: vault,
      ...judgeVault(judged),
      judgedAtMs: times.length === 0 ? null : Math.min(...times),
      nodeCount: nodeCounts.get(vault) ?? 0,
      silence,
      fill,
      lastSeenAt: _max.lastSeenAt,
    };
  });
}

async function countNodes({ db }: Pick<WithMerger, "db">, vaults: string[]): Promise<Map<string, number>> {
  const counts = await db.node.groupBy({
    by: ["vault"],
    where: { vault: { in: vaults }, status: { not: "revoked" } },
    _count: true,
  });
  return new Map(counts.map(({ vault, _count }) => [vault, _count]));
}

/** Adds the forecasts of each vault, which read weeks of history. */
export async function listForecastVaults({ ctx }: { ctx: Context<WithMerger> }): Promise<ForecastVaultRow[]> {
  const vaults = await listVaultStates({ ctx });
  if (vaults.length === 0) return [];
  const where = { vault: vaults.map(({ name }) => name) };
  const forecasts = await readVaultForecasts(ctx.platform, { where }, ctx.platform.now().getTime());
  return vaults.map((row) => ({
    ...row,
    forecasts: forecasts
      .filter(({ vault }) => vault === row.name)
      .map((each) => ({ ...each, sentence: describeForecast(each.forecast) })),
  }));
}

async function readFills(platform: BaseWithMerger, vaults: string[]): Promise<Map<string, Fill>> {
  const nowMs = platform.now().getTime();
  const newest = async (metric: MetricName): Promise<Map<string, Measured>> => {
    const asked = { metric, groupBy: ["vault"], across: "max" } as const;
    const levels = await readNewestLevels(platform, asked, vaults, nowMs);
    return new Map(levels.map(({ labels, value, atMs }) => [labels.vault ?? "", { bytes: value, atMs }]));
  };
  const [objects, room] = await Promise.all([newest(vaultSpace.taken), newest(vaultSpace.capacity)]);
  return new Map(
    vaults.flatMap((vault): [string, Fill][] => {
      const fill = measureFill({ objects: objects.get(vault) ?? null, room: room.get(vault) ?? null });
      return fill === null ? [] : [[vault, fill]];
    }),
  );
}
