/** Reads the state, fill and forecasts of every vault, by the functions that pages and alerts use. */

import type { MetricName } from "@stashlight/contracts/metrics";
import type { VaultSilence } from "@stashlight/contracts/node/silence";
import { type Fill, type Measured, measureFill } from "@stashlight/contracts/space/fill";
import { vaultSpace } from "@stashlight/contracts/space/gauges";
import { type JudgedState, judgeVault } from "@stashlight/contracts/vault-state";
import { describeForecast } from "@stashlight/stats/forecast";
import { listFiring } from "../alert/list-firing.ts";
import { readSamples } from "../alert/sample.ts";
import { type Context, requireRole } from "../context.ts";
import { readVaultForecasts } from "../forecast/list.ts";
import type { BaseWithMerger, WithMerger } from "../metrics/query/merger.ts";
import { listSilences } from "../node/silence.ts";

type VaultForecast = Awaited<ReturnType<typeof readVaultForecasts>>[number] & {
  /** The sentences of pages and alerts about it. */
  readonly sentence: string;
};

/** A vault by its alerts, its silence and its fill. */
export interface VaultStateRow {
  readonly name: string;
  readonly state: JudgedState;
  /** Sentences behind the state, worst first. */
  readonly reasons: readonly string[];
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
    const judged = { vault, alerts: [...incidents.values()], silence, fillShare: fill?.share ?? null };
    return {
      name: vault,
      ...judgeVault(judged),
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

/** Covers the newest windows of a vault's nodes, which arrive every few seconds. */
const WINDOW_SECONDS = 60;

async function readFills(platform: BaseWithMerger, vaults: string[]): Promise<Map<string, Fill>> {
  const newest = async (metric: MetricName): Promise<Map<string, Measured>> => {
    const query = { metric, where: { vault: vaults }, groupBy: ["vault" as const], across: "max" as const };
    const condition = {
      kind: "threshold" as const,
      statistic: "last" as const,
      comparison: "above" as const,
      threshold: 0,
      windowSeconds: WINDOW_SECONDS,
    };
    const samples = await readSamples(platform, { query, condition }, platform.now().getTime());
    return new Map(
      samples.flatMap(({ labels, value, atMs }): [string, Measured][] =>
        value === null ? [] : [[labels.vault ?? "", { bytes: value, atMs }]],
      ),
    );
  };
  const [objects, room] = await Promise.all([newest(vaultSpace.taken), newest(vaultSpace.capacity)]);
  return new Map(
    vaults.flatMap((vault): [string, Fill][] => {
      const fill = measureFill({ objects: objects.get(vault) ?? null, room: room.get(vault) ?? null });
      return fill === null ? [] : [[vault, fill]];
    }),
  );
}
