/**
 * Time for a drive's fault to pass. A bus that resets or a controller that restarts takes seconds, and an operator who
 * reconnects a cable takes some minutes; data that is unreadable after that is lost.
 */
export const FAULT_PASSES_WITHIN_MS = 300_000;

/**
 * More damaged shards than this within `DAMAGE_BUDGET_MS` suggest a faulty controller: rot hits a sector now and then,
 * and with it a shard or two.
 */
export const CORRELATED_COUNT_MIN = 64;
export const DAMAGE_BUDGET_MS = 2 * FAULT_PASSES_WITHIN_MS;
