import fc from "fast-check";
import { expect, test } from "vitest";
import { type PodFreeSpace, podAddress } from "../messages/index.ts";
import {
  type CoordinatorMachine,
  greetedCoordinator,
  identityOf,
  outcomesIn,
  putOf,
  startedPut,
  startedResolution,
  threePlusTwo,
  twoPlusOne,
  vaultOf,
  withRoom,
} from "../testing/index.ts";
import { bodyBytesIn, freeBytesOf, refusalFor, takenBytesOf } from "./free-space.ts";

function tell(coordinator: CoordinatorMachine, podIndex: number, room: PodFreeSpace): void {
  const hello = {
    type: "coordinator.hello",
    pod: identityOf(podIndex),
    isSettled: true,
    ...withRoom,
  } as const;
  coordinator.hear(podAddress(podIndex), { ...hello, room });
}

function withFreeBytes(...freeBytes: readonly number[]): CoordinatorMachine {
  const coordinator = greetedCoordinator(vaultOf(twoPlusOne));
  for (const [podIndex, free] of freeBytes.entries()) {
    tell(coordinator, podIndex, { freeBytes: free, isShort: false });
  }
  return coordinator;
}

test("the free space of the vault is k times that of the second fullest pod", () => {
  expect(freeBytesOf(withFreeBytes(0, 104_096, 1e9).state)).toBe(200_000);
  expect(freeBytesOf(withFreeBytes(0, 0, 1e9).state)).toBe(0);
});

test("taken space equals the capacity exactly while every upload is refused as full", () => {
  const usableBytes = 1_000_000;
  const capacityBytes = bodyBytesIn(usableBytes, twoPlusOne);
  const free = fc.oneof(fc.constant(0), fc.nat({ max: 8192 }), fc.nat({ max: usableBytes }));
  fc.assert(
    fc.property(fc.tuple(free, free, free), (freeOfPods) => {
      const { state } = withFreeBytes(...freeOfPods);
      const taken = takenBytesOf(state, capacityBytes);
      expect(taken).toBe(capacityBytes - freeBytesOf(state));
      const smallest = { kind: "object", sizeBytes: 1 } as const;
      expect(taken === capacityBytes).toBe(refusalFor(state, smallest) === "full");
    }),
  );
});

test("taken space is unknown until enough pods for an acknowledgement have reported theirs", () => {
  expect(takenBytesOf(withFreeBytes(500_000).state, 1_000_000)).toBeNull();
  expect(takenBytesOf(withFreeBytes(500_000, 504_096).state, 2_000_000)).not.toBeNull();
});

test.each([
  ["an upload that fits", { sizeBytes: 200_000 }, null],
  ["one byte too much", { sizeBytes: 200_001 }, "full"],
  ["an upload that replaces one of the same size", { sizeBytes: 200_001, isReplacement: true }, null],
  ["a deletion", { kind: "tombstone", sizeBytes: 0 }, null],
] as const)("the space for %s is checked before anything is sent", (_what, changes, refusal) => {
  const coordinator = withFreeBytes(0, 104_096, 1e9);
  const effects = coordinator.take(putOf(7, twoPlusOne, changes));
  if (refusal === null) expect(effects.length).toBeGreaterThan(1);
  else {
    expect(effects).toEqual([{ type: "answerPut", token: 7, outcome: { type: refusal } }]);
    expect(coordinator.state.puts.size).toBe(0);
  }
});

test("an upload reduces the space for the next one at once, until the pods report again", () => {
  const coordinator = withFreeBytes(0, 104_096, 1e9);
  const put = (number: number) => coordinator.take(putOf(number, twoPlusOne, { sizeBytes: 200_000 }));
  const { payloads } = putOf(7, twoPlusOne);
  expect(put(7).length).toBeGreaterThan(1);
  expect(freeBytesOf(coordinator.state)).toBe(200_000 - 2 * ((payloads[0]?.length ?? 0) + 128));
  expect(outcomesIn(put(8))).toEqual([{ type: "full" }]);
  for (const podIndex of [1, 2]) tell(coordinator, podIndex, { freeBytes: 104_096, isShort: false });
  expect(put(9).length).toBeGreaterThan(1);
});

test("a deletion takes no space from uploads", () => {
  const coordinator = withFreeBytes(0, 104_096, 1e9);
  coordinator.take(putOf(7, twoPlusOne, { kind: "tombstone", sizeBytes: 0 }));
  expect(freeBytesOf(coordinator.state)).toBe(200_000);
});

test("an upload is unavailable while two pods are freeing space, but not while only one is", () => {
  const coordinator = greetedCoordinator(vaultOf(twoPlusOne));
  tell(coordinator, 0, { freeBytes: 1e9, isShort: true });
  expect(coordinator.take(putOf(7, twoPlusOne)).length).toBeGreaterThan(1);
  tell(coordinator, 1, { freeBytes: 1e9, isShort: true });
  expect(outcomesIn(coordinator.take(putOf(8, twoPlusOne)))).toEqual([{ type: "unavailable" }]);
});

test("a pod that refuses a shard for lack of space counts as full until it reports again", () => {
  const put = startedPut({ scheme: twoPlusOne });
  put.refusedBy(1, "full");
  expect(put.coordinator.state.pods.map(({ room }) => room.freeBytes)[1]).toBe(0);
  tell(put.coordinator, 1, { freeBytes: 5000, isShort: false });
  expect(put.coordinator.state.pods.map(({ room }) => room.freeBytes)[1]).toBe(5000);
});

test("missing shards of a live upload are not pushed repeatedly to pods without space", () => {
  const search = startedResolution(threePlusTwo);
  for (const podIndex of [0, 1, 2, 3]) search.probed(podIndex, "durable");
  for (const deviceId of [0, 1, 2, 3, 4]) search.stashProbed(deviceId);
  search.probed(4, "absent", { isCommitted: true });
  expect(search.resolution()?.phase).toBe("live");
  const { uploadId } = search.resolution()?.upload ?? {};
  const refused = { type: "coordinator.podRefused", reason: "full", podIndex: 4, bootId: 1 } as const;
  search.coordinator.hear("p4", {
    ...refused,
    uploadId: uploadId ?? "",
    present: null,
    highestOrder: "0".repeat(24),
  });
  expect(search.resolution()).toBeUndefined();
});
