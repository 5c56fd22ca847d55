import type { VaultFile } from "@stashlight/node-runtime/config";

export interface SpreadTiming {
  /** Time between two checks of the book and the vaults. */
  readonly turnEveryMs: number;
  readonly closeAfterMs: number;
  readonly restMs: number;
  readonly withdrawAfterMs: number;
  /** Time that a write waits for the epoch that moves its key. */
  readonly patienceMs: number;
  /**
   * Time that superseded versions are kept. A write that has read one of them is in progress within 10 s of that
   * (spread-vault.ts), and decided within a few deadlines of 10 s more.
   */
  readonly graceMs: number;
  readonly walkEveryMs: number;
}

const GRACE_MS = 120_000;
const CLOSE_AFTER_MS = 5000;
const REST_MS = 30_000;

/** Tests shorten some of them. */
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
