"use client";
import { useSyncExternalStore } from "react";

/**
 * Shares the moment under the pointer among a page's charts. Only the time is shared: connected instances of the
 * charting library would repeat each other's events.
 */
interface Crosshair {
  readonly timeMs: number;
  /** The chart under the pointer; it shows values, the others only a line. */
  readonly chartId: string;
}

let current: Crosshair | null = null;
const listeners = new Set<() => void>();

export function pointAt(next: Crosshair | null): void {
  if (next?.timeMs === current?.timeMs && next?.chartId === current?.chartId) return;
  current = next;
  for (const listener of listeners) listener();
}

/** Hides the crosshair unless another chart has taken it over. */
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
