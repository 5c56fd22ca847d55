import { expect, test } from "vitest";
import type { Outcome } from "../effects.ts";
import type { UploadHeader } from "../shard.ts";
import { uploadOf, vaultOf } from "../testing/index.ts";
import { addEntry, createPod } from "./state.ts";
import { visibleObjects } from "./visible.ts";

function podWith(...versions: readonly [UploadHeader, Outcome | null][]) {
  const state = createPod<number>(vaultOf(), 0);
  for (const [upload, outcome] of versions) {
    addEntry(state, upload, { payloadCrc: 0, state: "durable", position: null, bornMs: 0 }, outcome);
  }
  return [...visibleObjects(state)].map(({ etag }) => etag);
}

test("the highest committed version of each object is visible, and an uncommitted one above it is not", () => {
  const other = uploadOf(4, { key: "dog" });
  expect(
    podWith([uploadOf(1), "complete"], [uploadOf(2), "committed"], [uploadOf(3), null], [other, "complete"]),
  ).toEqual(["etag-2", "etag-4"]);
});

test("an object that was deleted or never committed is not visible", () => {
  const deleted = uploadOf(2, { kind: "tombstone" });
  expect(podWith([uploadOf(1), "complete"], [deleted, "complete"])).toEqual([]);
  expect(podWith([uploadOf(1), null])).toEqual([]);
  expect(podWith()).toEqual([]);
});
