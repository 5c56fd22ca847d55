/** Data that the thread that hashes bodies is given, and its messages. */
import type { HashResult } from "./body-hash.ts";

export interface HashThreadData {
  readonly queue: SharedArrayBuffer;
  readonly blocks: SharedArrayBuffer;
}

/** Sent by the thread for each body that ended. */
export interface HashAnswer extends HashResult {
  readonly id: number;
}
