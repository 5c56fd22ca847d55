/** Quarantined stash devices in the words of `vault status` and `vault quarantine`. */
import type { Quarantine } from "@stashlight/node-runtime/config";
import { formatMinute } from "../units.ts";

/** Formats "s7 has been in quarantine since 2026-11-29 14:05 UTC (by ann@desk) and gets no new shards. ..." */
export function describeQuarantine(address: string, { sinceMs, by }: Quarantine): string {
  return `${address} has been in quarantine since ${formatMinute(sinceMs)} (by ${by}) and gets no new shards. vault release ${address} ends the quarantine.`;
}
