/**
 * The server's clock, as the browser knows it. Ranges and ages are reckoned by it: a browser whose own clock is a day off
 * would ask for times of which there is nothing.
 */

/** Differences up to this may be delays of network and page. */
const TOLERANCE_MS = 5_000;

let offsetMs = 0;
const listeners = new Set<() => void>();

/** The offset to reckon with, after the server's clock was seen this far ahead of the browser's. */
export function offsetAfter(currentMs: number, seenMs: number): number {
  if (Math.abs(seenMs) <= TOLERANCE_MS) return 0;
  return Math.abs(seenMs - currentMs) <= TOLERANCE_MS ? currentMs : seenMs;
}

/** Now, in epoch milliseconds by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;

/** The lead of the server's clock over the browser's, in milliseconds. */
export const clockOffsetMs = (): number => offsetMs;

/** Notes what the server's clock showed at this moment. */
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
