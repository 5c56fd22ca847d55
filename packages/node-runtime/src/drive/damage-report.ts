/** Limits log lines about corrupt records and failed reads: the first at once, then at most one per minute. */
import { MINUTE_MS } from "@stashlight/contracts/time";

export interface DamageCounts {
  readonly corruptCount: number;
  readonly readErrorCount: number;
}

export class DamageReport {
  #reported: DamageCounts = { corruptCount: 0, readErrorCount: 0 };
  #reportedMs = Number.NEGATIVE_INFINITY;

  /** Takes totals, which never fall; returns the increase since the last report, or null if no report is due. */
  note(totals: DamageCounts, nowMs: number): DamageCounts | null {
    const corruptCount = totals.corruptCount - this.#reported.corruptCount;
    const readErrorCount = totals.readErrorCount - this.#reported.readErrorCount;
    const isNews = corruptCount > 0 || readErrorCount > 0;
    if (!isNews || nowMs - this.#reportedMs < MINUTE_MS) return null;
    this.#reported = totals;
    this.#reportedMs = nowMs;
    return { corruptCount, readErrorCount };
  }
}
