/** State of a simulated vault at a moment: its load, and a pod that is absent or catching up. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { POD_COUNT } from "./plan.ts";
import { below, uniform } from "./random.ts";

const UPLOADS_A_SECOND_AT_PEAK = 120;
/** One pod of a vault is absent for a while in each period of this length. */
const OUTAGE_EVERY_MS = 2 * DAY_MS;
/** Time to catch up, as a share of the outage's length. */
const CATCH_UP_SHARE = 0.4;

export interface VaultMoment {
  readonly uploadsPerSecond: number;
  /** The pod that was absent most recently, and the number of its shards that the stash still holds for that reason. */
  readonly missingPod: number;
  readonly missingShards: number;
  /** Age of the oldest of these shards. */
  readonly missingSinceSeconds: number;
  readonly isPodAway: boolean;
  readonly isCatchingUp: boolean;
}

/** Load peaks between 13:00 and 14:30 UTC, drops at the weekend, and varies at random every quarter of an hour. */
function uploadsPerSecondAt(vaultIndex: number, atMs: number): number {
  const phase = (atMs / DAY_MS + 0.05 * uniform(vaultIndex, 1)) * 2 * Math.PI;
  const ofDay = 0.6 - 0.4 * Math.cos(phase - 0.6);
  const weekday = new Date(atMs).getUTCDay();
  const ofWeek = weekday === 0 || weekday === 6 ? 0.55 : 1;
  const luck = 0.8 + 0.4 * uniform(vaultIndex, Math.floor(atMs / (15 * MINUTE_MS)), 2);
  const size = 0.5 + 0.5 * uniform(vaultIndex, 3);
  return UPLOADS_A_SECOND_AT_PEAK * size * ofDay * ofWeek * luck;
}

export function vaultMoment(vaultIndex: number, atMs: number): VaultMoment {
  const uploadsPerSecond = uploadsPerSecondAt(vaultIndex, atMs);
  const epoch = Math.floor(atMs / OUTAGE_EVERY_MS);
  const lastsMs = (20 + 70 * uniform(vaultIndex, epoch, 4)) * MINUTE_MS;
  const startMs = epoch * OUTAGE_EVERY_MS + uniform(vaultIndex, epoch, 5) * (OUTAGE_EVERY_MS - 4 * HOUR_MS);
  const sinceMs = atMs - startMs;
  const catchUpMs = lastsMs * CATCH_UP_SHARE;
  const isPodAway = sinceMs >= 0 && sinceMs < lastsMs;
  const isCatchingUp = sinceMs >= lastsMs && sinceMs < lastsMs + catchUpMs;
  const missedMs = isPodAway ? sinceMs : isCatchingUp ? lastsMs * (1 - (sinceMs - lastsMs) / catchUpMs) : 0;
  return {
    uploadsPerSecond,
    missingPod: below(POD_COUNT, vaultIndex, epoch, 6),
    missingShards: (missedMs / 1000) * uploadsPerSecond,
    missingSinceSeconds: isPodAway ? sinceMs / 1000 : isCatchingUp ? missedMs / 1000 : 0,
    isPodAway,
    isCatchingUp,
  };
}
