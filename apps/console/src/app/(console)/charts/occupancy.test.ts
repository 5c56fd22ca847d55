import { expect, test } from "vitest";
import { gaugeAnswer } from "../../../client/metrics/testing.ts";
import { capacityThreshold, stashCapacity } from "./occupancy.ts";

const answers = (usedBytes: number, capacityBytes: number | null) => [
  gaugeAnswer("stashlight_stash_live_bytes", [[{}, usedBytes]]),
  gaugeAnswer("stashlight_stash_capacity_bytes", capacityBytes === null ? [] : [[{}, capacityBytes]]),
];

test("draws the capacity once the stash is near it, so that a roomy one is not flattened", () => {
  expect(capacityThreshold(answers(1e9, 48e9))).toEqual([]);
  expect(capacityThreshold(answers(24e9, 48e9))).toEqual([
    { value: 48e9, label: "capacity 48 GB", tone: "bad" },
  ]);
  expect(capacityThreshold(answers(24e9, null))).toEqual([]);
});

test("takes the share of the capacity, if it is known", () => {
  expect(stashCapacity(answers(1, 48e9))).toBe(48e9);
  expect(stashCapacity(answers(1, null))).toBeNull();
});
