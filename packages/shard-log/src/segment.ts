/**
 * In-memory state of each slot of the volume.
 *
 *   free   -> its header carries a generation that no frame has used yet
 *   active -> frames are being placed in it
 *   sealed -> full or left after a restart; every frame in it is durable; nothing more is appended
 *   lost   -> neither copy of its header could be read; nothing in it counts until it is recycled
 *
 * free -> active -> sealed -> free (recycled), and lost -> free.
 */
import type { PageMemory } from "@stashlight/paged-memory";
import { Cells, type SavedCells } from "./cells.ts";
import type { DiskFile } from "./disk.ts";
import type { LogDone } from "./errors.ts";
import { RECORD_HEADER_BYTES } from "./format.ts";

export type SegmentState = "free" | "active" | "sealed" | "lost";

/** A segment of a log in which nothing is in progress. */
export interface SavedSegment {
  readonly generation: number;
  readonly state: SegmentState;
  readonly cells: SavedCells;
  readonly liveCount: number;
  readonly liveBytes: number;
  readonly keptBytes: number;
  readonly purgeLists: readonly number[];
  readonly owes: readonly (readonly [generation: number, purgeCount: number])[];
}

export class Segment {
  readonly slot: number;
  readonly file: DiskFile;
  generation = 0;
  state: SegmentState = "lost";
  /** Records of this generation. */
  readonly cells: Cells;
  /** Cells of records that this opening of the log has not read, because it continued with their rows. */
  unreadCellCount = 0;
  /** Number that recovery assigned to the first record that it read; the others follow. */
  firstNumber = 0;
  /** Records that have newer copies in other segments; they may rest once this generation is recycled. */
  newerCopies = new Set<Entry>();
  /** Number of records that a key refers to, or whose death is not durable yet. */
  liveCount = 0;
  liveBytes = 0;
  /** Bytes of records that compaction has to keep. */
  keptBytes = 0;
  /** Offsets of the purge lists in this generation. */
  purgeLists: number[] = [];
  /**
   * Generations that may hold records which only a purge list in this segment keeps dead, with the number of such
   * purges.
   */
  owes = new Map<number, number>();
  /** Content of this segment's future checkpoint; null if it will have none. */
  directory: Directory | null = null;
  isCompacting = false;
  /**
   * True if a purge list in it cannot be read. The segment is then recycled only once every record that the list
   * might keep dead is gone.
   */
  hasLostPurges = false;
  /** Time until which compaction skips the segment, because something in it could not be read. */
  setAsideUntilMs = 0;
  /** True if the segment may hold more records than were found when the log was opened; it is then not reused. */
  isQuarantined = false;

  constructor(slot: number, file: DiskFile, memory: PageMemory) {
    this.slot = slot;
    this.file = file;
    this.cells = new Cells(memory);
  }

  /** Starts another generation in this slot. */
  reset(generation: number): void {
    this.generation = generation;
    this.state = "free";
    this.cells.clear();
    this.unreadCellCount = 0;
    this.newerCopies = new Set();
    this.liveCount = 0;
    this.liveBytes = 0;
    this.keptBytes = 0;
    this.purgeLists = [];
    this.owes = new Map();
    this.directory = null;
    this.hasLostPurges = false;
    this.setAsideUntilMs = 0;
    this.isQuarantined = false;
  }

  save(): SavedSegment {
    const { generation, state, liveCount, liveBytes, keptBytes, purgeLists } = this;
    const counts = { liveCount, liveBytes, keptBytes };
    return { generation, state, cells: this.cells.save(), ...counts, purgeLists, owes: [...this.owes] };
  }

  restore(saved: SavedSegment): void {
    this.generation = saved.generation;
    this.state = saved.state;
    this.cells.restore(saved.cells);
    this.unreadCellCount = saved.cells.count;
    this.liveCount = saved.liveCount;
    this.liveBytes = saved.liveBytes;
    this.keptBytes = saved.keptBytes;
    this.purgeLists = [...saved.purgeLists];
    this.owes = new Map(saved.owes);
  }

  /** Counts a purge in this segment that keeps a record of that generation dead. */
  owe(generation: number): void {
    this.owes.set(generation, (this.owes.get(generation) ?? 0) + 1);
  }
}

/** A purge of a record that waits for its place in the log. */
export interface WaitingKill {
  /** Replaced by another copy when compaction moves the record. */
  entry: Entry;
  belowLsn: number;
  readonly done: LogDone | null;
}

/** One record on the medium, as the index knows it. */
export class Entry {
  readonly key: string;
  readonly segment: Segment;
  readonly generation: number;
  readonly offset: number;
  /** All bytes the record takes, a multiple of 64. */
  readonly bytes: number;
  readonly lsn: number;
  /** Earlier generations that may hold copies of the same key; usually there is none. */
  readonly olderCopies: readonly number[];
  /** False until the write that carries it has succeeded. */
  isReadable = false;
  /** True if its checksum failed or it is a husk: it is not served until it reads correctly or is appended again. */
  isBad = false;
  /**
   * True if its header failed too, so that compaction can neither move it nor leave a husk; its segment stays as it
   * is.
   */
  isHeaderBad = false;
  /** True once its damage has lasted, and so is on the medium: compaction may then keep a husk of it instead. */
  isLossConfirmed = false;
  /** True while its key refers to it, or its kill has not found space yet. */
  isKept = true;
  waitingKill: WaitingKill | null = null;
  /** Row of the record in the index, its cell in its segment, and the seat of this object. */
  row = -1;
  cell = -1;
  seat = -1;
  /** True while its key refers to the record, and this object represents it in the index. */
  isMeant = false;
  /** Operations in progress that rely on this object. */
  useCount = 0;
  /** The segment whose `newerCopies` include this entry. */
  listedIn: Segment | null = null;
  /** Previous record of this key, until this entry is durable. */
  previous: Entry | null = null;

  constructor(
    key: string,
    segment: Segment,
    offset: number,
    bytes: number,
    lsn: number,
    olderCopies: readonly number[],
  ) {
    this.key = key;
    this.segment = segment;
    this.generation = segment.generation;
    this.offset = offset;
    this.bytes = bytes;
    this.lsn = lsn;
    this.olderCopies = olderCopies;
  }
}

/** Headers and metas of a segment's records, in sequence, each padded to 8 bytes: a checkpoint's payload. */
export class Directory {
  bytes = new Uint8Array(4096);
  length = 0;

  static entryBytes(metaBytes: number): number {
    return Math.ceil((RECORD_HEADER_BYTES + metaBytes) / 8) * 8;
  }

  add(headerAndMeta: Uint8Array): void {
    const end = this.length + Math.ceil(headerAndMeta.length / 8) * 8;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(headerAndMeta, this.length);
    this.length = end;
  }
}
