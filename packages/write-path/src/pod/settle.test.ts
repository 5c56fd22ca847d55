import { describe, expect, test } from "vitest";
import { type PodMessage, stashAddress } from "../messages/index.ts";
import { type Scheme, schemes } from "../quorums.ts";
import {
  addresseesOf,
  appended,
  appendFailed,
  compareWith,
  countTo,
  digestsOf,
  expectRefusal,
  finishReplay,
  identityOf,
  indexPageOf,
  loggedOf,
  messagesOf,
  type PodMachine,
  podAppendOf,
  purgeOf,
  send,
  settledPod,
  shardOf,
  snapshotOf,
  startedPod,
  twoPlusOne,
  uploadOf,
  vaultOf,
  withOtherBytes,
  withRoom,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { DEVICE_PATIENCE_MS } from "./settle.ts";
import { createPod } from "./state.ts";
import { stepPod } from "./step.ts";

type Handoff = Extract<PodMessage, { type: "pod.handoff" }>;

const settleTimer = { type: "timer", key: "settle" } as const;
const upload = uploadOf(7);
const shard = shardOf(upload, 0);

const handoffOf = (changes: Partial<Handoff> = {}): Handoff => {
  return {
    type: "pod.handoff",
    deviceId: 0,
    bootId: 1,
    shards: [shard],
    damaged: [],
    cursor: null,
    isLast: false,
    ...changes,
  };
};

test("a pod does not answer before its log is read", () => {
  const state = createPod<string>(vaultOf(), 0);
  const message = { type: "pod.greet", floor: LOWEST_ORDER } as const;
  expect(stepPod(state, { type: "message", from: "c0", message }, 0)).toEqual([]);
  expect(() => createPod(vaultOf(), 3)).toThrow("There is no pod 3; the vault has pods 0 to 2.");
});

test("a starting pod announces itself as not settled, and pulls from every device until all have answered", () => {
  const state = createPod<string>(vaultOf(), 0);
  const identity = identityOf(0);
  const effects = stepPod(
    state,
    { type: "recovered", identity, shards: [loggedOf(shard)], refusals: [], horizon: LOWEST_ORDER },
    0,
  );
  expect(effects).toContainEqual(
    send("c0", { type: "coordinator.hello", pod: identity, isSettled: false, ...withRoom }),
  );
  expect(addresseesOf(effects, "stash.pull")).toEqual(["s0", "s1", "s2"]);
  const pod = startedPod();
  pod.hear("s1", handoffOf({ deviceId: 1, shards: [], cursor: 0, isLast: true }));
  expect(addresseesOf(pod.take(settleTimer), "stash.pull")).toEqual(["s0", "s2"]);
});

describe("a pod is settled after every device has handed over and m + 1 peers were compared with", () => {
  const rows: [string, Scheme][] = [["2+1", twoPlusOne], ...Object.entries(schemes)];
  test.each(rows)("%s", (_name, scheme) => {
    const config = vaultOf(scheme);
    const pod = startedPod(0, [], [], config);
    for (const { deviceId } of config.stashDevices.slice(1)) {
      pod.hear(stashAddress(deviceId), handoffOf({ deviceId, shards: [], cursor: 0, isLast: true }));
      expect(pod.state.lifecycle).toBe("replaying");
    }
    pod.hear("s0", handoffOf({ shards: [], cursor: 0, isLast: true }));
    for (const peer of countTo(scheme.parityShardCount + 1)) {
      expect(pod.state.lifecycle).toBe("comparing");
      compareWith(pod, peer + 1);
    }
    expect(pod.state.lifecycle).toBe("settled");
  });

  test("notifies every coordinator", () => {
    const pod = startedPod(0, [], [], vaultOf(twoPlusOne, { coordinatorCount: 2 }));
    finishReplay(pod);
    compareWith(pod, 1);
    const hello = { type: "coordinator.hello", pod: identityOf(0), isSettled: true, ...withRoom } as const;
    expect(pod.hear("p2", digestsOf(2))).toEqual([send("c0", hello), send("c1", hello)]);
  });
});

describe("devices that stay silent", () => {
  /** All devices but the first `silent` have handed over, a minute has passed, and these many peers have answered. */
  function lifecycleWith(scheme: Scheme, silent: number, peerCount: number, elapsedMs = DEVICE_PATIENCE_MS) {
    const config = vaultOf(scheme);
    const pod = startedPod(0, [], [], config);
    for (const { deviceId } of config.stashDevices.slice(silent)) {
      pod.hear(stashAddress(deviceId), handoffOf({ deviceId, shards: [], cursor: 0, isLast: true }));
    }
    pod.nowMs = elapsedMs;
    pod.take(settleTimer);
    for (const peer of countTo(peerCount)) compareWith(pod, peer + 1);
    return pod.state.lifecycle;
  }

  test.each([
    ["17+3", 2],
    ["16+4", 3],
    ["15+5", 4],
  ] as const)("are passed over after a minute, with %s at most %i of them", (name, silentMax) => {
    const scheme = schemes[name];
    for (const silent of countTo(silentMax + 1)) {
      const needed = Math.max(scheme.parityShardCount + 1, silent + 2);
      expect(lifecycleWith(scheme, silent, needed)).toBe("settled");
      expect(lifecycleWith(scheme, silent, needed - 1)).toBe("comparing");
      if (silent > 0) expect(lifecycleWith(scheme, silent, 19, DEVICE_PATIENCE_MS - 1)).toBe("replaying");
    }
    expect(lifecycleWith(scheme, silentMax + 1, 19)).toBe("replaying");
  });

  test("are still asked by a settled pod, until they answer", () => {
    const config = vaultOf(schemes["16+4"]);
    const pod = startedPod(0, [], [], config);
    for (const { deviceId } of config.stashDevices.slice(1)) {
      pod.hear(stashAddress(deviceId), handoffOf({ deviceId, shards: [], cursor: 0, isLast: true }));
    }
    pod.nowMs = DEVICE_PATIENCE_MS;
    pod.take(settleTimer);
    for (const peer of countTo(5)) compareWith(pod, peer + 1);
    expect(addresseesOf(pod.take(settleTimer), "stash.pull")).toEqual(["s0"]);
    pod.hear("s0", handoffOf({ shards: [], cursor: 0, isLast: true }));
    expect(pod.take(settleTimer)).toHaveLength(1);
    expect(pod.state.lifecycle).toBe("settled");
  });
});

describe("a shard that the stash hands over", () => {
  test("is written, flushed, and only then purged there", () => {
    const pod = settledPod();
    expect(pod.hear("s0", handoffOf())).toEqual([{ type: "append", shard, room: "repair" }]);
    pod.take(appended(shard));
    expect(pod.take({ type: "timer", key: "purge" })).toEqual([]);
    pod.take({ type: "timer", key: "flush" });
    pod.take({ type: "flushed" });
    expect(pod.take({ type: "timer", key: "purge" })).toEqual([send("s0", purgeOf(0, [shard]))]);
  });

  test("stays on the stash if it was overtaken, and is remembered until its outcome is known", () => {
    const newer = uploadOf(9);
    const pod = settledPod(0, [loggedOf(shardOf(newer, 0))]);
    expect(pod.hear("s0", handoffOf())).toEqual([]);
    expect(pod.state.entries.get(upload.uploadId)).toMatchObject({ state: "known" });
    expect(pod.state.unresolved.has(upload.uploadId)).toBe(true);
    pod.hear("c0", { type: "pod.note", uploadId: newer.uploadId, outcome: "committed" });
    expect(pod.hear("s0", handoffOf())).toEqual([send("c0", { type: "coordinator.resolve", upload })]);
    expect([...pod.state.entries.keys()]).toEqual([newer.uploadId]);
  });

  describe("before the pod has settled", () => {
    const newer = uploadOf(9);
    const probe = { type: "pod.probe", requestId: 1, upload, refuse: "nobody", isCommitted: false } as const;
    const answers = (pod: PodMachine) =>
      messagesOf(pod.hear("c0", probe), "coordinator.probed").map(({ message }) => message.answer);
    /** A pod that was handed the shard while it replayed, and holds it durably. */
    function replayedPod(): PodMachine {
      const pod = startedPod();
      pod.hear("s0", handoffOf({ cursor: 0 }));
      pod.take(appended(shard));
      finishReplay(pod);
      pod.take({ type: "flushed" });
      expect(pod.state.entries.get(upload.uploadId)).toMatchObject({ state: "durable" });
      return pod;
    }
    const push = podAppendOf(shard, { purpose: "push", isDurable: true });

    test("is not reported durable until then, because it does not count as a vote", () => {
      const pod = replayedPod();
      expect(answers(pod)).toEqual(["written"]);
      expectRefusal(pod, "unsettled", () => pod.hear("c0", push));
      compareWith(pod, 1);
      compareWith(pod, 2);
      expect([pod.state.lifecycle, answers(pod)]).toEqual(["settled", ["durable"]]);
    });

    test("is not reported durable afterwards either, while a version above it is undecided", () => {
      const pod = replayedPod();
      compareWith(pod, 1, [newer]);
      compareWith(pod, 2);
      expect([pod.state.lifecycle, answers(pod)]).toEqual(["settled", ["written"]]);
      expectRefusal(pod, "order", () => pod.hear("c0", push));
      const proof = { type: "refused", by: [1, 2] } as const;
      pod.hear("c0", { type: "pod.discard", upload: newer, proof });
      expect(answers(pod)).toEqual(["durable"]);
    });

    test.each([
      [
        "a note",
        (pod: PodMachine) =>
          pod.hear("c0", { type: "pod.note", uploadId: upload.uploadId, outcome: "committed" }),
      ],
      ["a repair", (pod: PodMachine) => pod.hear("c0", podAppendOf(shard, { purpose: "repair" }))],
    ])("counts at once when %s proves that it lives", (_, prove) => {
      const pod = replayedPod();
      compareWith(pod, 1, [newer]);
      prove(pod);
      expect(answers(pod)).toEqual(["durable"]);
    });
  });

  test.each([
    ["handed over", []],
    ["on its way here already", [podAppendOf(shard, { purpose: "repair" })]],
  ])("is not forgotten if it is %s and the log has no space for it", (_what, before) => {
    const pod = settledPod();
    for (const message of before) pod.hear("c0", message);
    pod.hear("s0", handoffOf());
    pod.take(appendFailed(shard, "full"));
    expect(pod.state.entries.get(upload.uploadId)).toMatchObject({ state: "known" });
    expect(pod.state.unresolved.has(upload.uploadId)).toBe(true);
    expect(pod.hear("s0", handoffOf())).toEqual([{ type: "append", shard, room: "repair" }]);
  });

  test("is purged without being written again if it is durable here already", () => {
    const pod = settledPod(0, [loggedOf(shard)]);
    expect(pod.hear("s0", handoffOf())).toEqual([{ type: "setTimer", key: "purge", delayMs: 100 }]);
    expect(pod.take({ type: "timer", key: "purge" })).toEqual([send("s0", purgeOf(0, [shard]))]);
  });

  test("is purged after the flush, on every device that has it, if it is on its way here already", () => {
    const pod = settledPod();
    pod.hear("s0", handoffOf());
    expect(pod.hear("s2", handoffOf({ deviceId: 2 }))).toEqual([]);
    expect(pod.hear("s2", handoffOf({ deviceId: 2 }))).toEqual([]);
    pod.take(appended(shard));
    expect(pod.hear("s1", handoffOf({ deviceId: 1 }))).toEqual([]);
    pod.take({ type: "timer", key: "flush" });
    pod.take({ type: "flushed" });
    const purges = pod.take({ type: "timer", key: "purge" });
    expect(addresseesOf(purges, "stash.purge")).toEqual(["s0", "s2", "s1"]);
  });

  test("but not meant for this boot is ignored", () => {
    const pod = settledPod();
    const before = snapshotOf(pod);
    expect(pod.hear("s0", handoffOf({ bootId: 0 }))).toEqual([]);
    expect(snapshotOf(pod)).toEqual(before);
  });

  test.each([
    ["handoff of another pod's shard", shardOf(upload, 1)],
    ["handoff of other bytes", withOtherBytes(shard)],
  ])("%s: refused, counted, neither written nor purged", (reason, wrong) => {
    const pod = settledPod(0, [loggedOf(shard)]);
    const before = snapshotOf(pod);
    expect(pod.hear("s0", handoffOf({ shards: [wrong] }))).toEqual([]);
    expect(pod.state.refusals.get(reason)).toBe(1);
    expect(snapshotOf(pod)).toEqual(before);
  });

  test("is not taken if the pod promised never to take its upload: a coordinator determines the outcome", () => {
    const pod = settledPod(0, [], [{ uploadId: upload.uploadId, isKnowing: false, order: upload.order }]);
    expect(pod.hear("s0", handoffOf())).toEqual([send("c0", { type: "coordinator.resolve", upload })]);
    expect(pod.state.entries.size).toBe(0);
  });

  test("in a page makes the pod ask for the next one, once", () => {
    const pod = startedPod();
    const page = handoffOf({ cursor: 8 });
    const pull = { type: "stash.pull", pod: identityOf(0), cursor: 8 } as const;
    expect(pod.hear("s0", page)).toEqual([{ type: "append", shard, room: "repair" }, send("s0", pull)]);
    expect(pod.hear("s0", page)).toEqual([]);
  });
});

test("a pod refuses and counts an index, a handoff or an announcement in another node's name", () => {
  const pod = startedPod();
  finishReplay(pod);
  expectRefusal(pod, "message of a stranger", () => pod.hear("p2", digestsOf(1, [upload])));
  expectRefusal(pod, "message of a stranger", () => pod.hear("p2", indexPageOf(1, [upload])));
  expectRefusal(pod, "message of a stranger", () => pod.hear("s1", handoffOf()));
  expectRefusal(pod, "message of a stranger", () => pod.hear("p1", { type: "pod.announce", deviceId: 1 }));
  for (const question of [
    { type: "pod.compare", from: 1, bootId: 1 } as const,
    { type: "pod.index", from: 1, after: 0, bootId: 1, buckets: [] } as const,
  ]) {
    expectRefusal(pod, "message of a stranger", () => pod.hear("p2", question));
  }
});

describe("a restarted device asks for the pod's identity", () => {
  test("a settled pod identifies itself by pulling again, and stays settled", () => {
    const pod = settledPod();
    const pull = { type: "stash.pull", pod: identityOf(0), cursor: 0 } as const;
    expect(pod.hear("s1", { type: "pod.announce", deviceId: 1 })).toContainEqual(send("s1", pull));
    expect(pod.state.lifecycle).toBe("settled");
    expect(addresseesOf(pod.take(settleTimer), "stash.pull")).toEqual(["s1"]);
  });

  test("a replaying pod needs its last page again", () => {
    const pod: PodMachine = startedPod();
    pod.hear("s1", handoffOf({ deviceId: 1, shards: [], cursor: 0, isLast: true }));
    pod.hear("s1", { type: "pod.announce", deviceId: 1 });
    expect(addresseesOf(pod.take(settleTimer), "stash.pull")).toEqual(["s0", "s1", "s2"]);
  });
});
