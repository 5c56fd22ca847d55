/** Quarantined stash devices in the words of `vault status` and `vault quarantine`. */
import type { Quarantine } from "@stashlight/node-runtime/config";

/** Formats "s7 has been in quarantine since 2026-11-29 14:05 UTC (by ann@desk) and gets no new shards. ..." */
export function describeQuarantine(address: string, { sinceMs, by }: Quarantine): string {
  const since = new Date(sinceMs).toISOString().slice(0, 16).replace("T", " ");
  return `${address} has been in quarantine since ${since} UTC (by ${by}) and gets no new shards. vault release ${address} ends the quarantine.`;
}
