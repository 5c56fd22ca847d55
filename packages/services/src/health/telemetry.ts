import type { TelemetryHealth } from "@stashlight/contracts/node";
import { DAY_MS } from "@stashlight/contracts/time";
import { findArrivals, findGaps, findRefused } from "@stashlight/db/metrics";
import { allNamed } from "../all-named.ts";
import { type Context, requireRole } from "../context.ts";
import { toNodeRow } from "../node/node-rows.ts";
import { readListeningSpan } from "../node/silence.ts";
import { staleAfterMs } from "../process/heartbeat.ts";

const ROWS_MAX = 200;
const GAPS_MS = 2 * DAY_MS;

/** Reports how agents' measurements arrive in the store, node by node. */
export async function readTelemetryHealth({ ctx }: { ctx: Context }): Promise<TelemetryHealth> {
  requireRole(ctx, "viewer");
  const { db, metrics, now } = ctx.platform;
  const readAt = now();
  const nodes = await db.node.findMany({ orderBy: { name: "asc" } });
  const known = new Map(nodes.map((node) => [node.id, node]));
  const named = (nodeId: string) => ({
    nodeName: known.get(nodeId)?.name ?? nodeId,
    isSimulated: known.get(nodeId)?.isSimulated ?? false,
  });
  const range = { fromMs: readAt.getTime() - GAPS_MS, toMs: readAt.getTime() };
  const { arrivals, refused, gaps, ingests, listening } = await allNamed({
    listening: readListeningSpan(ctx.platform),
    arrivals: findArrivals(metrics),
    refused: findRefused(metrics, ROWS_MAX),
    gaps: findGaps(metrics, [...known.keys()], range, ROWS_MAX),
    ingests: db.processHeartbeat.findMany({
      where: { kind: "ingest", seenAt: { gt: new Date(readAt.getTime() - staleAfterMs) } },
      orderBy: { startedAt: "asc" },
    }),
  });
  const arrivalOf = new Map(arrivals.map((arrival) => [arrival.nodeId, arrival]));
  return {
    readAt,
    nodes: nodes.map((node) => {
      const { id, name, vault, role, status, isSimulated, silentSeconds, ...rest } = toNodeRow(
        node,
        listening,
      );
      const { lastSeenAt, spoolBytes, skewMs } = rest;
      const { newestAt = null, windowMs = null, refusedCount = 0 } = arrivalOf.get(id) ?? {};
      const told = { silentSeconds, lastSeenAt, spoolBytes, skewMs };
      return { id, name, vault, role, status, isSimulated, ...told, newestAt, windowMs, refusedCount };
    }),
    refused: refused.map(({ nodeId, ...rest }) => ({ ...named(nodeId), ...rest })),
    gaps: gaps.map(({ nodeId, startMs, endMs, reason }) => ({
      ...named(nodeId),
      startAt: new Date(startMs),
      endAt: new Date(endMs),
      reason,
    })),
    ingests: ingests.map(({ host, pid, version, startedAt, seenAt, rssBytes }) => ({
      name: `ingest · ${host} · ${pid}`,
      version,
      startedAt,
      seenAt,
      rssBytes: Number(rssBytes),
    })),
  };
}
