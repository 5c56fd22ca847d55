import { setFlagsFromString } from "node:v8";

const CHECK_EVERY_MS = 500;
/** Processes up to this size leave the timing of garbage collection to V8, which is cheapest. */
const SMALL_BYTES = 230 * 1_048_576;
const GROWTH_PERCENT = 30;
const CHOSEN_BY_V8 = 0;

/**
 * Once this process is larger than 230 MiB, its heap grows by no more than `growthPercent` of what is live before the
 * next full collection. V8 alone would allow up to four times as much on a machine with much memory, which nodes share
 * with the page cache that their drives need. docs/measurements/2026-11-23-full-vault.md has the savings and costs.
 */
export function boundHeap(growthPercent = GROWTH_PERCENT): void {
  let isLarge = false;
  setInterval(() => {
    if (process.memoryUsage.rss() > SMALL_BYTES === isLarge) return;
    isLarge = !isLarge;
    setFlagsFromString(`--heap-growing-percent=${isLarge ? growthPercent : CHOSEN_BY_V8}`);
  }, CHECK_EVERY_MS).unref();
}
