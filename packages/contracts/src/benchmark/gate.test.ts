import { expect, test } from "vitest";
import { formatSlots, gateVerdict } from "./gate.ts";

const slots = (measuredCount: number, undisturbedCount: number) => ({
  measuredCount,
  undisturbedCount,
  neededCount: 6,
});

test.each([
  [0, 0, "0 of 6 slots"],
  [1, 1, "1 of 6 slots"],
  [4, 4, "4 of 6 slots"],
  [4, 0, "4 of 6 slots, none undisturbed"],
  [4, 3, "4 of 6 slots, 3 undisturbed"],
  [17, 0, "17 slots, none undisturbed, 6 needed"],
  [7, 1, "7 slots, 1 undisturbed, 6 needed"],
  [8, 6, "6 undisturbed of 8 slots"],
  [8, 8, "8 slots"],
])("%d slots with %d undisturbed ones are formatted as %s", (measured, undisturbed, words) => {
  expect(formatSlots(slots(measured, undisturbed))).toBe(words);
});

test("with too few undisturbed slots a lead counts only those, and without any there is no lead", () => {
  const lead = { kind: "leads", which: "b", count: 9, countMin: 6 } as const;
  expect(gateVerdict(lead, slots(4, 2))).toEqual({ kind: "leads", which: "b", count: 2, countMin: 6 });
  expect(gateVerdict(lead, slots(4, 0))).toEqual({ kind: "too few runs", count: 0, countMin: 6 });
});

test("a winner found by the statistics is not named below six undisturbed slots", () => {
  const found = { kind: "faster", which: "a" } as const;
  expect(gateVerdict(found, slots(17, 5))).toEqual({ kind: "too few runs", count: 5, countMin: 6 });
  expect(gateVerdict(found, slots(17, 6))).toEqual(found);
});
