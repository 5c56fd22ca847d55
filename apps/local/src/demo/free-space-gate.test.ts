import { expect, test } from "vitest";
import { createFreeSpaceGate } from "./free-space-gate.ts";

function virtualGate(fills: readonly (number | null)[]) {
  let nowMs = 0;
  let askedCount = 0;
  const events: string[] = [];
  const slept: number[] = [];
  const gate = createFreeSpaceGate({
    readFill: async () => fills[Math.min(askedCount++, fills.length - 1)] ?? null,
    stopShare: 0.6,
    resumeShare: 0.55,
    everyMs: 5000,
    nowMs: () => nowMs,
    sleep: async (ms) => {
      slept.push(ms);
      nowMs += ms;
    },
    observe: ({ type, fill }) => events.push(`${type} ${fill}`),
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { gate, pass, events, slept, asked: () => askedCount };
}

test("writes to a vault with space pass, and its fill is read only occasionally", async () => {
  const { gate, pass, events, asked } = virtualGate([0.59]);
  for (let i = 0; i < 20; i++) {
    await gate();
    pass(500);
  }
  expect(asked()).toBe(2);
  expect(events).toEqual([]);
});

test("writing stops at the mark, which is reported once, and resumes when there is space again", async () => {
  const { gate, slept, events } = virtualGate([0.6, 0.7, 0.59, 0.56, 0.54]);
  await gate();
  expect(slept).toEqual([5000, 5000, 5000, 5000]);
  expect(events).toEqual(["stopped 0.6", "again 0.54"]);
});

test("a vault that does not report its fill does not hold writes back", async () => {
  const { gate, events } = virtualGate([null]);
  await gate();
  expect(events).toEqual([]);
});
