/** Computes MD5 and SHA-256 of a body as it arrives. */
import { createHash, type Hash } from "node:crypto";

/** Part of a body; offsets in bytes. */
export interface BodyChunk {
  readonly from: number;
  readonly to: number;
}

export interface HashPlan {
  readonly hasSha256: boolean;
  /** Chunks whose SHA-256 is wanted, in order. Each is added before its first byte is hashed. */
  readonly chunks: readonly BodyChunk[];
}

export interface HashResult {
  readonly md5: Uint8Array;
  /** Null unless it was requested. */
  readonly sha256: Uint8Array | null;
  /** SHA-256 of each chunk, in order. */
  readonly chunkSha256s: readonly Uint8Array[];
  /** Time spent hashing, on any thread. */
  readonly busyMs: number;
}

/** Ends with one call of `digest` or `abandon`. */
export interface BodyHash {
  /** The bytes may change as soon as the call returns. */
  update(bytes: Uint8Array): void;
  /** Rejects if the hashing thread has ended. */
  digest(): Promise<HashResult>;
  abandon(): void;
}

/** Hashes a body of any size on this thread. */
export function hashHere({ hasSha256, chunks }: HashPlan): BodyHash {
  const md5 = createHash("md5");
  const sha256 = hasSha256 ? createHash("sha256") : null;
  const hashes = new ChunkHashes();
  let hashedBytes = 0;
  let busyMs = 0;
  const timed = (work: () => void): void => {
    const startedMs = performance.now();
    work();
    busyMs += performance.now() - startedMs;
  };
  const updateChunks = (bytes: Uint8Array): void => {
    const end = hashedBytes + bytes.length;
    for (;;) {
      const chunk = chunks[hashes.digests.length];
      if (chunk === undefined || chunk.from >= end) break;
      const part = bytes.subarray(Math.max(0, chunk.from - hashedBytes), chunk.to - hashedBytes);
      hashes.update(part, chunk.to <= end);
      if (chunk.to > end) break;
    }
    hashedBytes = end;
  };
  return {
    update: (bytes) =>
      timed(() => {
        md5.update(bytes);
        sha256?.update(bytes);
        updateChunks(bytes);
      }),
    digest: async () => {
      const digests = { md5: md5.digest(), sha256: sha256?.digest() ?? null, chunkSha256s: hashes.digests };
      return { ...digests, busyMs };
    },
    abandon: () => {},
  };
}

/** SHA-256 of consecutive chunks. */
export class ChunkHashes {
  readonly digests: Uint8Array[] = [];
  #open: Hash | null = null;

  update(bytes: Uint8Array, isLast: boolean): void {
    this.#open ??= createHash("sha256");
    this.#open.update(bytes);
    if (!isLast) return;
    this.digests.push(this.#open.digest());
    this.#open = null;
  }
}
