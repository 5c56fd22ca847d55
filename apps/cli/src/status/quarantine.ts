/** Quarantined stash devices in the words of `vault status` and `vault quarantine`. */
import type { Quarantine } from "@stashlight/node-runtime/config";

/** "s7 is in quarantine since 2026-11-29 14:05 UTC by ann@desk: it gets no new shards. vault release s7 ends that." */
export function describeQuarantine(address: string, { sinceMs, by }: Quarantine): string {
  const since = new Date(sinceMs).toISOString().slice(0, 16).replace("T", " ");
  return `${address} is in quarantine since ${since} UTC by ${by}: it gets no new shards. vault release ${address} ends that.`;
}
