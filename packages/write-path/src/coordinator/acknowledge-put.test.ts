/** Tests when an upload is acknowledged: rows of answers and their required outcome, in all orders if there are few. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quorumsOf, type Scheme, schemes } from "../quorums.ts";
import {
  addresseesOf,
  countTo,
  expectAckExactlyAtQuorum,
  messagesOf,
  ordersOf,
  outcomesIn,
  type PutAnswer,
  type PutCase,
  startedPut,
  threePlusTwo,
  twoPlusOne,
  vaultOf,
} from "../testing/index.ts";

const rows: [string, Scheme][] = [...Object.entries(schemes), ["2+1", twoPlusOne], ["3+2", threePlusTwo]];

/**
 * Returns the answers of all pods except `lostPod` and all devices except that of shard `lostShard`; -1 means that none
 * is lost.
 */
function answersWithout(
  scheme: Scheme,
  lostPod: number,
  lostShard: number,
): { pods: PutAnswer[]; stash: PutAnswer[] } {
  const indices = countTo(quorumsOf(scheme).shardCount);
  return {
    pods: indices.filter((index) => index !== lostPod).map((index) => ["pod", index]),
    stash: indices.filter((index) => index !== lostShard).map((index) => ["stash", index]),
  };
}

describe("the stash path acknowledges exactly when q pods have written and q shards are durable", () => {
  test("with 2+1, in every order of the six answers, whether or not pods confirm", () => {
    const { pods, stash } = answersWithout(twoPlusOne, -1, -1);
    const orders = ordersOf([...pods, ...stash]);
    expect(orders).toHaveLength(720);
    for (const order of orders) {
      for (const isConfirming of [true, false]) {
        expect(expectAckExactlyAtQuorum(twoPlusOne, order, isConfirming).isStored).toBe(true);
      }
    }
  });

  test.each(rows)(
    "with %s, and any one pod's answer and any one shard on the stash lost",
    (_name, scheme) => {
      const { shardCount } = quorumsOf(scheme);
      let caseCount = 0;
      for (let lostPod = -1; lostPod < shardCount; lostPod += 1) {
        for (let lostShard = -1; lostShard < shardCount; lostShard += 1) {
          const { pods, stash } = answersWithout(scheme, lostPod, lostShard);
          const isResting = lostPod !== -1 && lostShard !== -1 && lostPod !== lostShard;
          for (const order of [
            [...pods, ...stash],
            [...stash, ...pods],
          ]) {
            expect(expectAckExactlyAtQuorum(scheme, order, true).isStored).toBe(true);
            const { isStored, asked } = expectAckExactlyAtQuorum(scheme, order, false);
            expect(isStored).toBe(!isResting);
            if (isResting) expect([...asked]).toEqual([lostShard]);
            caseCount += 1;
          }
        }
      }
      expect(caseCount).toBe(2 * (shardCount + 1) ** 2);
    },
  );

  test.each(rows)("with %s, and never with one answer fewer than q of either kind", (_name, scheme) => {
    const { acknowledge } = quorumsOf(scheme);
    const { pods, stash } = answersWithout(scheme, -1, -1);
    expect(
      expectAckExactlyAtQuorum(scheme, [...pods.slice(0, acknowledge - 1), ...stash], true).isStored,
    ).toBe(false);
    expect(
      expectAckExactlyAtQuorum(scheme, [...pods, ...stash.slice(0, acknowledge - 1)], true).isStored,
    ).toBe(false);
  });

  test.each(rows)("with %s, in any order and with duplicate answers", (_name, scheme) => {
    const { pods, stash } = answersWithout(scheme, -1, -1);
    const all = [...pods, ...stash];
    const someOrder = fc.shuffledSubarray([...all, ...all], { minLength: all.length });
    fc.assert(
      fc.property(someOrder, fc.boolean(), (order, isConfirming) => {
        expectAckExactlyAtQuorum(scheme, order, isConfirming);
      }),
      { numRuns: 50 },
    );
  });
});

test("an upload is sent to the stash before it is sent to the pods, because pods answer faster", () => {
  const types = startedPut().effects.flatMap((effect) =>
    effect.type === "send" ? [effect.message.type] : [],
  );
  expect(types).toEqual([...Array(3).fill("stash.append"), ...Array(3).fill("pod.append")]);
});

test("every mix of lost, refused and good answers of 2+1 ends according to its counts", () => {
  const podOutcomes = ["written", "refused", "silent"] as const;
  const stashOutcomes = ["durable", "failed", "silent"] as const;
  const ends = { stored: 0, givenUp: 0, direct: 0, waiting: 0 };
  for (let mix = 0; mix < 3 ** 6; mix += 1) {
    const digit = (place: number) => Math.floor(mix / 3 ** place) % 3;
    const pods = countTo(3).map((index) => podOutcomes[digit(index)]);
    const stash = countTo(3).map((index) => stashOutcomes[digit(index + 3)]);
    const put = startedPut();
    const effects = countTo(3).flatMap((index) => [
      ...(stash[index] === "silent" ? [] : put.onStash(index, stash[index])),
      ...(pods[index] === "written" ? put.appendedOn(index) : []),
      ...(pods[index] === "refused" ? put.refusedBy(index, "failed") : []),
    ]);
    effects.push(
      ...addresseesOf(effects, "pod.confirm").flatMap((to) => put.confirmedBy(Number(to.slice(1)))),
    );
    const count = (outcomes: readonly (string | undefined)[], outcome: string) =>
      outcomes.filter((each) => each === outcome).length;
    const isStored = count(pods, "written") >= 2 && count(stash, "durable") >= 2;
    expect(outcomesIn(effects)).toHaveLength(isStored ? 1 : 0);
    const isGivenUp = count(pods, "refused") >= 2;
    expect(addresseesOf(effects, "pod.probe")).toHaveLength(isGivenUp ? 3 : 0);
    if (isStored) ends.stored += 1;
    else if (isGivenUp) ends.givenUp += 1;
    else {
      const isDirect = count(stash, "failed") >= 2;
      expect(put.attempt?.phase).toBe(isDirect ? "direct" : "stash");
      ends[isDirect ? "direct" : "waiting"] += 1;
    }
  }
  // 7 of 27 combinations have two written, two durable, two refused, or two failed, and none has two of both kinds.
  expect(ends).toEqual({ stored: 49, givenUp: 189, direct: 140, waiting: 351 });
});

describe("the direct path", () => {
  const config = vaultOf(schemes["16+4"]);
  const devices = (count: number) => ({ ...config, stashDevices: config.stashDevices.slice(0, count) });
  const cases: [string, PutCase][] = [
    ["a body above the limit for small uploads", { options: { smallUploadBytesMax: 1 } }],
    ["a disabled stash", { options: { isStashEnabled: false } }],
    ["an upload that bypasses the stash", { request: { isDirect: true } }],
    ["fewer than q devices", { config: devices(18) }],
    ["no devices", { config: devices(0) }],
  ];

  test.each(cases)("is taken for %s: pods fsync, and q of them acknowledge", (_what, put) => {
    for (const isReversed of [false, true]) {
      const { effects, appendedOn, quorums } = startedPut({ scheme: schemes["16+4"], ...put });
      const appends = messagesOf(effects, "pod.append");
      expect(appends.map(({ message }) => message.isDurable)).toEqual(countTo(20).map(() => true));
      expect(addresseesOf(effects, "stash.append")).toEqual([]);
      const order = isReversed ? countTo(20).reverse() : countTo(20);
      const acks = order.map((podIndex) => outcomesIn(appendedOn(podIndex, "durable")).length);
      expect(acks).toEqual(countTo(20).map((index) => (index === quorums.acknowledge - 1 ? 1 : 0)));
    }
  });

  test("does not count shards that are only written", () => {
    const { appendedOn } = startedPut({ options: { isStashEnabled: false } });
    for (const podIndex of [0, 1, 2]) expect(outcomesIn(appendedOn(podIndex))).toEqual([]);
    expect(outcomesIn(appendedOn(0, "durable"))).toEqual([]);
    expect(outcomesIn(appendedOn(2, "durable"))).toMatchObject([{ type: "stored", path: "direct" }]);
  });

  test("is not taken with q devices: the shard without a device is the straggler", () => {
    const put = startedPut({ scheme: schemes["16+4"], config: devices(19) });
    expect(addresseesOf(put.effects, "stash.append")).toHaveLength(19);
    const without = put.placement.indexOf(null);
    for (const podIndex of countTo(20)) put.appendedOn(podIndex);
    const acks = countTo(20).flatMap((index) => (index === without ? [] : outcomesIn(put.onStash(index))));
    expect(acks).toMatchObject([{ type: "stored", path: "stash" }]);
  });
});

test("a coordinator sends shard i to pod i and to one device, names the device to the pod, and the pod's boot to both", () => {
  const { effects, placement, upload } = startedPut({ scheme: threePlusTwo });
  const pods = messagesOf(effects, "pod.append");
  const devices = messagesOf(effects, "stash.append");
  expect(pods.map(({ to }) => to)).toEqual(countTo(5).map((index) => `p${index}`));
  expect(devices.map(({ to }) => to)).toEqual(placement.map((deviceId) => `s${deviceId}`));
  expect(new Set(placement).size).toBe(5);
  for (const [index, { message }] of pods.entries()) {
    expect(message).toMatchObject({
      purpose: "put",
      isDurable: false,
      bootId: 1,
      stashDeviceId: placement[index],
    });
    expect(message.shard).toEqual(devices[index]?.message.shard);
    expect(message.shard).toMatchObject({ upload, shardIndex: index });
    expect(devices[index]?.message.podBootId).toBe(1);
  }
});

describe("a conditional write", () => {
  const condition = { type: "absent" } as const;

  test("goes to the stash only when q pods have voted for it, in any order", () => {
    for (const order of ordersOf(countTo(5))) {
      const put = startedPut({ scheme: threePlusTwo, request: { condition } });
      expect(addresseesOf(put.effects, "stash.append")).toEqual([]);
      expect(
        messagesOf(put.effects, "pod.append").every(({ message }) => message.condition === condition),
      ).toBe(true);
      const sent = order.map((podIndex) => addresseesOf(put.appendedOn(podIndex), "stash.append").length);
      expect(sent).toEqual([0, 0, 0, 5, 0]);
    }
  });

  test("is acknowledged once q shards are durable as well", () => {
    const put = startedPut({ scheme: threePlusTwo, request: { condition } });
    for (const podIndex of countTo(5)) put.appendedOn(podIndex);
    const acks = countTo(5).map((index) => outcomesIn(put.onStash(index)).length);
    expect(acks).toEqual([0, 0, 0, 1, 0]);
  });

  test("never reaches the stash if two pods refuse it", () => {
    const put = startedPut({ scheme: threePlusTwo, request: { condition } });
    const effects = [0, 1, 2].flatMap((podIndex) => put.appendedOn(podIndex));
    effects.push(...put.refusedBy(3, "condition"), ...put.refusedBy(4, "condition"));
    expect(addresseesOf(effects, "stash.append")).toEqual([]);
  });
});
