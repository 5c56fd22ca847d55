/**
 * /proc/diskstats, as the kernel documents it (Documentation/admin-guide/iostats.rst). The device's
 * numbers and name are followed by counts since the device appeared:
 *
 *     1 reads completed    2 reads merged     3 sectors read       4 ms that reads took
 *     5 writes completed   6 writes merged    7 sectors written    8 ms that writes took
 *     9 requests in progress (a level)         10 ms with a request in progress
 *    11 ms times requests in progress
 *    12 to 15 the same as 1 to 4 of discards, from Linux 4.18 on
 *    16 flushes completed  17 ms that flushes took, from Linux 5.5 on
 *
 * Times are 32 bits wide and counts as wide as a word of the
 * machine, so all of them wrap around at some time.
 */
import { SECTOR_BYTES } from "@stashlight/contracts/disk/sector";

const WRAP = 2 ** 32;

export interface DiskCounts {
  readonly reads: number;
  readonly readSectors: number;
  readonly readMs: number;
  readonly writes: number;
  readonly writtenSectors: number;
  readonly writeMs: number;
  readonly busyMs: number;
  readonly weightedMs: number;
  /** Null if the kernel does not count them. */
  readonly flushes: number | null;
  readonly flushMs: number | null;
}

/** Parses counts by device name. Malformed lines are skipped. */
export function parseDiskstats(text: string): Map<string, DiskCounts> {
  const counts = new Map<string, DiskCounts>();
  for (const line of text.split("\n")) {
    const [, , name, ...rest] = line.trim().split(/\s+/);
    const fields = rest.map(Number);
    if (name === undefined || fields.length < 11 || !fields.every(Number.isSafeInteger)) continue;
    const at = (field: number): number => fields[field - 1] ?? 0;
    counts.set(name, {
      reads: at(1),
      readSectors: at(3),
      readMs: at(4),
      writes: at(5),
      writtenSectors: at(7),
      writeMs: at(8),
      busyMs: at(10),
      weightedMs: at(11),
      flushes: fields[15] ?? null,
      flushMs: fields[16] ?? null,
    });
  }
  return counts;
}

/** Work of a device between two readings. Means are null if no request of the kind was completed. */
export interface DiskWork {
  readonly reads: number;
  readonly readBytes: number;
  readonly writes: number;
  readonly writtenBytes: number;
  readonly readMeanSeconds: number | null;
  readonly writeMeanSeconds: number | null;
  readonly flushMeanSeconds: number | null;
  readonly busyRatio: number;
  /** Mean number of requests waiting or in flight. */
  readonly queueRequests: number;
}

/** Returns null if counts fell without wrapping around: the device is another one, or its counts were reset. */
export function workBetween(before: DiskCounts, after: DiskCounts, elapsedMs: number): DiskWork | null {
  if (!(elapsedMs > 0)) return null;
  const of = (name: Exclude<keyof DiskCounts, "flushes" | "flushMs">): number | null =>
    counterIncrease(before[name], after[name]);
  const [reads, readSectors, readMs] = [of("reads"), of("readSectors"), of("readMs")];
  const [writes, writtenSectors, writeMs] = [of("writes"), of("writtenSectors"), of("writeMs")];
  const [busyMs, weightedMs] = [of("busyMs"), of("weightedMs")];
  if (reads === null || readSectors === null || readMs === null) return null;
  if (writes === null || writtenSectors === null || writeMs === null) return null;
  if (busyMs === null || weightedMs === null) return null;
  const hasFlushes = before.flushes !== null && after.flushes !== null;
  const flushes = hasFlushes ? counterIncrease(before.flushes, after.flushes) : 0;
  const flushMs = hasFlushes ? counterIncrease(before.flushMs ?? 0, after.flushMs ?? 0) : 0;
  if (flushes === null || flushMs === null) return null;
  return {
    reads,
    readBytes: readSectors * SECTOR_BYTES,
    writes,
    writtenBytes: writtenSectors * SECTOR_BYTES,
    readMeanSeconds: meanSeconds(readMs, reads),
    writeMeanSeconds: meanSeconds(writeMs, writes),
    flushMeanSeconds: meanSeconds(flushMs, flushes),
    // The kernel counts in ticks, so a busy second may have a few milliseconds too many.
    busyRatio: Math.min(1, busyMs / elapsedMs),
    queueRequests: weightedMs / elapsedMs,
  };
}

const meanSeconds = (ms: number, count: number): number | null => (count === 0 ? null : ms / count / 1000);

/** A 32-bit count wraps around to zero; between two readings it never grows by half of its range. */
function counterIncrease(before: number, after: number): number | null {
  if (after >= before) return after - before;
  const wrapped = after + WRAP - before;
  return before < WRAP && wrapped < WRAP / 2 ? wrapped : null;
}
