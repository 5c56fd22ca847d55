/**
 * The server's clock as the browser estimates it. Ranges and ages use it, because a browser whose clock is a day off
 * would query times without data.
 */

/** A smaller difference may be due to network and page delays. */
const TOLERANCE_MS = 5_000;

let offsetMs = 0;
const listeners = new Set<() => void>();

/** Returns the offset to use after the server's clock was this far ahead of the browser's. */
export function offsetAfter(currentMs: number, seenMs: number): number {
  if (Math.abs(seenMs) <= TOLERANCE_MS) return 0;
  return Math.abs(seenMs - currentMs) <= TOLERANCE_MS ? currentMs : seenMs;
}

/** Current server time in epoch milliseconds. */
export const serverNow = (): number => Date.now() + offsetMs;

/** Milliseconds by which the server's clock is ahead of the browser's. */
export const clockOffsetMs = (): number => offsetMs;

/** Records that this is the server's current time. */
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
