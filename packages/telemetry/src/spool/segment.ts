/**
 * A spool file: entries one behind the other, each
 *
 *     length of the payload (4)  CRC-32 of all that follows (4)  start (8)  end (8)  payload
 *
 * little-endian; start and end are the milliseconds since 1970 that the entry tells of. A process that dies leaves a cut
 * entry at most at the end; a damaged one ends what can be read of its file.
 */
import { crc32 } from "node:zlib";

export interface SpoolEntry {
  readonly startMs: number;
  readonly endMs: number;
  readonly payload: Uint8Array;
}

const PREFIX_BYTES = 8;
const SPAN_BYTES = 16;
export const ENTRY_HEAD_BYTES = PREFIX_BYTES + SPAN_BYTES;

export function encodeEntry({ startMs, endMs, payload }: SpoolEntry): Uint8Array {
  const bytes = new Uint8Array(ENTRY_HEAD_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.length, true);
  view.setFloat64(PREFIX_BYTES, startMs, true);
  view.setFloat64(PREFIX_BYTES + 8, endMs, true);
  bytes.set(payload, ENTRY_HEAD_BYTES);
  view.setUint32(4, crc32(bytes.subarray(PREFIX_BYTES)), true);
  return bytes;
}

/** `isWhole`: nothing but entries was found. */
export function decodeSegment(bytes: Uint8Array): { entries: SpoolEntry[]; isWhole: boolean } {
  const entries: SpoolEntry[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    if (at + ENTRY_HEAD_BYTES > bytes.length) return { entries, isWhole: false };
    const end = at + ENTRY_HEAD_BYTES + view.getUint32(at, true);
    if (end > bytes.length) return { entries, isWhole: false };
    if (crc32(bytes.subarray(at + PREFIX_BYTES, end)) !== view.getUint32(at + 4, true)) {
      return { entries, isWhole: false };
    }
    const [startMs, endMs] = [
      view.getFloat64(at + PREFIX_BYTES, true),
      view.getFloat64(at + PREFIX_BYTES + 8, true),
    ];
    entries.push({ startMs, endMs, payload: bytes.subarray(at + ENTRY_HEAD_BYTES, end) });
    at = end;
  }
  return { entries, isWhole: true };
}
