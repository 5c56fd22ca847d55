import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { expect, test } from "vitest";
import type { LoggedShard } from "../effects.ts";
import type { UploadHeader } from "../shard.ts";
import { countTo, identityOf, shardOf, uploadOf, vaultOf } from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { PackedEntries } from "./settled/packed-entries.ts";
import { createPod, type PodState } from "./state.ts";
import { stepPod } from "./step.ts";

const loggedAt = (upload: UploadHeader, position: number): LoggedShard<number> => {
  const { shardIndex, payloadCrc } = shardOf(upload, 0);
  return { upload, shardIndex, payloadCrc, position, outcome: "complete" };
};

/** Starts a pod with these records; returns its state, and the positions of those that it drops. */
function startWith(shards: readonly LoggedShard<number>[]) {
  const state: PodState<number> = createPod<number>(
    vaultOf(),
    0,
    new PackedEntries(new PageMemory({ heldPagesMax: 4, file: new ArrayFile() })),
  );
  const recovered = { shards, refusals: [], horizon: LOWEST_ORDER };
  const effects = stepPod(state, { type: "recovered", identity: identityOf(0), ...recovered }, 0);
  const killed = effects.flatMap((effect) => (effect.type === "kill" ? [effect.position] : []));
  return { state, killed };
}

test("a boot settles complete objects without opening them, and keeps the others open", () => {
  const uploads = countTo(1000).map((number) => uploadOf(number + 1, { key: `${(number * 7919) % 1000}` }));
  const shards = uploads.map(loggedAt);
  const { state, killed } = startWith([
    ...shards,
    { ...loggedAt(uploadOf(2000, { key: "open" }), 2000), outcome: "committed" },
    { ...loggedAt(uploadOf(2001, { key: "damaged" }), 2001), isDamaged: true },
    loggedAt(uploadOf(2002, { key: "deleted", kind: "tombstone" }), 2002),
  ]);
  expect([...state.entries.open.keys()]).toEqual(
    [2000, 2001, 2002].map((number) => uploadOf(number).uploadId),
  );
  expect(state.entries.settled?.count).toBe(1000);
  expect(uploads.every(({ uploadId }) => state.entries.get(uploadId)?.state === "durable")).toBe(true);
  expect(killed).toEqual([]);
});

test("a boot drops versions below a committed one, whether their entries are settled or open", () => {
  const [below, above] = [uploadOf(1, { key: "settled" }), uploadOf(2, { key: "settled" })];
  const deleted = [uploadOf(3, { key: "deleted" }), uploadOf(4, { key: "deleted", kind: "tombstone" })];
  const replaced = [uploadOf(5, { key: "open" }), uploadOf(6, { key: "open" })] as const;
  const { state, killed } = startWith([
    loggedAt(above, 2),
    ...deleted.map((upload, at) => loggedAt(upload, at + 3)),
    loggedAt(below, 1),
    loggedAt(replaced[0], 5),
    { ...loggedAt(replaced[1], 6), outcome: "committed" },
  ]);
  expect(killed.sort()).toEqual([1, 3, 5]);
  expect(state.entries.size).toBe(3);
});
