"use client";
import { useSyncExternalStore } from "react";

/**
 * The moment that the reader points at, told to every chart of the page. Charts share the time and nothing else:
 * connecting the charting library's instances would repeat each one's events in all others.
 */
interface Crosshair {
  readonly timeMs: number;
  /** The chart that is pointed at; it shows its figures, the others a line. */
  readonly chartId: string;
}

let current: Crosshair | null = null;
const listeners = new Set<() => void>();

export function pointAt(next: Crosshair | null): void {
  if (next?.timeMs === current?.timeMs && next?.chartId === current?.chartId) return;
  current = next;
  for (const listener of listeners) listener();
}

/** Takes the crosshair away, unless another chart has it by now. */
export function leave(chartId: string): void {
  if (current?.chartId === chartId) pointAt(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCrosshair(): Crosshair | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}
