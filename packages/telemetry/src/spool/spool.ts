/**
 * Keeps undelivered batches on disk. Its bytes and age are limited: when it is full the oldest file is dropped, and its
 * time range becomes a gap, which is kept until it has been delivered, so that no loss is silent.
 *
 * Entries come back oldest first. Entries that were read but not forgotten come back after a restart; the receiver
 * accepts repeated batches.
 */
import { GAP_COUNT_MAX, type Gap, type GapReason, isGap } from "../gap.ts";
import type { SpoolFiles } from "./files.ts";
import {
  decodePayload,
  decodeSegment,
  ENTRY_HEAD_BYTES,
  encodeEntry,
  type SpoolEntry,
  type StoredEntry,
} from "./segment.ts";

export interface SpoolOptions {
  readonly files: SpoolFiles;
  readonly bytesMax: number;
  readonly ageMsMax: number;
  /** Size at which a new file is started; only whole files are dropped for space. */
  readonly segmentBytesMax: number;
  readonly nowMs: () => number;
}

interface Segment {
  readonly name: string;
  bytes: number;
  startMs: number;
  endMs: number;
  entryCount: number;
}

/** The file being written, and the payload of its first entry, if it has one. */
interface Writing {
  readonly segment: Segment;
  first: Uint8Array | null;
}

/** Unforgotten part of the oldest file, and the payload of the file's first entry. */
interface Reading {
  readonly segment: Segment;
  readonly entries: StoredEntry[];
  readonly first: Uint8Array | null;
}

const NAME = /^\d{12}\.spool$/;
const GAPS_NAME = "gaps.json";

export class Spool {
  readonly #options: SpoolOptions;
  /** Oldest first. */
  readonly #segments: Segment[] = [];
  #writing: Writing | null = null;
  #nextNumber = 1;
  #gaps: Gap[] = [];
  /** Entries dropped since the spool was opened; those in damaged files cannot be counted. */
  readonly droppedCounts = new Map<GapReason, number>();
  #reading: Reading | null = null;

  /** Reads the files of the previous process. */
  static async open(options: SpoolOptions): Promise<Spool> {
    const spool = new Spool(options);
    const names = (await options.files.list()).filter((name) => NAME.test(name)).sort();
    const damaged: Segment[] = [];
    for (const name of names)
      if (!(await spool.#adopt(name))) damaged.push(spool.#segments.at(-1) as Segment);
    await spool.#adoptGaps();
    for (const segment of damaged) await spool.addGap(spool.#damageIn(segment));
    return spool;
  }

  private constructor(options: SpoolOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  get entryCount(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.entryCount, 0);
  }

  /** Time ranges whose data is lost, not yet delivered. */
  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  /** Extends the last gap if this one follows it for the same reason. */
  async addGap(gap: Gap): Promise<void> {
    const last = this.#gaps.at(-1);
    const isSame = last?.reason === gap.reason && gap.startMs <= last.endMs && gap.startMs >= last.startMs;
    const merged = isSame ? { ...last, endMs: Math.max(last.endMs, gap.endMs) } : gap;
    this.#gaps = [...(isSame ? this.#gaps.slice(0, -1) : this.#gaps), merged].slice(-GAP_COUNT_MAX);
    await this.#keepGaps();
  }

  /** Removes delivered gaps. A gap that has grown meanwhile is reported again as a whole. */
  async forgetGaps(delivered: readonly Gap[]): Promise<void> {
    if (delivered.length === 0) return;
    this.#gaps = this.#gaps.filter((gap) => !delivered.includes(gap));
    await this.#keepGaps();
  }

  async #keepGaps(): Promise<void> {
    const { files } = this.#options;
    const bytes = new TextEncoder().encode(JSON.stringify(this.#gaps));
    const kept = this.#gaps.length === 0 ? files.remove(GAPS_NAME) : files.replace(GAPS_NAME, bytes);
    // Ignores a full disk, because gaps are reported from memory.
    await kept.catch(() => {});
  }

  async #adoptGaps(): Promise<void> {
    try {
      const text = new TextDecoder().decode(await this.#options.files.read(GAPS_NAME));
      const gaps: unknown = JSON.parse(text);
      if (Array.isArray(gaps)) this.#gaps = gaps.filter(isGap);
    } catch {
      // The file is missing or unreadable.
    }
  }

  /** Drops old entries so that this many more bytes fit. Called before `append`, which then drops nothing. */
  async makeRoom(payloadBytes: number): Promise<void> {
    const { bytesMax, ageMsMax, nowMs } = this.#options;
    const needed = ENTRY_HEAD_BYTES + payloadBytes;
    for (let oldest = this.#segments[0]; oldest !== undefined; oldest = this.#segments[0]) {
      const isTooOld = oldest.endMs < nowMs() - ageMsMax;
      if (!isTooOld && this.bytes + needed <= bytesMax) return;
      await this.#drop(oldest, isTooOld ? "too_old" : "spool_full");
    }
  }

  /** Stores the entry; if it cannot be written, as on a full disk, it becomes a gap. */
  async append(entry: SpoolEntry): Promise<void> {
    const { files, segmentBytesMax } = this.#options;
    let writing = this.#writing ?? this.#newSegment();
    let bytes = encodeEntry(entry, writing.first);
    if (writing.first !== null && writing.segment.bytes + bytes.length > segmentBytesMax) {
      writing = this.#newSegment();
      bytes = encodeEntry(entry, null);
    }
    const { segment } = writing;
    try {
      await files.append(segment.name, bytes);
    } catch {
      // Part of the entry may be in the file, so nothing is written after it.
      this.#writing = null;
      if (segment.entryCount === 0) await this.#forget(segment);
      this.#countDropped("disk_full", 1);
      await this.addGap({ startMs: entry.startMs, endMs: entry.endMs, reason: "disk_full" });
      return;
    }
    writing.first ??= entry.payload;
    segment.bytes += bytes.length;
    segment.entryCount += 1;
    segment.startMs = Math.min(segment.startMs, entry.startMs);
    segment.endMs = Math.max(segment.endMs, entry.endMs);
  }

  /** Returns the oldest entry; null if the spool is empty. */
  async oldest(): Promise<SpoolEntry | null> {
    for (let segment = this.#segments[0]; segment !== undefined; segment = this.#segments[0]) {
      if (this.#reading?.segment !== segment) await this.#read(segment);
      const reading = this.#reading;
      const entry = reading?.entries[0];
      if (entry === undefined) await this.#forget(segment);
      else {
        const { startMs, endMs } = entry;
        const payload = decodePayload(entry, reading?.first ?? null);
        if (payload !== null) return { startMs, endMs, payload };
        await this.addGap({ startMs, endMs, reason: "damaged" });
        await this.forgetOldest();
      }
    }
    return null;
  }

  /** Removes the oldest entry, after its delivery or if it is not needed. */
  async forgetOldest(): Promise<void> {
    const reading = this.#reading;
    if (reading === null || reading.segment !== this.#segments[0]) return;
    reading.entries.shift();
    reading.segment.entryCount -= 1;
    if (reading.entries.length === 0) await this.#forget(reading.segment);
  }

  #newSegment(): Writing {
    const name = `${String(this.#nextNumber++).padStart(12, "0")}.spool`;
    const segment = {
      name,
      bytes: 0,
      startMs: Number.POSITIVE_INFINITY,
      endMs: Number.NEGATIVE_INFINITY,
      entryCount: 0,
    };
    this.#segments.push(segment);
    this.#writing = { segment, first: null };
    return this.#writing;
  }

  /** Returns false if part of the file cannot be read. */
  async #adopt(name: string): Promise<boolean> {
    const { entries, isWhole, bytes } = await this.#decode(name);
    this.#nextNumber = Number.parseInt(name, 10) + 1;
    const [startMs, endMs] = spoolSpan(entries);
    this.#segments.push({ name, bytes, startMs, endMs, entryCount: entries.length });
    return isWhole;
  }

  /** The times in the file after its last good entry are unknown, so the gap spans those around them. */
  #damageIn(segment: Segment): Gap {
    const at = this.#segments.indexOf(segment);
    const nowMs = this.#options.nowMs();
    const before = this.#segments.slice(0, at + 1).map(({ endMs }) => endMs);
    const after = this.#segments.slice(at + 1).map(({ startMs }) => startMs);
    const endMs = Math.min(nowMs, ...after);
    const startMs = Math.max(...before);
    return { startMs: Number.isFinite(startMs) ? startMs : endMs, endMs, reason: "damaged" };
  }

  async #decode(name: string): Promise<{ entries: StoredEntry[]; isWhole: boolean; bytes: number }> {
    try {
      const bytes = await this.#options.files.read(name);
      return { ...decodeSegment(bytes), bytes: bytes.length };
    } catch {
      return { entries: [], isWhole: false, bytes: 0 };
    }
  }

  /** Nothing more is written to a file once it is read. */
  async #read(segment: Segment): Promise<void> {
    if (segment === this.#writing?.segment) this.#writing = null;
    const { entries } = await this.#decode(segment.name);
    const unread = entries.length - segment.entryCount;
    if (unread < 0) {
      const [, readEndMs] = spoolSpan(entries);
      const startMs = Math.max(readEndMs, segment.startMs);
      await this.addGap({ startMs, endMs: segment.endMs, reason: "damaged" });
    }
    const [oldest] = entries;
    this.#reading = { segment, entries, first: oldest === undefined ? null : decodePayload(oldest, null) };
    segment.entryCount = entries.length;
  }

  async #drop(segment: Segment, reason: GapReason): Promise<void> {
    const { startMs, endMs } = this.#spanLeft(segment);
    this.#countDropped(reason, segment.entryCount);
    if (segment.entryCount > 0) await this.addGap({ startMs, endMs, reason });
    await this.#forget(segment);
  }

  #countDropped(reason: GapReason, count: number): void {
    this.droppedCounts.set(reason, (this.droppedCounts.get(reason) ?? 0) + count);
  }

  #spanLeft(segment: Segment): { startMs: number; endMs: number } {
    if (this.#reading?.segment !== segment) return segment;
    const [startMs, endMs] = spoolSpan(this.#reading.entries);
    return { startMs, endMs };
  }

  async #forget(segment: Segment): Promise<void> {
    if (this.#reading?.segment === segment) this.#reading = null;
    if (segment === this.#writing?.segment) this.#writing = null;
    this.#segments.splice(this.#segments.indexOf(segment), 1);
    // If the disk does not delete the file, the next process delivers its batches again.
    await this.#options.files.remove(segment.name).catch(() => {});
  }
}

function spoolSpan(
  entries: readonly Pick<SpoolEntry, "startMs" | "endMs">[],
): [startMs: number, endMs: number] {
  return [Math.min(...entries.map(({ startMs }) => startMs)), Math.max(...entries.map(({ endMs }) => endMs))];
}
