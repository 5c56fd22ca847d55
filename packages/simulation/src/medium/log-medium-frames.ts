/** Reads the frames of a log's medium from its pages, with their checksums, and the copies of records in them. */
import {
  decodePurges,
  findRecords,
  frameAt,
  type Identity,
  keyOfHeader,
  PAGE_BYTES,
  RECORD_HEADER_BYTES,
  type ReadFrame,
} from "@stashlight/shard-log/image";

/** Reads a page of the media; null if it is unreadable. */
export type MediaReader = (fileName: string, page: number) => Uint8Array | null;

/** Place of a record without its padding, which no checksum covers. */
export interface RecordPlace {
  readonly fileName: string;
  readonly offset: number;
  readonly bytes: number;
}

/** One copy of a record whose header is intact. */
export interface Copy {
  readonly key: string;
  readonly lsn: number;
  readonly hasPayload: boolean;
  readonly frame: FrameImage;
  readonly place: RecordPlace;
  /** Place of the payload alone; empty if there is none. */
  readonly payloadPlace: RecordPlace;
}

export interface FrameImage {
  readonly header: ReadFrame;
  readonly startPage: number;
  readonly endPage: number;
  readonly isWhole: boolean;
  readonly copies: readonly Copy[];
  readonly purges: readonly { readonly key: string; readonly belowLsn: number }[];
  counts: boolean;
}

export class FrameReader {
  readonly #identity: Identity;
  readonly #pageCount: number;
  readonly #read: MediaReader;

  constructor(identity: Identity, pageCount: number, read: MediaReader) {
    this.#identity = identity;
    this.#pageCount = pageCount;
    this.#read = read;
  }

  /** Returns the frame that begins at this page and belongs to the segment's generation; null if there is none. */
  at(fileName: string, startPage: number, generation: number): FrameImage | null {
    const first = this.#read(fileName, startPage);
    if (first === null) return null;
    const offset = startPage * PAGE_BYTES;
    const header = frameAt(this.#identity, first, 0, offset, generation, this.#pageCount * PAGE_BYTES);
    if (header === null) return null;
    const endPage = startPage + Math.ceil(header.bytes / PAGE_BYTES);
    const bytes = endPage === startPage + 1 ? first : this.#readPages(fileName, startPage, endPage);
    const copies: Copy[] = [];
    const purges: { key: string; belowLsn: number }[] = [];
    const records = findRecords(this.#identity, header, bytes);
    const isWhole = records.length === header.recordCount && records.every(({ payload }) => payload !== null);
    const frame = { header, startPage, endPage, isWhole, copies, purges, counts: false };
    for (const { header: record, payload } of records) {
      if (record.type === "purgeList") purges.push(...((payload && decodePurges(payload)) ?? []));
      else if (record.type !== "checkpoint") {
        const place = {
          fileName,
          offset: record.offset,
          bytes: RECORD_HEADER_BYTES + record.meta.length + record.payloadBytes,
        };
        const payloadPlace = {
          fileName,
          offset: record.offset + RECORD_HEADER_BYTES + record.meta.length,
          bytes: record.payloadBytes,
        };
        copies.push({
          key: keyOfHeader(record),
          lsn: record.lsn,
          hasPayload: payload !== null && record.type !== "husk",
          frame,
          place,
          payloadPlace,
        });
      }
    }
    return frame;
  }

  /** Unreadable pages read as zeros, which no checksum accepts. */
  #readPages(fileName: string, startPage: number, endPage: number): Uint8Array {
    const bytes = new Uint8Array((endPage - startPage) * PAGE_BYTES);
    for (let page = startPage; page < endPage; page += 1) {
      const content = this.#read(fileName, page);
      if (content !== null) bytes.set(content, (page - startPage) * PAGE_BYTES);
    }
    return bytes;
  }
}
