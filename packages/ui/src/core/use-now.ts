"use client";
import { useSyncExternalStore } from "react";
import { clockOffsetMs, onClockChange, serverNow } from "./clock.ts";

type Clock = { subscribe: (onTick: () => void) => () => void; read: () => number };

const clocks = new Map<string, Clock>();

/** One clock an interval, kept for good: its functions must stay the same, or React would subscribe on every render. */
function clockOf(intervalMs: number, offsetMs: number): Clock {
  const key = `${intervalMs}+${offsetMs}`;
  const existing = clocks.get(key);
  if (existing) return existing;
  const clock = createClock(intervalMs, offsetMs);
  clocks.set(key, clock);
  return clock;
}

/** Time from a moment to the next that lies `offsetMs` behind a whole number of intervals since 1970. */
export const untilTickMs = (nowMs: number, intervalMs: number, offsetMs: number): number =>
  intervalMs - ((((nowMs - offsetMs) % intervalMs) + intervalMs) % intervalMs);

function createClock(intervalMs: number, offsetMs: number): Clock {
  const listeners = new Set<() => void>();
  let nowMs = serverNow();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    nowMs = serverNow();
    for (const listener of listeners) listener();
  };
  const schedule = () => {
    timer = setTimeout(
      () => {
        schedule();
        tick();
      },
      untilTickMs(serverNow(), intervalMs, offsetMs),
    );
  };
  onClockChange(tick);
  return {
    read: () => nowMs,
    subscribe: (onTick) => {
      listeners.add(onTick);
      if (timer === undefined) {
        schedule();
        if (serverNow() - nowMs >= intervalMs) tick();
      }
      return () => {
        listeners.delete(onTick);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}

/**
 * The time in milliseconds, renewed `offsetMs` behind each whole `intervalMs` of the wall clock; null while the server
 * renders, whose clock and zone are not the reader's. All users of one interval share one timer, so the ages on a page
 * move together.
 */
export function useNow(intervalMs = 1000, offsetMs = 0): number | null {
  const clock = clockOf(intervalMs, offsetMs);
  return useSyncExternalStore<number | null>(clock.subscribe, clock.read, () => null);
}

/** The lead of the server's clock over the browser's, in milliseconds; 0 while the server renders. */
export const useClockOffset = (): number => useSyncExternalStore(onClockChange, clockOffsetMs, () => 0);

const never = () => () => {};

/** False while the server renders and during hydration, true from then on. */
export function useIsClient(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
