/** Computes MD5 and SHA-256 of a body as it arrives. */
import { createHash } from "node:crypto";

export interface HashResult {
  readonly md5: Uint8Array;
  /** Null unless it was requested. */
  readonly sha256: Uint8Array | null;
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
export function hashHere(hasSha256: boolean): BodyHash {
  const md5 = createHash("md5");
  const sha256 = hasSha256 ? createHash("sha256") : null;
  let busyMs = 0;
  const timed = (work: () => void): void => {
    const startedMs = performance.now();
    work();
    busyMs += performance.now() - startedMs;
  };
  return {
    update: (bytes) =>
      timed(() => {
        md5.update(bytes);
        sha256?.update(bytes);
      }),
    digest: async () => {
      const digests = { md5: md5.digest(), sha256: sha256?.digest() ?? null };
      return { ...digests, busyMs };
    },
    abandon: () => {},
  };
}
