import { setTimeout as sleep } from "node:timers/promises";

/** Rejects with the signal's reason when aborted. */
export async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  // A timer of whole milliseconds may fire a fraction of one too early.
  for (let delayMs = time - performance.now(); delayMs > 0; delayMs = time - performance.now()) {
    await sleep(Math.ceil(delayMs), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
