import { setFlagsFromString } from "node:v8";

const CHECK_EVERY_MS = 500;
/** A process of this size or less collects garbage when V8 chooses, which is when it costs least. */
const SMALL_BYTES = 230 * 1_048_576;
const GROWTH_PERCENT = 30;
const CHOSEN_BY_V8 = 0;

/**
 * Once this process is larger than 230 MiB, its heap grows by no more than `growthPercent` of what is live before the next
 * full collection. V8's own choice is up to four times as much on a machine with much memory, and nodes share their machine
 * with the page cache that their drives need. docs/measurements/2026-11-23-full-vault.md has what it saves and costs.
 */
export function boundHeap(growthPercent = GROWTH_PERCENT): void {
  let isLarge = false;
  setInterval(() => {
    if (process.memoryUsage.rss() > SMALL_BYTES === isLarge) return;
    isLarge = !isLarge;
    setFlagsFromString(`--heap-growing-percent=${isLarge ? growthPercent : CHOSEN_BY_V8}`);
  }, CHECK_EVERY_MS).unref();
}
