/**
 * Tracks which processes of the product are alive: each writes a row every few seconds and removes it when it ends
 * gracefully.
 */
import { hostname } from "node:os";
import { processStaleSeconds } from "@stashlight/contracts/health";
import type { Base } from "../base.ts";
import { newId } from "../ids.ts";
import { productVersion } from "./version.ts";

/** Age of the last heartbeat from which a process counts as missing: three heartbeats are due. */
export const staleAfterMs = 1000 * processStaleSeconds;
const heartbeatMs = staleAfterMs / 3;
/** Age of the last heartbeat from which the next one is late: half an interval covers a slow database. */
export const lateAfterMs = 1.5 * heartbeatMs;

export interface Heartbeat {
  stop(): Promise<void>;
}

const beatSql = `
  INSERT INTO process_heartbeat (id, kind, host, pid, version, rss_bytes, started_at, seen_at, steady_since)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (id) DO UPDATE SET
    rss_bytes = excluded.rss_bytes, seen_at = excluded.seen_at, steady_since = excluded.steady_since`;

/** Starts over after a gap: the database was unavailable, or the machine slept. */
export const findSteadySince = (
  { steadySince, seenAt }: { readonly steadySince: Date; readonly seenAt: Date },
  now: Date,
): Date => (now.getTime() - seenAt.getTime() > staleAfterMs ? now : steadySince);

/** Starts at once, and continues after a failed heartbeat: the database may be unavailable for a while. */
export function startHeartbeat(platform: Base, onError: (error: unknown) => void): Heartbeat {
  const id = newId();
  let steadySince = platform.startedAt;
  let seenAt = platform.startedAt;
  const beat = async () => {
    const now = platform.now();
    steadySince = findSteadySince({ steadySince, seenAt }, now);
    await platform.metrics.query(beatSql, [
      id,
      platform.options.kind,
      hostname(),
      process.pid,
      productVersion,
      process.memoryUsage.rss(),
      platform.startedAt,
      now,
      steadySince,
    ]);
    seenAt = now;
  };
  let last = beat().catch(onError);
  const timer = setInterval(() => {
    last = beat().catch(onError);
  }, heartbeatMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await last;
      await platform.metrics.query("DELETE FROM process_heartbeat WHERE id = $1", [id]);
    },
  };
}
