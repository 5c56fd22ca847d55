const PAGE_BYTES = 4_096;

/** Changes bytes in every page of every write, so that no drive compresses or deduplicates them. */
export function freshen(buffer: Uint8Array, blockBytes: number, stamp: number): void {
  for (let at = 0; at < blockBytes; at += PAGE_BYTES) {
    buffer[at] = stamp & 0xff;
    buffer[at + 1] = (stamp >>> 8) & 0xff;
    buffer[at + 2] = (stamp >>> 16) & 0xff;
    buffer[at + 3] = (stamp >>> 24) & 0xff;
  }
}
