/** Finds nodes that are silent while an ingest listens. */

import {
  findListeningSpan,
  isWhollySilent,
  type ListeningSpan,
  reportsAboutVault,
  silentSeconds,
  type VaultSilence,
} from "@stashlight/contracts/node";
import { silenceMarks } from "@stashlight/contracts/thresholds";
import { alertStateColumns } from "@stashlight/db/columns/alert";
import { type Context, requireRole } from "../context.ts";
import type { Core } from "../core.ts";
import { staleAfterMs } from "../process/heartbeat.ts";

export async function readListeningSpan({
  db,
  now,
}: Pick<Core, "db" | "now">): Promise<ListeningSpan | null> {
  const nowMs = now().getTime();
  const ingests = await db.processHeartbeat.findMany({
    where: { kind: "ingest", seenAt: { gt: new Date(nowMs - staleAfterMs) } },
    select: { steadySince: true, seenAt: true },
  });
  const heartbeats = ingests.map(({ steadySince, seenAt }) => ({
    steadySinceMs: steadySince.getTime(),
    seenAtMs: seenAt.getTime(),
  }));
  return findListeningSpan(heartbeats, nowMs);
}

/** Null for a node that is not active, has never reported, or is reporting. */
export function nodeSilence(
  { status, lastSeenAt }: { readonly status: string; readonly lastSeenAt: Date | null },
  listening: ListeningSpan | null,
): number | null {
  return status === "active" && lastSeenAt !== null ? silentSeconds(lastSeenAt.getTime(), listening) : null;
}

/** Returns the vaults with silent nodes, for every user. */
export async function listSilences({ ctx }: { ctx: Context }): Promise<VaultSilence[]> {
  requireRole(ctx, "viewer");
  return readSilences(ctx.platform);
}

/**
 * Returns the vaults with silent nodes, the longest silent first. Leaves out simulated nodes, which end with their
 * simulation.
 */
export async function readSilences(platform: Pick<Core, "db" | "now">): Promise<VaultSilence[]> {
  const listening = await readListeningSpan(platform);
  if (listening === null) return [];
  const expected = { status: "active", isSimulated: false, lastSeenAt: { not: null } } as const;
  const missing = await platform.db.node.findMany({
    where: { ...expected, lastSeenAt: { lte: new Date(listening.toMs - silenceMarks.shownAfterMs) } },
    select: { name: true, vault: true, role: true, status: true, lastSeenAt: true },
    orderBy: { name: "asc" },
  });
  const silent = missing.flatMap((node) => {
    const seconds = nodeSilence(node, listening);
    return seconds === null ? [] : [{ ...node, seconds }];
  });
  if (silent.length === 0) return [];
  const byVault = Map.groupBy(silent, ({ vault }) => vault);
  const counts = await platform.db.node.groupBy({
    by: ["vault", "role"],
    where: { ...expected, vault: { in: [...byVault.keys()] } },
    _count: true,
  });
  const alerted = await findAlerted(platform);
  return [...byVault]
    .map(([vault, nodes]) => ({
      vault,
      ...countSilent(
        nodes,
        counts.filter((count) => count.vault === vault),
      ),
      seconds: Math.min(...nodes.map(({ seconds }) => seconds)),
      nodes: nodes.map(({ name }) => name),
      isAlerted: nodes.every(({ name }) => alerted.has(name)),
    }))
    .sort((a, b) => b.seconds - a.seconds);
}

/** Counts a vault as silent if all nodes that report about it are silent. */
function countSilent(
  silent: readonly { role: string }[],
  counts: readonly { role: string; _count: number }[],
): { nodeCount: number; silentCount: number } {
  const countNodes = (isIncluded: (node: { role: string }) => boolean) => ({
    nodeCount: counts.reduce((sum, count) => sum + (isIncluded(count) ? count._count : 0), 0),
    silentCount: silent.filter(isIncluded).length,
  });
  const ofVault = countNodes(reportsAboutVault);
  return isWhollySilent(ofVault) ? ofVault : countNodes(() => true);
}

/** Returns the nodes for which the built-in rule about silent nodes fires. */
async function findAlerted({ db }: Pick<Core, "db">): Promise<Set<string>> {
  const states = await db.alertState.findMany({
    where: { status: "firing", rule: { builtInKey: "node-silence" } },
    select: { ruleId: true, group: true, labels: true },
  });
  return new Set(
    states.flatMap(
      ({ ruleId, group, labels }) => alertStateColumns.labels.read(labels, `${ruleId} ${group}`).node ?? [],
    ),
  );
}
