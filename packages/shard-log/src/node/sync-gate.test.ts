import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SyncGate } from "./sync-gate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function started(gate: SyncGate, count: number): { readonly ends: (() => void)[] } {
  const ends: (() => void)[] = [];
  for (let at = 0; at < count; at += 1) gate.run((end) => ends.push(end));
  return { ends };
}

test("the gate runs as many syncs as allowed, and starts another whenever one ends", () => {
  const { ends } = started(new SyncGate(2, 1000), 4);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect(ends).toHaveLength(3);
  ends[1]?.();
  expect(ends).toHaveLength(3);
  ends[0]?.();
  expect(ends).toHaveLength(4);
});

test("a slow sync no longer counts, and its end starts no other", () => {
  const { ends } = started(new SyncGate(1, 1000), 3);
  vi.advanceTimersByTime(999);
  expect(ends).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(ends).toHaveLength(2);
  ends[0]?.();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect(ends).toHaveLength(3);
});
