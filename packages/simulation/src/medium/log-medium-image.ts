/**
 * Contents of a shard log's medium, read from the image itself: after each changed page, the frames there are read
 * again with their checksums, and FORMAT.md's rules decide which of them a recovery would count. It takes no input from
 * the log, so it detects when the log is wrong. Rules that matter only where a medium has lost something are kept
 * simple: the attested sequence never goes back, and a segment's first frame continues the chain.
 */
import {
  decodeHeaderPage,
  type Identity,
  PAGE_BYTES,
  type ReadFrame,
  segmentFileName,
  VOLUME_FILE,
} from "@stashlight/shard-log/image";
import {
  type Copy,
  type FrameImage,
  FrameReader,
  type MediaReader,
  type RecordPlace,
} from "./log-medium-frames.ts";

interface SlotImage {
  readonly fileName: string;
  generation: number;
  /** The segment's checkpoint lists every record, and was written when everything before it was durable. */
  isCheckpointed: boolean;
  /** Frames by first page. */
  readonly frames: Map<number, FrameImage>;
  /** Start page of the frame that covers a page, or -1. */
  readonly owners: Int32Array;
}

interface KeyImage {
  readonly copies: Copy[];
  purgedBelowLsn: number;
}

interface Epoch {
  readonly epoch: number;
  readonly firstSequence: number;
}

export class LogImage {
  readonly #identity: Identity;
  readonly #read: MediaReader;
  readonly #frames: FrameReader;
  readonly #pageCount: number;
  readonly #onKey: (key: string) => void;
  readonly #slots = new Map<string, SlotImage>();
  readonly #keys = new Map<string, KeyImage>();
  readonly #epochs: Epoch[] = [];
  readonly #touched = new Set<string>();
  #attested = 0;
  /** Highest generation among the segments with at least one valid frame. */
  #lastGeneration = 0;

  /** Calls `onKey` for each key whose copies may have changed. */
  constructor(
    identity: Identity,
    geometry: { readonly segmentBytes: number; readonly segmentCount: number },
    read: MediaReader,
    onKey: (key: string) => void,
  ) {
    this.#identity = identity;
    this.#read = read;
    this.#pageCount = geometry.segmentBytes / PAGE_BYTES;
    this.#onKey = onKey;
    this.#frames = new FrameReader(identity, this.#pageCount, read);
    for (let slot = 0; slot < geometry.segmentCount; slot += 1) {
      const fileName = segmentFileName(slot);
      const owners = new Int32Array(this.#pageCount).fill(-1);
      this.#slots.set(fileName, {
        fileName,
        generation: 0,
        isCheckpointed: false,
        frames: new Map(),
        owners,
      });
    }
  }

  /** Returns the log sequence number under which a recovery would find the key intact; null if it would not. */
  lsnOf(key: string): number | null {
    const top = this.#topOf(key);
    return top?.hasPayload ? top.lsn : null;
  }

  placeOf(key: string): RecordPlace | null {
    return this.#topOf(key)?.place ?? null;
  }

  /**
   * Null if there is no payload, or if its frame is not attested yet: rot in the last frame of a log looks the same as
   * an unacknowledged write torn by a power cut.
   */
  payloadPlaceOf(key: string): RecordPlace | null {
    const top = this.#topOf(key);
    if (top === null || top.payloadPlace.bytes === 0) return null;
    return top.frame.header.sequence <= this.#attested ? top.payloadPlace : null;
  }

  #topOf(key: string): Copy | null {
    const image = this.#keys.get(key);
    if (image === undefined) return null;
    let top: Copy | null = null;
    for (const copy of image.copies)
      if (copy.frame.counts && (top === null || copy.lsn > top.lsn)) top = copy;
    return top !== null && top.lsn >= image.purgedBelowLsn ? top : null;
  }

  pageChanged(fileName: string, page: number): void {
    if (fileName === VOLUME_FILE) this.#readVolumePage(page);
    else {
      const slot = this.#slots.get(fileName);
      if (slot === undefined) return;
      if (page === 0 || page === this.#pageCount - 1) this.#readHeader(slot);
      else this.#readFrames(slot, page, page);
      this.#judgeSlot(slot);
    }
    this.#tell();
  }

  /** Reads everything again, after pages may have changed without notice. */
  refresh(): void {
    this.#lastGeneration = 0;
    for (const slot of this.#slots.values()) {
      slot.generation = -1;
      this.#readHeader(slot);
    }
    for (const slot of this.#slots.values()) this.#judgeSlot(slot);
    this.#tell();
  }

  #tell(): void {
    const keys = [...this.#touched];
    this.#touched.clear();
    for (const key of keys) this.#onKey(key);
  }

  #readVolumePage(page: number): void {
    const bytes = this.#read(VOLUME_FILE, page);
    const read = bytes === null ? null : decodeHeaderPage(this.#identity, bytes);
    if (read?.state !== "good") return;
    const { volumeEpoch: epoch, epochFirstSequence: firstSequence } = read.page.marks;
    this.#attested = Math.max(this.#attested, firstSequence - 1);
    if (this.#epochs.some((known) => known.epoch === epoch)) return;
    this.#epochs.push({ epoch, firstSequence });
    const slots = [...this.#slots.values()];
    for (const slot of slots) {
      for (const frame of [...slot.frames.values()]) if (this.#isVoid(frame.header)) this.#drop(slot, frame);
    }
    // A segment whose frames are all void has not been used: the log continues in the previous one.
    const used = slots.filter(({ frames }) => frames.size > 0);
    this.#lastGeneration = Math.max(0, ...used.map(({ generation }) => generation));
    for (const slot of slots) this.#judgeSlot(slot);
  }

  #isVoid({ volumeEpoch, sequence }: ReadFrame): boolean {
    return this.#epochs.some(({ epoch, firstSequence }) => epoch > volumeEpoch && firstSequence <= sequence);
  }

  /** The higher generation of the two copies counts; a changed generation voids the segment's previous contents. */
  #readHeader(slot: SlotImage): void {
    let generation = 0;
    let checkpointOffset = 0;
    for (const page of [0, this.#pageCount - 1]) {
      const bytes = this.#read(slot.fileName, page);
      const read = bytes === null ? null : decodeHeaderPage(this.#identity, bytes);
      if (read?.state !== "good" || read.page.generation < generation) continue;
      generation = read.page.generation;
      checkpointOffset = read.page.checkpointOffset;
      this.#attested = Math.max(this.#attested, read.page.marks.sequence);
    }
    if (generation !== slot.generation) {
      for (const frame of [...slot.frames.values()]) this.#drop(slot, frame);
      slot.generation = generation;
      this.#readFrames(slot, 1, this.#pageCount - 2);
    }
    slot.isCheckpointed =
      checkpointOffset > 0 && slot.frames.get(checkpointOffset / PAGE_BYTES)?.isWhole === true;
  }

  #drop(slot: SlotImage, frame: FrameImage): void {
    slot.frames.delete(frame.startPage);
    slot.owners.fill(-1, frame.startPage, frame.endPage);
    for (const copy of frame.copies) {
      const copies = this.#keys.get(copy.key)?.copies;
      copies?.splice(copies.indexOf(copy), 1);
      this.#touched.add(copy.key);
    }
  }

  /** Reads the pages from `first` to `last` again, with every frame that reaches into them. */
  #readFrames(slot: SlotImage, first: number, last: number): void {
    let page = first;
    let end = last + 1;
    for (let at = first; at < end; at += 1) {
      const frame = slot.frames.get(slot.owners[at] as number);
      if (frame === undefined) continue;
      page = Math.min(page, frame.startPage);
      end = Math.max(end, frame.endPage);
      this.#drop(slot, frame);
    }
    while (page < end) {
      const frame = this.#frames.at(slot.fileName, page, slot.generation);
      if (frame === null || this.#isVoid(frame.header)) page += 1;
      else {
        this.#add(slot, frame);
        page = frame.endPage;
      }
    }
  }

  #add(slot: SlotImage, frame: FrameImage): void {
    for (let page = frame.startPage; page < frame.endPage; page += 1) {
      const hidden = slot.frames.get(slot.owners[page] as number);
      if (hidden !== undefined) this.#drop(slot, hidden);
    }
    slot.frames.set(frame.startPage, frame);
    slot.owners.fill(frame.startPage, frame.startPage, frame.endPage);
    this.#attested = Math.max(this.#attested, frame.header.durableSequence);
    for (const copy of frame.copies) this.#keyOf(copy.key).copies.push(copy);
    if (slot.generation <= this.#lastGeneration) return;
    const previousGeneration = this.#lastGeneration;
    this.#lastGeneration = slot.generation;
    // Everything in the previous segment was durable before this segment was used.
    for (const other of this.#slots.values())
      if (other.generation === previousGeneration) this.#judgeSlot(other);
  }

  #keyOf(key: string): KeyImage {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const image = { copies: [], purgedBelowLsn: 0 };
    this.#keys.set(key, image);
    return image;
  }

  /** Decides which frames of the segment count. */
  #judgeSlot(slot: SlotImage): void {
    const isAllDurable = slot.isCheckpointed || slot.generation < this.#lastGeneration;
    const attested = isAllDurable ? Number.POSITIVE_INFINITY : this.#attested;
    let isEnded = false;
    let previous: ReadFrame | null = null;
    let endPage = 1;
    for (const frame of [...slot.frames.values()].sort((a, b) => a.startPage - b.startPage)) {
      const { header, isWhole } = frame;
      const continuesChain = previous === null || header.previousCrc === previous.crc;
      const isNext = (frame.startPage === endPage && continuesChain) || header.sequence - 1 <= attested;
      isEnded ||= !isNext || (!isWhole && header.sequence > attested);
      this.#setCounts(frame, !isEnded);
      previous = header;
      endPage = frame.endPage;
    }
  }

  #setCounts(frame: FrameImage, counts: boolean): void {
    // Copies in a frame that has just been read have not been reported yet.
    const isNews = frame.counts !== counts;
    frame.counts = counts;
    if (!isNews) return;
    for (const { key } of frame.copies) this.#touched.add(key);
    if (!counts) return;
    for (const { key, belowLsn } of frame.purges) {
      const image = this.#keyOf(key);
      image.purgedBelowLsn = Math.max(image.purgedBelowLsn, belowLsn);
      this.#touched.add(key);
    }
  }
}
