import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 1000;
/** Looks of a long wait are rarer: waiting must not take the processor time of the agents. */
const PAUSES_PER_WAIT = 20;
/** A look that starts a process rests longer than that process takes. */
const PAUSES_PER_LOOK = 2;
const PAUSE_MS_BETWEEN_ACTIONS = 50;

/** Polls until `look` finds something, and returns it. Rejects on a timeout, with what `seen` found instead. */
export function until<Value>(
  what: string,
  look: () => Promise<Value | null | false> | Value | null | false,
  withinMs: number,
  seen: () => unknown = () => "",
): Promise<Value> {
  const pauseMs = (waitedMs: number, lookMs: number) =>
    Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, waitedMs / PAUSES_PER_WAIT, lookMs * PAUSES_PER_LOOK));
  return poll({ what, look, withinMs, seen, pauseMs });
}

/** Repeats an action whose rate matters, such as filling what drains at the same time, until it returns true. */
export async function repeatUntil(
  what: string,
  act: () => Promise<boolean>,
  withinMs: number,
  seen: () => unknown = () => "",
): Promise<void> {
  await poll({ what, look: act, withinMs, seen, pauseMs: () => PAUSE_MS_BETWEEN_ACTIONS });
}

interface Poll<Value> {
  readonly what: string;
  readonly look: () => Promise<Value | null | false> | Value | null | false;
  readonly withinMs: number;
  readonly seen: () => unknown;
  readonly pauseMs: (waitedMs: number, lookMs: number) => number;
}

async function poll<Value>({ what, look, withinMs, seen, pauseMs }: Poll<Value>): Promise<Value> {
  const startedMs = performance.now();
  for (;;) {
    const lookedMs = performance.now();
    const value = await look();
    if (value !== null && value !== false) return value;
    const nowMs = performance.now();
    if (nowMs - startedMs > withinMs) {
      throw new Error(`Waited ${withinMs / 1000} s in vain until ${what}. ${JSON.stringify(await seen())}`);
    }
    await delay(pauseMs(nowMs - startedMs, nowMs - lookedMs));
  }
}
