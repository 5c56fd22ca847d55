/** The payload of a purge list: which records are dead, and which generations may still hold copies of them. */
import { getU64, setU64, viewOf } from "./format.ts";
import { idOfKey, keyOf } from "./segment.ts";

export const PURGE_ENTRY_BYTES = 48;

export interface Purge {
  readonly key: string;
  /** Copies of the key with a smaller log sequence number are dead. */
  readonly belowLsn: number;
  /** Where the copies lay when it was killed: the newest, and the oldest that may still be on the medium. */
  readonly generation: number;
  readonly oldestGeneration: number;
}

export function encodePurges(purges: readonly Purge[]): Uint8Array {
  const bytes = new Uint8Array(purges.length * PURGE_ENTRY_BYTES);
  const view = viewOf(bytes);
  let at = 0;
  for (const purge of purges) {
    const { uploadId, shardIndex } = idOfKey(purge.key);
    bytes.set(uploadId, at);
    setU64(view, at + 16, purge.belowLsn);
    setU64(view, at + 24, purge.generation);
    setU64(view, at + 32, purge.oldestGeneration);
    view.setUint32(at + 40, shardIndex, true);
    at += PURGE_ENTRY_BYTES;
  }
  return bytes;
}

/** Null when the payload is not a list of whole entries. */
export function decodePurges(bytes: Uint8Array): Purge[] | null {
  if (bytes.length % PURGE_ENTRY_BYTES !== 0) return null;
  const view = viewOf(bytes);
  const purges: Purge[] = [];
  for (let at = 0; at < bytes.length; at += PURGE_ENTRY_BYTES) {
    purges.push({
      key: keyOf(bytes.subarray(at, at + 16), view.getUint32(at + 40, true) & 0xffff),
      belowLsn: getU64(view, at + 16),
      generation: getU64(view, at + 24),
      oldestGeneration: getU64(view, at + 32),
    });
  }
  return purges;
}
