import { setTimeout as delay } from "node:timers/promises";

const LOOK_EVERY_MS = 50;

/** Polls until `look` finds something, and returns it. Rejects on a timeout, with what `seen` found instead. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | null | false> | Value | null | false,
  withinMs: number,
  seen: () => unknown = () => "",
): Promise<Value> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value !== null && value !== false) return value;
    if (performance.now() > deadlineMs) {
      throw new Error(`Waited ${withinMs / 1000} s in vain until ${what}. ${JSON.stringify(await seen())}`);
    }
    await delay(LOOK_EVERY_MS);
  }
}
