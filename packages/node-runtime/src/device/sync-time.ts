import { constants } from "node:fs";
import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PAGE_BYTES = 4096;
const SYNC_COUNT = 16;

/**
 * Measures how many milliseconds the idle disk under this folder takes to make an overwritten page durable: the median
 * of 16 writes to a file that is removed afterwards.
 */
export async function measureSyncMs(folder: string): Promise<number> {
  const path = join(folder, `sync-time.${process.pid}`);
  const page = new Uint8Array(PAGE_BYTES);
  try {
    await writeFile(path, page, { flush: true, mode: 0o600 });
    const file = await open(path, constants.O_RDWR | constants.O_DSYNC);
    const times: number[] = [];
    try {
      for (let count = 0; count < SYNC_COUNT; count += 1) {
        const startMs = performance.now();
        await file.write(page, 0, PAGE_BYTES, 0);
        times.push(performance.now() - startMs);
      }
    } finally {
      await file.close();
    }
    return times.toSorted((a, b) => a - b)[SYNC_COUNT / 2] as number;
  } finally {
    await rm(path, { force: true });
  }
}
