/** Which processes of the product are alive: each writes a row every few seconds and removes it at a graceful end. */
import { hostname } from "node:os";
import { newId } from "../ids.ts";
import type { Platform } from "../platform.ts";
import { productVersion } from "./version.ts";

export const heartbeatMs = 10_000;
export const staleAfterMs = 3 * heartbeatMs;

export interface Heartbeat {
  stop(): Promise<void>;
}

/** Begins at once, and goes on when a beat fails: the database may be away for a while. */
export function startHeartbeat(platform: Platform, onError: (error: unknown) => void): Heartbeat {
  const id = newId();
  const row = {
    kind: platform.options.kind,
    host: hostname(),
    pid: process.pid,
    version: productVersion,
    startedAt: platform.startedAt,
  };
  const beat = async () => {
    const figures = { rssBytes: BigInt(process.memoryUsage.rss()), seenAt: platform.now() };
    await platform.db.processHeartbeat.upsert({
      where: { id },
      create: { id, ...row, ...figures },
      update: figures,
    });
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
      await platform.db.processHeartbeat.deleteMany({ where: { id } });
    },
  };
}
