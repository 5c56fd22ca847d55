/**
 * Records when a node last reported, and its report about itself. A node reports with each batch; its row is written at
 * most once in five seconds, and those of many nodes together.
 */
import type { S3Address } from "@stashlight/contracts/node";
import type { Base } from "../../base.ts";

const writeMs = 1_000;
export const rewriteMs = 5_000;

export interface NodeSighting {
  readonly nodeId: string;
  readonly seenAt: Date;
  /** Offset of its clock from ours, positive if it is ahead; absent if not reported. */
  readonly skewMs?: number;
  readonly agentVersion?: string;
  readonly spoolBytes?: number;
  readonly s3?: S3Address;
}

export interface NodeHeartbeats {
  record(sighting: NodeSighting): void;
  /** Writes due heartbeats; with `everything`, also those written less than five seconds ago. */
  write(everything?: boolean): Promise<void>;
  /** Writes all pending heartbeats. */
  stop(): Promise<void>;
}

export function startNodeHeartbeats(platform: Base, onError: (error: unknown) => void): NodeHeartbeats {
  const waiting = new Map<string, NodeSighting>();
  const writtenMs = new Map<string, number>();
  let turn: Promise<void> = Promise.resolve();

  const writeDue = async (everything: boolean): Promise<void> => {
    const nowMs = platform.now().getTime();
    for (const [nodeId, atMs] of writtenMs) if (nowMs - atMs >= rewriteMs) writtenMs.delete(nodeId);
    const due = [...waiting.values()].filter(({ nodeId }) => everything || !writtenMs.has(nodeId));
    for (const { nodeId } of due) {
      waiting.delete(nodeId);
      writtenMs.set(nodeId, nowMs);
    }
    if (due.length > 0) await writeSightings(platform, due);
  };
  const write = (everything = false): Promise<void> => {
    turn = turn.then(() => writeDue(everything)).catch(onError);
    return turn;
  };
  const timer = setInterval(() => void write(), writeMs);
  timer.unref();
  return {
    record: (sighting) => {
      waiting.set(sighting.nodeId, { ...waiting.get(sighting.nodeId), ...sighting });
    },
    write,
    stop: async () => {
      clearInterval(timer);
      await write(true);
    },
  };
}

/**
 * Writes in the order of node ids, so that two processes that write the same nodes wait for each other instead of
 * deadlocking.
 */
async function writeSightings(platform: Base, sightings: readonly NodeSighting[]): Promise<void> {
  const column = <Value>(pick: (sighting: NodeSighting) => Value | undefined) =>
    sightings.map((sighting) => pick(sighting) ?? null);
  await platform.metrics.query(sightingsSql, [
    column(({ nodeId }) => nodeId),
    column(({ seenAt }) => seenAt),
    column(({ skewMs }) => skewMs),
    column(({ agentVersion }) => agentVersion),
    column(({ spoolBytes }) => (spoolBytes === undefined ? undefined : Math.round(spoolBytes))),
    column(({ s3 }) => s3?.url),
    column(({ s3 }) => s3?.region),
  ]);
}

const sightingsSql = `
  WITH held AS (
    SELECT id FROM node WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE
  )
  UPDATE node SET
    last_seen_at = greatest(node.last_seen_at, sighting.seen_at),
    skew_ms = coalesce(sighting.skew_ms, node.skew_ms),
    agent_version = coalesce(sighting.agent_version, node.agent_version),
    spool_bytes = coalesce(sighting.spool_bytes, node.spool_bytes),
    s3_url = coalesce(sighting.s3_url, node.s3_url),
    s3_region = coalesce(sighting.s3_region, node.s3_region)
  FROM unnest($1::uuid[], $2::timestamptz[], $3::float8[], $4::text[], $5::bigint[], $6::text[], $7::text[])
    AS sighting (node_id, seen_at, skew_ms, agent_version, spool_bytes, s3_url, s3_region), held
  WHERE node.id = sighting.node_id AND held.id = node.id`;
