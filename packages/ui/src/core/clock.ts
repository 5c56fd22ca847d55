/**
 * The server's clock as estimated by the browser. Ranges and ages use it, because a browser whose clock is a day off
 * would ask for times without data.
 */

/** Largest difference attributed to network and page delays. */
const TOLERANCE_MS = 5_000;

let offsetMs = 0;
const listeners = new Set<() => void>();

/** Returns the offset to use after the server's clock was seen this far ahead of the browser's. */
export function offsetAfter(currentMs: number, seenMs: number): number {
  if (Math.abs(seenMs) <= TOLERANCE_MS) return 0;
  return Math.abs(seenMs - currentMs) <= TOLERANCE_MS ? currentMs : seenMs;
}

/** Current server time in epoch milliseconds. */
export const serverNow = (): number => Date.now() + offsetMs;

/** The lead of the server's clock over the browser's, in milliseconds. */
export const clockOffsetMs = (): number => offsetMs;

/** Records the server's time at this moment. */
export function noteServerTime(serverMs: number): void {
  const next = offsetAfter(offsetMs, serverMs - Date.now());
  if (next === offsetMs) return;
  offsetMs = next;
  for (const listener of listeners) listener();
}

export function onClockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
