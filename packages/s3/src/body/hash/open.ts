/** Decides on which thread a body is hashed. */
import { type BodyHash, hashHere } from "./body-hash.ts";
import { HashThread } from "./hash-thread.ts";

/** Below this, handing the bytes over costs about what hashing them does. */
const THREAD_BYTES_MIN = 65_536;
/** A larger body is hashed beside its own arrival, even if there is nothing else to do. */
const ALONE_BYTES_MIN = 262_145;

let thread: HashThread | null = null;

/**
 * A hash for a body of this size. While this thread has other requests to work on, another one hashes. The body of an
 * only request is hashed here, because waking another thread would delay its answer.
 */
export function openBodyHash(sizeBytes: number, hasSha256: boolean, isBusy: boolean): BodyHash {
  if (sizeBytes < (isBusy ? THREAD_BYTES_MIN : ALONE_BYTES_MIN)) return hashHere(hasSha256);
  thread ??= new HashThread();
  return thread.open(sizeBytes, hasSha256) ?? hashHere(hasSha256);
}
