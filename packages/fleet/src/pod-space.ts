/** Space of the pods of a simulated vault, which are all alike. */
import { GIB } from "./measure.ts";
import { uniform } from "./random.ts";

export const DISK_BYTES = 4000 * GIB;
/** Excludes the reserve for deletes and compaction. */
export const USABLE_BYTES = 3500 * GIB;

export const podLiveBytes = (vaultIndex: number): number =>
  Math.round(DISK_BYTES * (0.3 + 0.4 * uniform(vaultIndex, 32)));
