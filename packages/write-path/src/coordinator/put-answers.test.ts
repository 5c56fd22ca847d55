/** Tests which answers to an upload do not count, and what follows its acknowledgement. */
import { describe, expect, test } from "vitest";
import {
  addresseesOf,
  countTo,
  expectRefusal,
  greetedCoordinator,
  identityOf,
  messagesOf,
  outcomesIn,
  type PutInTest,
  putOf,
  snapshotOf,
  startedPut,
  threePlusTwo,
  twoPlusOne,
  uploadIdOf,
  uploadOf,
  vaultOf,
  withRoom,
} from "../testing/index.ts";
import { parseOrder } from "../version-order.ts";

describe("an irrelevant answer changes nothing", () => {
  test("from an earlier boot than the one asked", () => {
    const put = startedPut();
    expect(put.appendedOn(0, "durable", 0)).toEqual([]);
    expect(put.attempt?.pods).toEqual(["pending", "pending", "pending"]);
  });

  test("from a node that uses another's name, is not in the vault, or was not given the shard: refused and counted", () => {
    const put = startedPut();
    const { coordinator, uploadId, placement } = put;
    const result = "durable";
    const appended = { type: "coordinator.podAppended", uploadId, podIndex: 1, bootId: 1, result } as const;
    expectRefusal(coordinator, "message of a stranger", () => coordinator.hear("p0", appended));
    expectRefusal(coordinator, "message of a stranger", () => coordinator.hear("s1", appended));
    const foreign = { ...appended, podIndex: 3 };
    expectRefusal(coordinator, "answer from outside the vault", () => coordinator.hear("p3", foreign));
    const type = "coordinator.stashAppended";
    const onStash = { type, uploadId, shardIndex: 0, result, podBootId: 1 } as const;
    const other = placement[1] ?? -1;
    expectRefusal(coordinator, "answer of another device", () =>
      coordinator.hear(`s${other}`, { ...onStash, deviceId: other }),
    );
    expectRefusal(coordinator, "answer from outside the vault", () =>
      coordinator.hear("s9", { ...onStash, deviceId: 9 }),
    );
    const hello = {
      type: "coordinator.hello",
      pod: identityOf(1, 9),
      isSettled: false,
      ...withRoom,
    } as const;
    expectRefusal(coordinator, "message of a stranger", () => coordinator.hear("p2", hello));
  });

  test("to an upload that the coordinator does not know", () => {
    const coordinator = greetedCoordinator();
    const before = snapshotOf(coordinator);
    const uploadId = uploadIdOf(5);
    coordinator.hear("p1", {
      type: "coordinator.podAppended",
      uploadId,
      podIndex: 1,
      bootId: 1,
      result: "durable",
    });
    coordinator.hear("p1", { type: "coordinator.confirmed", uploadId, podIndex: 1, bootId: 1 });
    expect(snapshotOf(coordinator)).toEqual(before);
  });

  test("a late refusal of a shard that the same boot of the pod has already written", () => {
    const put = startedPut();
    put.appendedOn(0);
    put.refusedBy(0, "order");
    expect(put.attempt?.pods[0]).toBe("written");
    put.refusedBy(0, "rebooted");
    expect(put.attempt?.pods[0]).toBe("rebooted");
    put.appendedOn(0);
    expect(put.attempt?.pods[0]).toBe("rebooted");
  });

  test("that confirms without a request, or comes from another boot", () => {
    const put = startedPut();
    put.confirmedBy(1);
    for (const podIndex of [0, 1]) put.appendedOn(podIndex);
    put.onStash(0);
    expect(addresseesOf(put.onStash(2), "pod.confirm")).toEqual(["p1"]);
    expect(outcomesIn(put.confirmedBy(1, 0))).toEqual([]);
    expect(outcomesIn(put.confirmedBy(1))).toMatchObject([{ type: "stored" }]);
    expect(put.confirmedBy(1)).toEqual([]);
  });
});

describe("a pod that restarts", () => {
  const hello = (podIndex: number, bootId: number) =>
    ({
      type: "coordinator.hello",
      pod: identityOf(podIndex, bootId),
      isSettled: false,
      ...withRoom,
    }) as const;

  test("is not waited for, and its earlier answers count", () => {
    const put = startedPut({ scheme: threePlusTwo });
    put.appendedOn(0);
    put.appendedOn(1, "durable");
    for (const podIndex of [0, 1, 2]) put.coordinator.hear(`p${podIndex}`, hello(podIndex, 2));
    expect(put.attempt?.pods.slice(0, 3)).toEqual(["written", "durable", "rebooted"]);
  });

  test("does not fail an upload whose shards are on the stash, even together with a second pod", () => {
    const put = startedPut();
    for (const podIndex of [0, 1]) put.appendedOn(podIndex);
    for (const podIndex of [0, 1]) put.coordinator.hear(`p${podIndex}`, hello(podIndex, 2));
    put.onStash(0);
    expect(outcomesIn(put.onStash(1))).toMatchObject([{ type: "stored" }]);
  });

  test("ends an upload at once if a second pod has not answered either", () => {
    const put = startedPut();
    put.coordinator.hear("p0", hello(0, 2));
    expect(put.attempt?.phase).toBe("stash");
    put.coordinator.hear("p1", hello(1, 2));
    expect(put.attempt?.phase).toBe("ending");
  });

  test("is detected by the boot id that a device names", () => {
    const put = startedPut({ scheme: threePlusTwo });
    const type = "coordinator.stashAppended";
    const deviceId = put.placement[0] ?? -1;
    const message = {
      type,
      uploadId: put.uploadId,
      shardIndex: 0,
      deviceId,
      result: "rebooted",
      podBootId: 2,
    } as const;
    put.coordinator.hear(`s${deviceId}`, message);
    expect(put.attempt?.pods[0]).toBe("rebooted");
  });

  test("between its answer and the confirmation can no longer confirm", () => {
    const put = startedPut();
    for (const podIndex of [0, 1]) put.appendedOn(podIndex);
    put.onStash(0);
    put.onStash(2);
    put.coordinator.hear("p1", hello(1, 2));
    expect(put.confirmedBy(1, 2)).toEqual([]);
    expect(put.attempt?.phase).toBe("stash");
  });

  test("does not return to an earlier boot because of a late hello", () => {
    const { coordinator } = startedPut();
    coordinator.hear("p1", hello(1, 5));
    coordinator.hear("p1", { ...hello(1, 4), isSettled: true });
    expect(coordinator.state.pods[1]).toMatchObject({ bootId: 5, isSettled: false });
  });
});

describe("after the acknowledgement an upload", () => {
  function stored(): PutInTest {
    const put = startedPut();
    for (const index of [0, 1]) put.appendedOn(index);
    put.onStash(0);
    expect(put.onStash(1)).toContainEqual({ type: "setTimer", key: `put:${put.uploadId}`, delayMs: 50 });
    return put;
  }
  const outcomesOf = (effects: Parameters<typeof messagesOf>[0]) =>
    messagesOf(effects, "pod.note").map(({ message }) => message.outcome);

  test("ignores later answers", () => {
    const put = stored();
    expect([put.appendedOn(2), put.onStash(2), put.refusedBy(2, "failed")].flat()).toEqual([]);
  });

  test("notifies every pod that the upload is complete, once the straggler has written too", () => {
    const put = stored();
    put.appendedOn(2);
    put.onStash(2);
    expect(outcomesOf(put.timeout(50))).toEqual(countTo(3).map(() => "complete"));
    expect(put.coordinator.state.puts.size).toBe(0);
  });

  test("is complete with a shard in a page cache once its pod has confirmed that it still holds the shard", () => {
    for (const hasConfirmed of [true, false]) {
      const put = stored();
      put.appendedOn(2);
      const told = put.timeout(50);
      expect(outcomesOf(told)).toEqual(countTo(3).map(() => "committed"));
      expect(addresseesOf(told, "pod.confirm")).toEqual(["p2"]);
      // A pod that has lost its page cache does not answer, and asks its peers for the uploads that it may have had.
      if (hasConfirmed) put.confirmedBy(2);
      const outcome = hasConfirmed ? "complete" : "committed";
      expect(outcomesOf(put.timeout(2000))).toEqual(countTo(3).map(() => outcome));
      expect(put.coordinator.state.puts.size).toBe(0);
    }
  });

  test("notifies the others that it is committed without the straggler, for which it waits at most two seconds", () => {
    const put = stored();
    const told = put.timeout(50);
    expect(outcomesOf(told)).toEqual(countTo(3).map(() => "committed"));
    expect(told).toContainEqual({ type: "setTimer", key: `put:${put.uploadId}`, delayMs: 2000 });
    expect(outcomesOf(put.timeout(2000))).toEqual(countTo(3).map(() => "committed"));
    expect(put.coordinator.state.puts.size).toBe(0);
    expect(put.timeout(1)).toEqual([]);
  });

  test("does not wait an hour for the straggler when the clock is set back by an hour", () => {
    const put = stored();
    put.timeout(50);
    put.timeout(-3_600_000);
    expect(put.coordinator.state.puts.size).toBe(0);
  });
});

test("the next version order exceeds a higher one that a pod names", () => {
  const put = startedPut();
  const highestOrder = uploadOf(5_000_000).order;
  put.refusedBy(0, "order", { highestOrder });
  put.coordinator.take(putOf(8, twoPlusOne));
  const next = put.coordinator.state.puts.get(uploadIdOf(8))?.upload.order ?? "";
  expect(next > highestOrder).toBe(true);
  expect(parseOrder(next).timeMs).toBe(5_000_000);
});

test("the next version order is above everything that a pod's greeting reply has closed", () => {
  const put = startedPut();
  const closedBelow = uploadOf(5_000_000).order;
  const hello = { type: "coordinator.hello", pod: identityOf(1), isSettled: true, ...withRoom } as const;
  put.coordinator.hear("p1", { ...hello, closedBelow });
  put.coordinator.take(putOf(8, twoPlusOne));
  const next = put.coordinator.state.puts.get(uploadIdOf(8))?.upload.order ?? "";
  expect(next > closedBelow).toBe(true);
});

test("a coordinator greets every pod at start, and again each second", () => {
  const coordinator = greetedCoordinator();
  for (const event of [{ type: "started" }, { type: "timer", key: "greet" }] as const) {
    const effects = coordinator.take(event);
    expect(addresseesOf(effects, "pod.greet")).toEqual(["p0", "p1", "p2"]);
    expect(effects).toContainEqual({ type: "setTimer", key: "greet", delayMs: 1000 });
  }
});

test("a coordinator throws on an invalid request from its shell: a vault of another size, missing shards, a repeated id", () => {
  expect(() => greetedCoordinator(vaultOf(twoPlusOne, { podDriveIds: ["only-one"] }))).toThrow(
    "A vault of 3 shards has as many pods, not 1.",
  );
  const { coordinator } = startedPut();
  expect(() => coordinator.take(putOf(7, twoPlusOne))).toThrow("used once");
  expect(() => coordinator.take(putOf(8, twoPlusOne, { payloads: [] }))).toThrow(
    "one payload for each shard",
  );
});
