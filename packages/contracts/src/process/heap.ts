import { setFlagsFromString } from "node:v8";

/** V8's own choice is up to four times what was live: on a machine with much memory a process keeps garbage for long. */
const GROWTH_PERCENT = 30;

/**
 * Lets the heap of this process grow by 30 % of what is live before the next full collection. Nodes share their machine
 * with the page cache that their drives need. docs/performance.md has what it saves and what it costs.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
