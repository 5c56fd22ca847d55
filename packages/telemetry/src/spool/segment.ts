/**
 * Spool file: consecutive entries, each
 *
 *     storage (2 bits) and length of the stored payload (30 bits)  CRC-32 (4)  start (8)  end (8)  stored payload
 *
 * little-endian; start and end are the entry's time range in milliseconds since 1970. The CRC covers everything after
 * it, begun with the storage instead of 0. How a payload is stored:
 *
 *     0  uncompressed
 *     1  a zstd frame
 *     2  a zstd frame whose dictionary is the payload of the file's first entry
 *
 * Batches of a node name the same series window after window, so all but the first in a file take little more space
 * than their numbers. Each is written as it arrives, so a crash loses only one and leaves at most one truncated entry,
 * at the end. After a damaged entry the rest of the file cannot be read.
 */
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";

export interface SpoolEntry {
  readonly startMs: number;
  readonly endMs: number;
  readonly payload: Uint8Array;
}

/** An entry as stored in a file. */
export interface StoredEntry {
  readonly startMs: number;
  readonly endMs: number;
  readonly storage: number;
  readonly stored: Uint8Array;
}

const AS_IT_IS = 0;
const FRAME = 1;
const FRAME_WITH_DICTIONARY = 2;

const LENGTH_BITS = 30;
const LENGTH_MASK = 2 ** LENGTH_BITS - 1;
const PREFIX_BYTES = 8;
const SPAN_BYTES = 16;
export const ENTRY_HEAD_BYTES = PREFIX_BYTES + SPAN_BYTES;
/** Larger than any batch: a frame that claims more is damage that the CRC did not catch. */
const PAYLOAD_BYTES_MAX = 64 * 1_048_576;

/**
 * `first` is the payload of the file's first entry, or null if this is the first. The result never takes more than the
 * payload plus the header.
 */
export function encodeEntry({ startMs, endMs, payload }: SpoolEntry, first: Uint8Array | null): Uint8Array {
  const { storage, stored } = store(payload, first);
  const bytes = new Uint8Array(ENTRY_HEAD_BYTES + stored.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, storage * 2 ** LENGTH_BITS + stored.length, true);
  view.setFloat64(PREFIX_BYTES, startMs, true);
  view.setFloat64(PREFIX_BYTES + 8, endMs, true);
  bytes.set(stored, ENTRY_HEAD_BYTES);
  view.setUint32(4, crc32(bytes.subarray(PREFIX_BYTES), storage), true);
  return bytes;
}

function store(payload: Uint8Array, first: Uint8Array | null): { storage: number; stored: Uint8Array } {
  const stored =
    first === null ? zstdCompressSync(payload) : zstdCompressSync(payload, { dictionary: first });
  if (stored.length >= payload.length) return { storage: AS_IT_IS, stored: payload };
  return { storage: first === null ? FRAME : FRAME_WITH_DICTIONARY, stored };
}

/** Returns null if the stored bytes are not a payload. */
export function decodePayload({ storage, stored }: StoredEntry, first: Uint8Array | null): Uint8Array | null {
  if (storage === AS_IT_IS) return stored;
  if (storage === FRAME_WITH_DICTIONARY && first === null) return null;
  const dictionary = storage === FRAME_WITH_DICTIONARY && first !== null ? { dictionary: first } : {};
  try {
    return zstdDecompressSync(stored, { maxOutputLength: PAYLOAD_BYTES_MAX, ...dictionary });
  } catch {
    return null;
  }
}

/** `isWhole` is true if the file contained nothing but entries. */
export function decodeSegment(bytes: Uint8Array): { entries: StoredEntry[]; isWhole: boolean } {
  const entries: StoredEntry[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    if (at + ENTRY_HEAD_BYTES > bytes.length) return { entries, isWhole: false };
    const word = view.getUint32(at, true);
    const storage = word >>> LENGTH_BITS;
    const end = at + ENTRY_HEAD_BYTES + (word & LENGTH_MASK);
    if (end > bytes.length) return { entries, isWhole: false };
    if (crc32(bytes.subarray(at + PREFIX_BYTES, end), storage) !== view.getUint32(at + 4, true)) {
      return { entries, isWhole: false };
    }
    const [startMs, endMs] = [
      view.getFloat64(at + PREFIX_BYTES, true),
      view.getFloat64(at + PREFIX_BYTES + 8, true),
    ];
    entries.push({ startMs, endMs, storage, stored: bytes.subarray(at + ENTRY_HEAD_BYTES, end) });
    at = end;
  }
  return { entries, isWhole: true };
}
