/** Decides on which thread a body is hashed. */
import { type BodyHash, hashHere } from "./body-hash.ts";
import { HashThread } from "./hash-thread.ts";

/** Below this size, passing the bytes to the thread costs as much as hashing them. */
const THREAD_BYTES_MIN = 65_536;
/** Larger bodies are hashed on the other thread even if this one is idle, so that hashing overlaps with arrival. */
const ALONE_BYTES_MIN = 262_145;

let thread: HashThread | null = null;

/**
 * Opens a hash for a body of this size: on the hashing thread if this thread has other requests to work on or the body
 * is large. A lone request of at most 256 KiB is hashed here, because waking another thread would delay its answer. A
 * body that finds the hashing thread overloaded is hashed here too.
 */
export function openBodyHash(sizeBytes: number, hasSha256: boolean, isBusy: boolean): BodyHash {
  if (sizeBytes < (isBusy ? THREAD_BYTES_MIN : ALONE_BYTES_MIN)) return hashHere(hasSha256);
  thread ??= new HashThread();
  return thread.open(sizeBytes, hasSha256) ?? hashHere(hasSha256);
}
