"use client";
import { useSyncExternalStore } from "react";

type Clock = { subscribe: (onTick: () => void) => () => void; read: () => number };

const clocks = new Map<number, Clock>();

/** One clock an interval, kept for good: its functions must stay the same, or React would subscribe on every render. */
function clockOf(intervalMs: number): Clock {
  const existing = clocks.get(intervalMs);
  if (existing) return existing;
  const clock = createClock(intervalMs);
  clocks.set(intervalMs, clock);
  return clock;
}

function createClock(intervalMs: number): Clock {
  const listeners = new Set<() => void>();
  let nowMs = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    nowMs = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    read: () => nowMs,
    subscribe: (onTick) => {
      listeners.add(onTick);
      if (timer === undefined) {
        timer = setInterval(tick, intervalMs);
        if (Date.now() - nowMs >= intervalMs) tick();
      }
      return () => {
        listeners.delete(onTick);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

/**
 * The time in milliseconds, renewed every `intervalMs`; null while the server renders, whose clock and zone are not
 * the reader's. All users of one interval share one timer, so the ages on a page move together.
 */
export function useNow(intervalMs = 1000): number | null {
  const clock = clockOf(intervalMs);
  return useSyncExternalStore<number | null>(clock.subscribe, clock.read, () => null);
}

const never = () => () => {};

/** False while the server renders and during hydration, true from then on. */
export function useIsClient(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
