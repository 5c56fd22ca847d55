import { expect, test } from "vitest";
import { vaultMarks } from "../judgement.ts";
import { fullnessOf, markOf } from "./fullness.ts";

test.each([
  [0, "roomy"],
  [0.7999, "roomy"],
  [0.8, "warning"],
  [0.9499, "warning"],
  [0.95, "full"],
  [1.2, "full"],
] as const)("at a fullness of %d the vault is %s", (fullness, mark) => {
  expect(markOf(fullness)).toBe(mark);
});

test("fullness counts all drives together, and is unknown if no drive reports", () => {
  const rooms = [
    { freeBytes: 90, usableBytes: 100 },
    { freeBytes: 210, usableBytes: 300 },
  ];
  expect(fullnessOf(rooms)).toBe(0.25);
  expect(fullnessOf([])).toBeNull();
});

test("the demo load stops before the warning, and the warning comes before the vault is full", () => {
  const { demoStopShare, warningShare, fullShare } = vaultMarks;
  expect(demoStopShare).toBeLessThan(warningShare);
  expect(warningShare).toBeLessThan(fullShare);
  expect(fullShare).toBeLessThan(1);
});
