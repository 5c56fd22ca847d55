/** Payload of a purge list: the dead records, one entry for each generation that may hold a copy. */
import { dataView, getU64, setU64 } from "./format.ts";
import { packRecordKey } from "./record-key.ts";

export const PURGE_ENTRY_BYTES = 40;

export interface Purge {
  readonly key: string;
  /** Copies of the key with a smaller log sequence number are dead. */
  readonly belowLsn: number;
  /** Generation that held a copy when it was killed. The entry is needed until that generation is recycled. */
  readonly generation: number;
}

export function encodePurges(purges: readonly Purge[]): Uint8Array {
  const bytes = new Uint8Array(purges.length * PURGE_ENTRY_BYTES);
  const view = dataView(bytes);
  let at = 0;
  for (const purge of purges) {
    // A key is the upload id, two bytes per unit, and the shard index.
    for (let unit = 0; unit < 8; unit++) view.setUint16(at + 2 * unit, purge.key.charCodeAt(unit));
    setU64(view, at + 16, purge.belowLsn);
    setU64(view, at + 24, purge.generation);
    view.setUint32(at + 32, purge.key.charCodeAt(8), true);
    at += PURGE_ENTRY_BYTES;
  }
  return bytes;
}

/** Returns null if the payload is not a list of complete entries. */
export function decodePurges(bytes: Uint8Array): Purge[] | null {
  if (bytes.length % PURGE_ENTRY_BYTES !== 0) return null;
  const view = dataView(bytes);
  const purges: Purge[] = [];
  for (let at = 0; at < bytes.length; at += PURGE_ENTRY_BYTES) {
    purges.push({
      key: packRecordKey(bytes.subarray(at, at + 16), view.getUint32(at + 32, true) & 0xffff),
      belowLsn: getU64(view, at + 16),
      generation: getU64(view, at + 24),
    });
  }
  return purges;
}
