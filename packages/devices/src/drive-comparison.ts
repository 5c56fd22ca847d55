/**
 * Compares a disk with an SSD by their datasheets, as the first article does. One shard takes
 *
 *     latency + bytes / rate
 *
 * on each. The ratio is theoretical: it equates a datasheet's latency with that of a durable write and assumes an empty
 * queue. The article rounds the disk's 4.45 ms up to 4.5 ms, which turns 164 into its 167.
 */
import { assert } from "./assert.ts";
import { type CatalogueDrive, findDrive } from "./catalogue.ts";

export interface ComparedFigure {
  readonly id: string;
  readonly label: string;
  readonly unit: "bytes" | "usd" | "usd-per-tb" | "bytes-per-second" | "iops" | "seconds";
  readonly hdd: number;
  readonly ssd: number;
  /** Ratio in favour of the SSD: faster, cheaper or larger; below one if the disk is better. */
  readonly ratio: number;
}

export interface DriveComparison {
  readonly bytes: number;
  readonly figures: readonly ComparedFigure[];
  /** Figure for writing `bytes` at once. */
  readonly write: ComparedFigure;
  /** The article's figures as printed; only for its drives and its 64 kB. */
  readonly printed: {
    readonly hddSeconds: number;
    readonly ssdSeconds: number;
    readonly ratio: number;
  } | null;
}

const TERABYTE = 1e12;
const PRINTED = { hddSeconds: 0.0045, ssdSeconds: 0.000027, ratio: 167 };
const PRINTED_BYTES = 64_000;

/** Seconds for one write of `bytes` bytes on an otherwise idle device. */
function writeSeconds(drive: CatalogueDrive, bytes: number): number {
  return drive.writeLatencyUs.value / 1e6 + bytes / drive.writeBytesPerSecond.value;
}

export function hddAgainstSsd(bytes: number, hdd: CatalogueDrive, ssd: CatalogueDrive): DriveComparison {
  assert(bytes > 0 && bytes < Number.POSITIVE_INFINITY, "The size of a write must be more than zero bytes.");
  const more = (id: string, label: string, unit: ComparedFigure["unit"], of: (d: CatalogueDrive) => number) =>
    compared(id, label, unit, of(hdd), of(ssd), true);
  const less = (id: string, label: string, unit: ComparedFigure["unit"], of: (d: CatalogueDrive) => number) =>
    compared(id, label, unit, of(hdd), of(ssd), false);
  const write = less("write", "One write", "seconds", (drive) => writeSeconds(drive, bytes));
  const isArticle = hdd === findDrive("seagate-exos-x16-16tb") && ssd === findDrive("micron-7450-max-3.2tb");
  return {
    bytes,
    write,
    printed: isArticle && bytes === PRINTED_BYTES ? PRINTED : null,
    figures: [
      more("capacity", "Capacity", "bytes", (drive) => drive.capacityBytes.value),
      less("price", "Price", "usd", (drive) => drive.priceUsd.value),
      less(
        "price-per-tb",
        "Price per TB",
        "usd-per-tb",
        (drive) => drive.priceUsd.value / (drive.capacityBytes.value / TERABYTE),
      ),
      more("read", "Sustained read", "bytes-per-second", (drive) => drive.readBytesPerSecond.value),
      more("written", "Sustained write", "bytes-per-second", (drive) => drive.writeBytesPerSecond.value),
      more("read-iops", "Random read, 4 kB", "iops", (drive) => drive.read4kIops.value),
      more("write-iops", "Random write, 4 kB", "iops", (drive) => drive.write4kIops.value),
      less("latency", "Write latency", "seconds", (drive) => drive.writeLatencyUs.value / 1e6),
      write,
    ],
  };
}

function compared(
  id: string,
  label: string,
  unit: ComparedFigure["unit"],
  hdd: number,
  ssd: number,
  isMoreBetter: boolean,
): ComparedFigure {
  return { id, label, unit, hdd, ssd, ratio: isMoreBetter ? ssd / hdd : hdd / ssd };
}
