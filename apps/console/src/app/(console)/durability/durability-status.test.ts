import type { VaultDurability } from "@stashlight/contracts/vault-state";
import { expect, test } from "vitest";
import { describeDurability, durabilityStatus, formatNines, hasNines } from "./durability-status.ts";

const whole: VaultDurability = {
  vault: "main",
  sentence: "All 20 pods hold all their shards.",
  remedy: null,
  nines: { value: 10.8, low: 9, high: 12 },
  missingCount: 0,
  podCount: 20,
  spareShare: 1,
  figures: [],
  assumptions: [],
  reportedAt: null,
};

test.each<[string, Partial<VaultDurability>, string]>([
  ["whole", {}, "good"],
  ["whole, with an interval below the target", { nines: { value: 8, low: 7, high: 10.9 } }, "warning"],
  ["with a missing pod", { missingCount: 1, spareShare: 0.75 }, "warning"],
  ["with less than half of its parity", { missingCount: 3, spareShare: 0.25 }, "bad"],
  ["unknown", { nines: null, missingCount: null, spareShare: null }, "unknown"],
])("durability has the status of a vault that is %s", (_, part, status) => {
  expect(durabilityStatus({ ...whole, ...part })).toBe(status);
});

test("a vault with silent nodes is not called good, and its sentence is in the past tense once all are silent", () => {
  const silence = { vault: "main", nodeCount: 22, seconds: 26, nodes: [], isAlerted: false };
  const some = { ...silence, silentCount: 2 };
  const all = { ...silence, silentCount: 22 };
  expect([some, all].map((each) => durabilityStatus(whole, each))).toEqual(["unknown", "unknown"]);
  expect(durabilityStatus({ ...whole, missingCount: 1 }, all)).toBe("warning");
  expect([null, some].map((each) => describeDurability(whole, each, null))).toEqual([
    whole.sentence,
    whole.sentence,
  ]);
  expect(describeDurability(whole, all, null)).toBe(
    "No data for 26 s; before that: All 20 pods hold all their shards.",
  );
});

test.each([
  ["reported since the whole vault fell silent", 22, 4, "All 20 pods hold all their shards."],
  [
    "of the silent vault's last report",
    22,
    29,
    "No data for 26 s; before that: All 20 pods hold all their shards.",
  ],
  [
    "reported before its pods fell silent",
    9,
    30,
    "Before 9 of 22 nodes fell silent: All 20 pods hold all their shards.",
  ],
  ["reported since some nodes fell silent", 9, 12, "All 20 pods hold all their shards."],
])("the sentence of a durability %s agrees with its age", (_, silentCount, ageSeconds, sentence) => {
  const nowMs = Date.UTC(2026, 10, 30);
  const reportedAt = new Date(nowMs - ageSeconds * 1000);
  const silence = { vault: "main", nodeCount: 22, silentCount, seconds: 26, nodes: [], isAlerted: false };
  expect(describeDurability({ ...whole, reportedAt }, silence, nowMs)).toBe(sentence);
});

test("a vault that cannot be read has no nines", () => {
  const nines = { value: 0, low: 0, high: 0 };
  expect([whole, { nines }, { nines: null }].map(hasNines)).toEqual([true, false, false]);
});

test("the nines are shown with one decimal and their interval, or as a dash if unknown", () => {
  expect(formatNines(whole)).toBe("10.8 nines a year (9.0 to 12.0)");
  expect(formatNines({ nines: null })).toBe("–");
});
