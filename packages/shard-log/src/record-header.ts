/** Record headers within the bytes that were read, decoded field by field on demand. */
import {
  getU64,
  type Identity,
  isRecordHeader,
  RECORD_ALIGN_BYTES,
  RECORD_HEADER_BYTES,
  type RecordHeader,
  type RecordType,
  toRecordType,
} from "./format.ts";
import { raiseVersionOrder } from "./header-page.ts";
import { KEY_WORDS, packRecordKey, recordKeyWord } from "./record-key.ts";

/** A verified header. It keeps the bytes that were read with it, which must not change. */
export class HeaderView implements RecordHeader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #at: number;

  constructor(bytes: Uint8Array, view: DataView, at: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.#at = at;
  }

  get type(): RecordType {
    return toRecordType(this.#bytes[this.#at + 68] as number) as RecordType;
  }

  get lsn(): number {
    return getU64(this.#view, this.#at + 8);
  }

  get generation(): number {
    return getU64(this.#view, this.#at + 48);
  }

  get offset(): number {
    return this.#view.getUint32(this.#at + 56, true) * RECORD_ALIGN_BYTES;
  }

  get volumeEpoch(): number {
    return this.#view.getUint32(this.#at + 76, true);
  }

  get uploadId(): Uint8Array {
    return this.#bytes.subarray(this.#at + 16, this.#at + 32);
  }

  get shardIndex(): number {
    return this.#view.getUint32(this.#at + 72, true);
  }

  get k(): number {
    return this.#bytes[this.#at + 69] as number;
  }

  get m(): number {
    return this.#bytes[this.#at + 70] as number;
  }

  get versionOrder(): Uint8Array {
    return this.#bytes.subarray(this.#at + 32, this.#at + 48);
  }

  /** Raises the highest version order to that of the record. */
  raiseOrder(highest: Uint8Array): void {
    raiseVersionOrder(highest, this.#bytes, this.#at + 32);
  }

  get placementEpoch(): number {
    return getU64(this.#view, this.#at + 80);
  }

  get metaBytes(): number {
    return this.#view.getUint32(this.#at + 64, true);
  }

  get meta(): Uint8Array {
    const start = this.#at + RECORD_HEADER_BYTES;
    return this.#bytes.subarray(start, start + this.metaBytes);
  }

  /** The payload, if it was read together with the header. */
  get payloadBehind(): Uint8Array {
    const start = this.#at + RECORD_HEADER_BYTES + this.metaBytes;
    return this.#bytes.subarray(start, start + this.payloadBytes);
  }

  get payloadBytes(): number {
    return this.#view.getUint32(this.#at + 60, true);
  }

  get payloadCrc(): number {
    return this.#view.getUint32(this.#at + 4, true);
  }

  get key(): string {
    return packRecordKey(this.#bytes, this.shardIndex, this.#at + 16);
  }

  /** Writes the words of the record's key. */
  writeKey(words: Uint32Array): void {
    for (let word = 0; word < 4; word++) words[word] = this.#view.getUint32(this.#at + 16 + 4 * word);
    words[4] = this.shardIndex & 0xffff;
  }

  /** Returns true if this is the record's key. */
  hasKey(key: string): boolean {
    return this.isOfUploadOf(key) && (this.shardIndex & 0xffff) === recordKeyWord(key, KEY_WORDS - 1);
  }

  /** Returns true if this key names a record of the same upload. */
  isOfUploadOf(key: string): boolean {
    for (let word = 0; word < 4; word++) {
      if (this.#view.getUint32(this.#at + 16 + 4 * word) !== recordKeyWord(key, word)) return false;
    }
    return true;
  }

  /**
   * Hash of all fields except place and shard: version order, type, code, epoch and meta. Records of one upload have
   * the same hash.
   */
  get uploadHash(): number {
    const at = this.#at;
    let hash = this.#hashOf(at + 32, at + 48, 0x811c9dc5);
    hash = this.#hashOf(at + 68, at + 71, hash);
    hash = this.#hashOf(at + 80, at + 88, hash);
    return this.#hashOf(at + RECORD_HEADER_BYTES, at + RECORD_HEADER_BYTES + this.metaBytes, hash);
  }

  /** Hashes four bytes at a time, then the rest one by one. */
  #hashOf(start: number, end: number, previous: number): number {
    let hash = previous;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ this.#view.getUint32(at, true), 0x85ebca6b);
      hash ^= hash >>> 15;
    }
    for (; at < end; at += 1) hash = Math.imul(hash ^ (this.#bytes[at] as number), 0x01000193);
    return hash;
  }

  /** Bytes of header and meta. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(this.#at, this.#at + RECORD_HEADER_BYTES + this.metaBytes);
  }
}

/** Returns the header at `at` with its meta, or null unless it is complete and correct. */
export function decodeRecordHeader(
  identity: Identity,
  bytes: Uint8Array,
  view: DataView,
  at: number,
  end: number,
): HeaderView | null {
  return isRecordHeader(identity, bytes, view, at, end) ? new HeaderView(bytes, view, at) : null;
}
