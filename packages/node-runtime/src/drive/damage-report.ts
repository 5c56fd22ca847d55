/** Turns counts of corrupt records and failed reads into log lines: the first at once, then at most one a minute. */
import { MINUTE_MS } from "@stashlight/contracts/time/duration";

export interface DamageCounts {
  readonly corruptCount: number;
  readonly readErrorCount: number;
}

export class DamageReport {
  #reported: DamageCounts = { corruptCount: 0, readErrorCount: 0 };
  #reportedMs = Number.NEGATIVE_INFINITY;

  /** Takes totals that never fall; returns what came since the last report, or null while nothing is due. */
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
