import type { VaultFile } from "@stashlight/node-runtime/config";

export interface SpreadTiming {
  /** Interval between checks of the ledger and the vaults. */
  readonly turnEveryMs: number;
  readonly closeAfterMs: number;
  readonly restMs: number;
  readonly withdrawAfterMs: number;
  /** Time for which a write waits for the epoch that moves its key. */
  readonly patienceMs: number;
  /**
   * Time for which superseded versions are kept. A write that has read one is sent within 10 s (spread-vault.ts), and
   * decided within a few further deadlines of 10 s.
   */
  readonly graceMs: number;
  readonly walkEveryMs: number;
}

const GRACE_MS = 120_000;
const CLOSE_AFTER_MS = 5000;
const REST_MS = 30_000;

/** Tests shorten some of these times. */
export function spreadTiming({
  graceMs = GRACE_MS,
  closeAfterMs = CLOSE_AFTER_MS,
  restMs = REST_MS,
}: VaultFile["spread"] = {}): SpreadTiming {
  return {
    turnEveryMs: Math.min(1000, closeAfterMs / 5),
    closeAfterMs,
    restMs,
    withdrawAfterMs: 10_000,
    patienceMs: 5000,
    graceMs,
    walkEveryMs: 30 * graceMs,
  };
}
