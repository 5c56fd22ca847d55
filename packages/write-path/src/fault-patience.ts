/**
 * Time for a drive's fault to pass. A bus that resets or a controller that restarts takes seconds, and an operator who
 * plugs in a cable again some minutes; data that is unreadable after that is lost.
 */
export const FAULT_PASSES_WITHIN_MS = 300_000;

/**
 * More damaged shards than this within `DAMAGE_BUDGET_MS` point to a controller: rot hits a sector now and then, a
 * shard or two each time.
 */
export const CORRELATED_COUNT_MIN = 64;
export const DAMAGE_BUDGET_MS = 2 * FAULT_PASSES_WITHIN_MS;
