/** Finds the frames of a segment and the records of a frame, from the medium and without trusting it. */
import { isSame } from "./bytes.ts";
import type { DiskError, DiskFile } from "./disk.ts";
import {
  alignPage,
  dataView,
  decodeFrameHeader,
  FRAME_HEADER_BYTES,
  type Identity,
  PAGE_BYTES,
  RECORD_ALIGN_BYTES,
  RECORD_HEADER_BYTES,
  type ReadFrame,
  recordBytes,
} from "./format.ts";
import { decodeRecordHeader, HeaderView } from "./record-header.ts";
import { eachInTurn } from "./series.ts";
import type { UnreadablePages } from "./unreadable-pages.ts";

const WINDOW_BYTES = 64 * PAGE_BYTES;

/** A buffer for repeated reads, whose callers no longer use it when the next read begins. */
export class PageBuffer {
  #bytes = new Uint8Array(0);

  of(bytes: number): Uint8Array {
    if (bytes > this.#bytes.length) this.#bytes = new Uint8Array(Math.max(bytes, 2 * this.#bytes.length));
    return this.#bytes.subarray(0, bytes);
  }
}

/**
 * Reads whole pages. A page that the device cannot read is noted in `unreadable`, which decides whether the log opens
 * at all, and filled with zeros, which no check accepts. Once it is clear that the log will not open, the device is no
 * longer read.
 */
function readPages(
  file: DiskFile,
  offset: number,
  target: Uint8Array,
  unreadable: UnreadablePages,
  done: () => void,
): void {
  if (unreadable.refusal() !== null) {
    target.fill(0);
    done();
    return;
  }
  file.readDirect(offset, target, (error) => {
    if (error === null) {
      done();
      return;
    }
    const starts = Array.from({ length: target.length / PAGE_BYTES }, (_, at) => at * PAGE_BYTES);
    eachInTurn<number, never>(
      starts,
      (start, next) => {
        if (unreadable.refusal() !== null) {
          target.fill(0, start, start + PAGE_BYTES);
          next(null);
          return;
        }
        const page = new Uint8Array(PAGE_BYTES);
        file.readDirect(offset + start, page, (failed: DiskError | null) => {
          if (failed !== null) unreadable.note(file, offset + start, failed);
          target.set(failed === null ? page : new Uint8Array(PAGE_BYTES), start);
          next(null);
        });
      },
      done,
    );
  });
}

interface PageRange {
  readonly file: DiskFile;
  readonly offset: number;
  readonly bytes: number;
  /** Buffer of the first read, if the caller no longer uses it when the next read begins. */
  readonly buffer?: PageBuffer;
}

/**
 * Limit on reads of a range that fails its check: it is reread until two reads agree, and these count as the content
 * of the medium.
 */
const READS_MAX = 3;

/**
 * Reads whole pages, and again if they fail `isRight`, because bytes may be garbled in transfer. `isRight` is called
 * last with the bytes that `done` receives. If no two reads agree, the log does not open: the content of the medium is
 * unknown, and a segment in use could be mistaken for an empty one, or the log for a shorter one.
 */
export function readChecked(
  { file, offset, bytes, buffer = new PageBuffer() }: PageRange,
  unreadable: UnreadablePages,
  isRight: (read: Uint8Array) => boolean,
  done: (read: Uint8Array) => void,
): void {
  const earlier: Uint8Array[] = [];
  const attempt = (target: Uint8Array): void => {
    readPages(file, offset, target, unreadable, () => {
      const isTrusted = isRight(target) || earlier.some((read) => isSame(read, target));
      earlier.push(target);
      if (!isTrusted && earlier.length < READS_MAX) {
        attempt(new Uint8Array(bytes));
        return;
      }
      if (!isTrusted) unreadable.noteUnstable(offset, bytes);
      done(target);
    });
  };
  attempt(buffer.of(bytes));
}

/** Returns the frame of this generation at `offset`, if one begins there and is completely inside the segment. */
export function frameAt(
  identity: Identity,
  bytes: Uint8Array,
  at: number,
  offset: number,
  generation: number,
  segmentBytes: number,
): ReadFrame | null {
  const frame = decodeFrameHeader(identity, bytes, at);
  if (frame === null || frame.generation !== generation || frame.offset !== offset) return null;
  const isInside = frame.bytes > FRAME_HEADER_BYTES && offset + frame.bytes <= segmentBytes - PAGE_BYTES;
  return isInside ? frame : null;
}

/**
 * Finds the frames of the generation from an offset on, in the order of the segment; where none begins, the search continues page by page.
 * Pages that belong to no frame are read twice, because a frame garbled in transfer would not look like a frame.
 */
export function scanFrames(
  { identity, unreadable }: { readonly identity: Identity; readonly unreadable: UnreadablePages },
  file: DiskFile,
  generation: number,
  isVoid: (frame: ReadFrame) => boolean,
  done: (frames: ReadFrame[]) => void,
  from = PAGE_BYTES,
): void {
  const end = file.sizeBytes - PAGE_BYTES;
  const frames: ReadFrame[] = [];
  const buffer = new PageBuffer();
  const scanFrom = (start: number): void => {
    if (start >= end || unreadable.refusal() !== null) {
      done(frames);
      return;
    }
    const bytes = Math.min(WINDOW_BYTES, end - start);
    let found: ReadFrame[] = [];
    let offset = start;
    const isFilledWithFrames = (window: Uint8Array): boolean => {
      found = [];
      let strayPageCount = 0;
      for (offset = start; offset < start + bytes; ) {
        const frame = frameAt(identity, window, offset - start, offset, generation, file.sizeBytes);
        if (frame === null || isVoid(frame)) {
          strayPageCount++;
          offset += PAGE_BYTES;
        } else {
          found.push(frame);
          offset += alignPage(frame.bytes);
        }
      }
      return strayPageCount === 0;
    };
    readChecked({ file, offset: start, bytes, buffer }, unreadable, isFilledWithFrames, () => {
      frames.push(...found);
      scanFrom(offset);
    });
  };
  scanFrom(from);
}

export interface FoundRecord {
  readonly header: HeaderView;
  /** Null if the payload's checksum is wrong. */
  readonly payload: Uint8Array | null;
}

/**
 * Finds the records of a frame that are complete, in their place and of this frame. After a bad header the search
 * continues at every place where a record may begin; the count reveals to the caller that some are missing.
 */
export function findRecords(identity: Identity, frame: ReadFrame, bytes: Uint8Array): FoundRecord[] {
  const found: FoundRecord[] = [];
  eachRecord(identity, frame, bytes, (header, isGood) => {
    found.push({ header, payload: isGood ? header.payloadBehind : null });
  });
  return found;
}

/** Visits the records one after the other. A frame may contain thousands, so nothing of a record is kept here. */
function eachRecord(
  identity: Identity,
  frame: ReadFrame,
  bytes: Uint8Array,
  visit: (header: HeaderView, isGood: boolean, at: number) => void,
): void {
  const view = dataView(bytes);
  let lsn = frame.firstLsn;
  let at = FRAME_HEADER_BYTES;
  while (at < frame.bytes) {
    const isPlaced =
      at + RECORD_HEADER_BYTES <= frame.bytes &&
      view.getUint32(at + 56, true) * RECORD_ALIGN_BYTES === frame.offset + at;
    const header = isPlaced ? decodeRecordHeader(identity, bytes, view, at, frame.bytes) : null;
    if (header === null || !belongsTo(header, frame, lsn)) {
      at += RECORD_ALIGN_BYTES;
      continue;
    }
    const size = recordBytes(header.metaBytes, header.payloadBytes);
    if (at + size > frame.bytes) {
      at += RECORD_ALIGN_BYTES;
      continue;
    }
    // A husk keeps the checksum of the payload that it lost.
    const isGood = header.type === "husk" || identity.crc32c(header.payloadBehind) === header.payloadCrc;
    visit(header, isGood, at);
    lsn = header.lsn + 1;
    at += size;
  }
}

/**
 * The records of a frame as places, for a caller that must have seen all before it uses the first. The bytes must not
 * change in between.
 */
export class FrameRecords {
  readonly #bytes: Uint8Array;
  /** Twice the offset of each record, plus one if its payload is correct. */
  readonly #places: number[] = [];
  /** True if all records of the frame are present and all payloads are correct. */
  readonly isWhole: boolean;

  constructor(identity: Identity, frame: ReadFrame, bytes: Uint8Array) {
    this.#bytes = bytes;
    let areGood = true;
    eachRecord(identity, frame, bytes, (_header, isGood, at) => {
      this.#places.push(2 * at + (isGood ? 1 : 0));
      areGood &&= isGood;
    });
    this.isWhole = areGood && this.count === frame.recordCount;
  }

  get count(): number {
    return this.#places.length;
  }

  forEach(visit: (header: HeaderView, isGood: boolean, at: number) => void): void {
    const view = dataView(this.#bytes);
    for (const place of this.#places)
      visit(new HeaderView(this.#bytes, view, place >> 1), place % 2 === 1, place >> 1);
  }
}

function belongsTo(header: HeaderView, frame: ReadFrame, lsn: number): boolean {
  return (
    header.generation === frame.generation &&
    header.volumeEpoch === frame.volumeEpoch &&
    header.lsn >= lsn &&
    header.lsn < frame.firstLsn + frame.recordCount
  );
}

/** Returns the record headers that a checkpoint lists, or null unless all of it can be read. */
export function parseDirectory(
  identity: Identity,
  payload: Uint8Array,
  generation: number,
): HeaderView[] | null {
  const view = dataView(payload);
  const headers: HeaderView[] = [];
  let at = 0;
  while (at < payload.length) {
    const header = decodeRecordHeader(identity, payload, view, at, payload.length);
    if (header === null || header.generation !== generation) return null;
    headers.push(header);
    at += Math.ceil((RECORD_HEADER_BYTES + header.metaBytes) / 8) * 8;
  }
  return headers;
}
