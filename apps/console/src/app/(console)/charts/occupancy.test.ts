import { expect, test } from "vitest";
import { gaugeAnswer } from "../../../client/metrics/testing.ts";
import { capacityThreshold, stashCapacity } from "./occupancy.ts";

const answers = (usedBytes: number, capacityBytes: number | null) => [
  gaugeAnswer("stashlight_stash_live_bytes", [[{}, usedBytes]]),
  gaugeAnswer("stashlight_stash_capacity_bytes", capacityBytes === null ? [] : [[{}, capacityBytes]]),
];

test("the capacity is drawn once the stash is near it, so that it does not flatten the values", () => {
  expect(capacityThreshold(answers(1e9, 48e9))).toEqual([]);
  expect(capacityThreshold(answers(24e9, 48e9))).toEqual([
    { value: 48e9, label: "capacity 48 GB", tone: "bad" },
  ]);
  expect(capacityThreshold(answers(24e9, null))).toEqual([]);
});

test("the capacity of a stash is null if it is unknown", () => {
  expect(stashCapacity(answers(1, 48e9))).toBe(48e9);
  expect(stashCapacity(answers(1, null))).toBeNull();
});
