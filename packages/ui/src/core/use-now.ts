"use client";
import { useSyncExternalStore } from "react";
import { clockOffsetMs, onClockChange, serverNow } from "./clock.ts";

type Clock = { subscribe: (onTick: () => void) => () => void; read: () => number };

const clocks = new Map<string, Clock>();

/**
 * Clocks by interval, kept for the life of the page: their functions must keep their identity, or React would subscribe
 * again on every render.
 */
function sharedClock(intervalMs: number, offsetMs: number): Clock {
  const key = `${intervalMs}+${offsetMs}`;
  const existing = clocks.get(key);
  if (existing) return existing;
  const clock = createClock(intervalMs, offsetMs);
  clocks.set(key, clock);
  return clock;
}

/** Time until the next tick, `offsetMs` after a whole number of intervals since 1970. */
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
 * The time in milliseconds, updated `offsetMs` after each whole `intervalMs` of the wall clock; null on the server,
 * which does not know the reader's clock and zone. All users of one interval share one timer, so the ages on a page
 * move together.
 */
export function useNow(intervalMs = 1000, offsetMs = 0): number | null {
  const clock = sharedClock(intervalMs, offsetMs);
  return useSyncExternalStore<number | null>(clock.subscribe, clock.read, () => null);
}

/** Milliseconds by which the server's clock is ahead of the browser's; 0 on the server. */
export const useClockOffset = (): number => useSyncExternalStore(onClockChange, clockOffsetMs, () => 0);

const never = () => () => {};

/** False on the server and during hydration, true afterwards. */
export function useIsClient(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
