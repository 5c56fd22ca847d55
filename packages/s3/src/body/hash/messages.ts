/** Messages to and from the thread that hashes bodies. */
import type { HashResult } from "./body-hash.ts";

export const BLOCK_BYTES = 262_144;

/** Sent to the thread. The blocks of one hash arrive in order. */
export type HashRequest =
  | { readonly type: "abandon"; readonly id: number }
  | {
      readonly type: "block";
      readonly id: number;
      readonly at: number;
      readonly length: number;
      readonly hasSha256: boolean;
      readonly isLast: boolean;
    };

/** Sent by the thread for each block. */
export interface HashAnswer {
  readonly id: number;
  readonly at: number;
  readonly busyMs: number;
  /** Null for all blocks but the last. */
  readonly digests: Omit<HashResult, "busyMs"> | null;
}
