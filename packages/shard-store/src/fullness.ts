/** Reports changes of a log's free space to its machine, and chooses the answer to a record without space. */
import type { LogError, ShardLog } from "@stashlight/shard-log";
import type { PodFreeSpace } from "@stashlight/write-path";
import type { AppendFailure } from "./answers.ts";
import { type IndexMemory, unlimitedIndexMemory } from "./index-memory.ts";

export interface Fullness {
  /** Reports changes to the machine. Must be called regularly. */
  check(): void;
  /** Returns the answer to a record of this size that the log has no space for. */
  refused(error: LogError, bytes: number): Extract<AppendFailure, "full" | "busy">;
}

/** A change of free space is reported once it reaches this share of the bytes that data may fill. */
const NOTABLE_SHARE = 0.005;
/**
 * A nearly full pod reports smaller changes, from this share of its last report, so that uploads that do not fit are
 * not sent.
 */
const NOTABLE_SHARE_OF_FREE = 0.05;
/**
 * Consecutive checks with equal free space after which it is reported exactly, so that an idle vault shows no rounding.
 */
const CHECKS_UNTIL_STEADY = 4;

/**
 * Judges the space of a pod, on its drive and in its index. A refusal by extents may be temporary. A pod whose index is
 * full has no space for data, even if its drive has.
 */
export class FreeSpace implements Fullness {
  readonly #log: Pick<ShardLog, "stats">;
  readonly #report: (room: PodFreeSpace) => void;
  readonly #indexMemory: IndexMemory;
  #reported: PodFreeSpace | null = null;
  #checkedFreeBytes = 0;
  /** Number of consecutive checks that found the free bytes unchanged. */
  #unchangedCount = 0;

  constructor(
    log: Pick<ShardLog, "stats">,
    report: (room: PodFreeSpace) => void,
    indexMemory: IndexMemory = unlimitedIndexMemory,
  ) {
    this.#log = log;
    this.#report = report;
    this.#indexMemory = indexMemory;
  }

  check(): void {
    const { dataBytesFree, dataBytesMax, isShort: isLogShort } = this.#log.stats();
    const index = this.#indexMemory.spaceFor("data");
    const freeBytes = index === "full" ? 0 : dataBytesFree;
    const isShort = isLogShort || index === "short";
    this.#unchangedCount = freeBytes === this.#checkedFreeBytes ? this.#unchangedCount + 1 : 0;
    this.#checkedFreeBytes = freeBytes;
    if (!this.#isNews({ freeBytes, isShort }, dataBytesMax)) return;
    this.#reported = { freeBytes, isShort };
    this.#report(this.#reported);
  }

  #isNews({ freeBytes, isShort }: PodFreeSpace, dataBytesMax: number): boolean {
    const last = this.#reported;
    if (last === null || last.isShort !== isShort) return true;
    if ((last.freeBytes === 0) !== (freeBytes === 0)) return true;
    const notableBytes =
      this.#unchangedCount >= CHECKS_UNTIL_STEADY
        ? 0
        : Math.min(NOTABLE_SHARE * dataBytesMax, NOTABLE_SHARE_OF_FREE * last.freeBytes);
    return Math.abs(last.freeBytes - freeBytes) >= Math.max(1, notableBytes);
  }

  /**
   * Busy if the record will fit once other records are written or compacted; full if it is larger than the space left.
   */
  refused({ code }: Pick<LogError, "code">, bytes: number): "full" | "busy" {
    this.check();
    return code === "log_busy" || this.#log.stats().dataBytesFree >= bytes ? "busy" : "full";
  }
}

/** Occupancy from which a ring counts as full, and below which it has space again. */
export interface OccupancyLimits {
  readonly fullAtShare: number;
  readonly relievedAtShare: number;
}

/** Judges the space of a stash device: a busy ring counts as full, because uploads can use another device. */
export class Occupancy implements Fullness {
  readonly #log: ShardLog;
  readonly #limits: OccupancyLimits;
  readonly #tell: (isFull: boolean) => void;
  #isFull = false;

  constructor(log: ShardLog, limits: OccupancyLimits, tell: (isFull: boolean) => void) {
    this.#log = log;
    this.#limits = limits;
    this.#tell = tell;
  }

  check(): void {
    const { fullAtShare, relievedAtShare } = this.#limits;
    // Purges are written with the next record, but a ring that refuses appends gets none, so they are flushed.
    if (this.#isFull) this.#log.flush(() => {});
    const { occupancy } = this.#log.stats();
    const isFull = this.#isFull ? occupancy > relievedAtShare : occupancy >= fullAtShare;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#tell(isFull);
  }

  refused(): "full" {
    this.#isFull = true;
    return "full";
  }
}
