/**
 * Tests the outcome of an upload whose author does not report it: the proofs that it lives, and those that it is dead.
 */
import { describe, expect, test } from "vitest";
import { isDeathProof } from "../death-proof.ts";
import type { CoordinatorEffect } from "../effects.ts";
import type { PodProbeAnswer } from "../messages/index.ts";
import {
  addresseesOf,
  countTo,
  greetedCoordinator,
  identityOf,
  messagesOf,
  type ResolutionInTest,
  shardOf,
  snapshotOf,
  startedResolution,
  threePlusTwo,
  twoPlusOne,
  uploadOf,
  vaultOf,
  withRoom,
} from "../testing/index.ts";
import { RESOLVE_DEADLINE_MS } from "./resolve-outcome.ts";

const upload = uploadOf(7);
const { uploadId } = upload;

const notesIn = (effects: readonly CoordinatorEffect[]) => [
  ...new Set(messagesOf(effects, "pod.note").map(({ message }) => message.outcome)),
];
const isDiscarded = (effects: readonly CoordinatorEffect[]) =>
  addresseesOf(effects, "pod.discard").length > 0;
const isCalledDead = (effects: readonly CoordinatorEffect[]) =>
  addresseesOf(effects, "stash.discard").length > 0;
const wishesIn = (effects: readonly CoordinatorEffect[]) => [
  ...new Set(messagesOf(effects, "pod.probe").map(({ message }) => message.refuse)),
];

/** Gives this answer from every pod, and "nothing" from every device. */
function allAnswer(
  search: ResolutionInTest,
  answer: PodProbeAnswer,
  more: Parameters<ResolutionInTest["probed"]>[2] = {},
): CoordinatorEffect[] {
  const { pods, devices } = search.coordinator.state;
  const said = [...devices.keys()].flatMap((deviceId) => search.stashProbed(deviceId));
  return [...said, ...countTo(pods.length).flatMap((podIndex) => search.probed(podIndex, answer, more))];
}

/** Returns the pods that a probe notifies that the upload is committed, once per notification. */
const committedIn = (effects: CoordinatorEffect[]) =>
  messagesOf(effects, "pod.probe").flatMap(({ to, message }) => (message.isCommitted ? [to] : []));

test("a search asks every pod to make the upload durable and report it, and every device for shards, once for all requesters", () => {
  const { effects, coordinator } = startedResolution();
  expect(addresseesOf(effects, "pod.probe")).toHaveLength(5);
  expect(messagesOf(effects, "pod.probe")[0]?.message).toMatchObject({
    upload,
    refuse: "nobody",
    isCommitted: false,
  });
  expect(addresseesOf(effects, "stash.probe")).toHaveLength(5);
  expect(coordinator.hear("p2", { type: "coordinator.resolve", upload })).toEqual([]);
});

describe("an upload lives", () => {
  test("once k pods hold it durably; once q do, pods are notified and drop older versions", () => {
    const search = startedResolution();
    for (const podIndex of [0, 1, 2]) search.probed(podIndex, "durable");
    expect(search.resolution()).toMatchObject({ phase: "live", isNoted: false });
    // Pod 4 is silent and no longer awaited. One more lost drive would leave k - 1 shards.
    expect(notesIn([...search.probed(3, "absent"), ...search.timeout()])).toEqual([]);
    expect(notesIn(search.repaired(3))).toEqual(["committed"]);
  });

  test("is not reported while two answering pods lack it", () => {
    const search = startedResolution();
    for (const podIndex of [0, 1, 2]) search.probed(podIndex, "durable");
    const effects = [...search.probed(3, "absent"), ...search.probed(4, "known"), ...search.timeout()];
    expect(notesIn(effects)).toEqual([]);
    expect(notesIn(search.repaired(3))).toEqual(["committed"]);
    expect(notesIn(search.repaired(4))).toEqual(["complete"]);
    expect(search.coordinator.state.resolutions.size).toBe(0);
  });

  test("is complete, if it is a tombstone, only when every pod that holds it knows that it is committed", () => {
    const search = startedResolution(threePlusTwo, uploadOf(7, { kind: "tombstone", sizeBytes: 0 }));
    for (const podIndex of countTo(4)) search.probed(podIndex, "durable", { isCommitted: true });
    expect(addresseesOf(search.probed(4, "absent"), "pod.append")).toEqual(["p4"]);
    expect(committedIn(search.repaired(4))).toEqual(["p4"]);
    // An answer to an earlier question does not prove it; a lost probe is sent again after a while.
    expect(search.probed(4, "durable")).toEqual([]);
    expect(committedIn(search.timeout())).toEqual(["p0", "p1", "p2", "p3", "p4"]);
    expect(notesIn(search.probed(4, "durable", { isCommitted: true }))).toEqual(["complete"]);
    expect(search.coordinator.state.resolutions.size).toBe(0);
  });

  test("no longer if a drive is lost before any pod was notified, leaving k - 1", () => {
    const search = startedResolution();
    for (const podIndex of [0, 1, 2]) search.probed(podIndex, "durable");
    expect(search.resolution()?.phase).toBe("live");
    const effects = [...search.probed(2, "absent", { bootId: 2 }), ...search.timeout()];
    expect(notesIn(effects)).toEqual([]);
    expect(search.resolution()?.phase).toBe("refusing");
  });

  test("when one pod was notified that it is committed, even before others answer", () => {
    const search = startedResolution();
    expect(notesIn(search.probed(0, "known", { isCommitted: true }))).toEqual(["committed"]);
  });

  test("but not when k shards are only written, or only on the stash", () => {
    const search = startedResolution();
    for (const podIndex of countTo(5)) search.probed(podIndex, "written");
    for (const deviceId of countTo(5)) search.stashProbed(deviceId, [deviceId]);
    expect(search.resolution()?.phase).toBe("pushing");
  });
});

describe("an upload is dead", () => {
  const { quorums } = greetedCoordinator(vaultOf(threePlusTwo)).state;
  /** Two pods hold the upload, and three have promised. */
  const burying = () => {
    const search = startedResolution();
    search.probed(3, "durable");
    search.probed(4, "written");
    return { search, effects: [0, 1, 2].flatMap((podIndex) => search.probed(podIndex, "refused")) };
  };

  test("for the pods that hold it when m + 1 pods have promised: they drop it for that proof and promise too", () => {
    const { search, effects } = burying();
    expect(addresseesOf(effects, "pod.discard")).toHaveLength(5);
    for (const { message } of messagesOf(effects, "pod.discard")) {
      expect(message.proof).toEqual({ type: "refused", by: [0, 1, 2] });
      expect(isDeathProof(message.proof, upload, quorums, "refuse")).toBe(true);
      expect(isDeathProof(message.proof, upload, quorums, "bury")).toBe(false);
    }
    expect(wishesIn(effects)).toEqual(["all"]);
    // A discard may be lost, and is sent again with the question.
    const again = search.timeout();
    expect(addresseesOf(again, "pod.discard")).toHaveLength(5);
    expect(isCalledDead([...effects, ...again])).toBe(false);
  });

  test("for every node when 2m pods have promised: the proof survives as many lost media as an acknowledged upload", () => {
    const { search } = burying();
    const effects = search.probed(3, "refused");
    expect(search.coordinator.state.resolutions.size).toBe(0);
    expect(addresseesOf(effects, "pod.discard")).toHaveLength(5);
    expect(addresseesOf(effects, "stash.discard")).toHaveLength(5);
    for (const { message } of messagesOf(effects, "stash.discard")) {
      expect(message.proof).toEqual({ type: "refused", by: [3, 0, 1, 2] });
      expect(isDeathProof(message.proof, upload, quorums, "bury")).toBe(true);
    }
  });

  test("but not when one of m + 1 has lost its promise with its drive before 2m had promised", () => {
    const { search } = burying();
    search.probed(0, "durable", { bootId: 2 });
    const effects = [...search.probed(3, "refused"), ...search.timeout()];
    expect(isCalledDead(effects)).toBe(false);
    expect(isCalledDead(search.probed(4, "refused"))).toBe(true);
  });

  test("but not when m have promised, one of them twice", () => {
    const search = startedResolution();
    const effects = [0, 1, 1].flatMap((podIndex) => search.probed(podIndex, "refused"));
    expect(isDiscarded(effects)).toBe(false);
  });

  test("or superseded when a later version of the key is committed and the upload is not proved to live", () => {
    const search = startedResolution();
    const [discard] = messagesOf(
      search.probed(0, "absent", { committedOrder: uploadOf(8).order }),
      "pod.discard",
    );
    expect(discard?.message.proof).toEqual({ type: "superseded", by: uploadOf(8).order });
    const other = startedResolution();
    expect(isDiscarded(other.probed(0, "absent", { committedOrder: uploadOf(6).order }))).toBe(false);
  });
});

test("no mix of final answers of 2+1 or 3+2 proves both, and each proof is found", () => {
  const answers = ["durable", "refused", "knownRefused", "absent"] as const;
  const ends = { live: 0, dead: 0, open: 0 };
  for (const scheme of [twoPlusOne, threePlusTwo]) {
    const { dataShardCount: k, parityShardCount: m } = scheme;
    for (let mix = 0; mix < 4 ** (k + m); mix += 1) {
      const given = countTo(k + m).map((index) => answers[Math.floor(mix / 4 ** index) % 4] ?? "absent");
      const search = startedResolution(scheme);
      const effects = given.flatMap((answer, podIndex) =>
        search.resolution() ? search.probed(podIndex, answer) : [],
      );
      const durableCount = given.filter((answer) => answer === "durable").length;
      const promiseCount = given.filter((answer) => answer === "refused" || answer === "knownRefused").length;
      const isLive = durableCount >= k;
      const isDead = promiseCount >= m + 1;
      expect(isLive && isDead).toBe(false);
      expect(isDiscarded(effects)).toBe(isDead);
      expect(isCalledDead(effects)).toBe(promiseCount >= 2 * m);
      expect(search.resolution()?.phase === "live" || durableCount === k + m).toBe(isLive);
      ends[isLive ? "live" : isDead ? "dead" : "open"] += 1;
    }
  }
  expect(ends.live + ends.dead + ends.open).toBe(4 ** 3 + 4 ** 5);
  expect(ends).toMatchObject({ live: 10 + 106 });
});

describe("a push of an upload that may live but is not proved to live yet", () => {
  /** Two shards are on pods, a third on the stash; pod 4 has promised. */
  function pushing() {
    const search = startedResolution();
    for (const deviceId of countTo(5)) search.stashProbed(deviceId, deviceId === 3 ? [2] : []);
    search.probed(0, "durable");
    search.probed(1, "durable");
    search.probed(2, "known");
    search.probed(3, "absent");
    return { search, effects: search.probed(4, "refused") };
  }
  const shardsAt = [
    ["p0", shardOf(upload, 0)],
    ["p1", shardOf(upload, 1)],
    ["s3", shardOf(upload, 2)],
  ] as const;

  test("loads k shards from pods and stash, and has the missing ones rebuilt, except for pods that promised", () => {
    const { search, effects } = pushing();
    expect(addresseesOf(effects, "pod.load")).toEqual(["p0", "p1"]);
    expect(addresseesOf(effects, "stash.load")).toEqual(["s3"]);
    const made = shardsAt.flatMap(([from, shard]) => search.loaded(from, [shard]));
    expect(made).toEqual([
      { type: "reconstruct", uploadId, shards: shardsAt.map(([, shard]) => shard), missing: [2, 3] },
    ]);
    const shards = [2, 3].map((index) => shardOf(upload, index));
    const sent = messagesOf(
      search.coordinator.take({ type: "reconstructed", uploadId, shards }),
      "pod.append",
    );
    expect(sent.map(({ to }) => to)).toEqual(["p2", "p3"]);
    for (const { message } of sent)
      expect(message).toMatchObject({ purpose: "push", isDurable: true, bootId: 1 });
  });

  test("loads only as many shards as it needs, and asks all holders only if those do not arrive", () => {
    const search = startedResolution();
    for (const deviceId of countTo(5)) search.stashProbed(deviceId, deviceId === 3 ? [2] : []);
    for (const podIndex of [0, 1, 2, 3]) search.probed(podIndex, "durable");
    const asked = addresseesOf(search.probed(4, "absent"), "pod.load");
    expect(asked).toHaveLength(3);
    expect(["p0", "p1", "p2", "p3"]).toEqual(expect.arrayContaining(asked));
    const later = search.timeout();
    expect(addresseesOf(later, "pod.load")).toEqual(["p0", "p1", "p2", "p3"]);
    expect(addresseesOf(later, "stash.load")).toEqual(["s3"]);
  });

  test("requests the work once, despite duplicates and shards of another upload", () => {
    const { search } = pushing();
    search.loaded("p0", [shardOf(upload, 0)]);
    search.loaded("p0", [shardOf(upload, 0)]);
    expect(search.loaded("p1", [shardOf(uploadOf(6), 1)])).toEqual([]);
    expect(search.coordinator.state.refusals.get("shard of another upload")).toBe(1);
    search.loaded("p1", [shardOf(upload, 1)]);
    expect(search.loaded("s3", [shardOf(upload, 2)])).toHaveLength(1);
    expect(search.loaded("s3", [shardOf(upload, 2)])).toEqual([]);
    expect(search.loaded("p1", [shardOf(upload, 1)])).toEqual([]);
  });

  test("succeeds once k pods answer that it is durable; then pods that promised also get their shards, as repairs", () => {
    const { search } = pushing();
    for (const [from, shard] of shardsAt) search.loaded(from, [shard]);
    expect(search.repaired(2, "written")).toEqual([]);
    expect(search.repaired(2, "durable", 0)).toEqual([]);
    const effects = search.repaired(2);
    expect(search.resolution()?.phase).toBe("live");
    expect(effects).toContainEqual(expect.objectContaining({ type: "reconstruct", missing: [3, 4] }));
    const shards = [shardOf(upload, 4)];
    const sent = search.coordinator.take({ type: "reconstructed", uploadId, shards });
    expect(messagesOf(sent, "pod.append")).toMatchObject([{ to: "p4", message: { purpose: "repair" } }]);
  });

  test("needs no shards for a tombstone: each is made from its header", () => {
    const tombstone = uploadOf(7, { kind: "tombstone", sizeBytes: 0 });
    const search = startedResolution(threePlusTwo, tombstone);
    for (const podIndex of [0, 1, 2]) search.probed(podIndex, "durable");
    const effects = [...search.probed(3, "absent"), ...search.timeout()];
    expect(addresseesOf(effects, "pod.load")).toEqual([]);
    expect(messagesOf(effects, "pod.append")[0]).toMatchObject({
      to: "p3",
      message: { shard: { shardIndex: 3 } },
    });
  });
});

describe("a search for promises", () => {
  test("waits for silent nodes first, then asks pods that never knew the upload, and never those that know it", () => {
    const search = startedResolution();
    const early = [0, 1, 2].flatMap((podIndex) => search.probed(podIndex, "known"));
    expect(wishesIn(early)).toEqual([]);
    expect(wishesIn(search.timeout())).toEqual(["unknowing"]);
    for (let elapsedMs = 500; elapsedMs < RESOLVE_DEADLINE_MS - 500; elapsedMs += 500) {
      expect(wishesIn(search.timeout())).toEqual(["unknowing"]);
    }
  });

  test("asks pods that know it only after every device and then, once more, every settled pod was counted", () => {
    const search = startedResolution();
    const first = search.requestId();
    expect(wishesIn(allAnswer(search, "known"))).toEqual(["nobody"]);
    expect(search.resolution()).toMatchObject({ isRecounting: true });
    expect(search.requestId()).not.toBe(first);
    const second = countTo(5).flatMap((podIndex) => search.probed(podIndex, "known"));
    expect(wishesIn(second)).toEqual(["all"]);
    const effects = [0, 1, 2].flatMap((podIndex) => search.probed(podIndex, "knownRefused"));
    expect(isDiscarded(effects)).toBe(true);
  });

  test("asks pods that know it despite silent devices, if one shard on each would still not make k", () => {
    const search = startedResolution();
    const count = () => countTo(5).flatMap((id) => search.probed(id, id === 1 ? "durable" : "known"));
    const first = [...countTo(4).flatMap((id) => search.stashProbed(id)), ...count(), ...search.timeout()];
    expect(search.resolution()).toMatchObject({ isRecounting: true });
    expect(wishesIn(first)).toEqual(["nobody"]);
    // During the second count, pods that never knew it may promise.
    expect(wishesIn(count())).toEqual(["unknowing", "all"]);
    const effects = [0, 2, 3].flatMap((podIndex) => search.probed(podIndex, "knownRefused"));
    expect(isDiscarded(effects)).toBe(true);
  });

  test("counts twice, and so finds a shard that moved from stash to pod between the counts", () => {
    const search = startedResolution();
    allAnswer(search, "known");
    const effects = countTo(5).flatMap((podIndex) =>
      search.probed(podIndex, podIndex < 3 ? "written" : "known"),
    );
    expect(wishesIn(effects)).toEqual([]);
    expect(search.resolution()?.phase).toBe("pushing");
  });

  test.each<[string, (search: ResolutionInTest) => unknown]>([
    ["pods that are not settled", (search) => allAnswer(search, "known", { isSettled: false })],
    [
      "as many silent devices as make k shards with those found",
      (search) => [
        countTo(4).map((id) => search.stashProbed(id, id === 0 ? [0] : [])),
        countTo(5).map((id) => search.probed(id, id === 1 ? "durable" : "known")),
      ],
    ],
    [
      "a pod that is silent",
      (search) => [
        countTo(5).map((id) => search.stashProbed(id)),
        countTo(4).map((id) => search.probed(id, "known")),
      ],
    ],
  ])("with %s asks no pod that knows it, and its outcome stays unknown", (_what, act) => {
    const search = startedResolution();
    const wishes = new Set<string>();
    for (let elapsedMs = 500; elapsedMs < RESOLVE_DEADLINE_MS; elapsedMs += 500) {
      act(search);
      for (const wish of wishesIn(search.timeout())) wishes.add(wish);
    }
    expect([...wishes]).toEqual(["unknowing"]);
    expect(search.timeout()).toEqual([]);
    expect(search.coordinator.state.resolutions.size).toBe(0);
  });
});

describe("a search ignores outdated answers", () => {
  test("to the question before the recount, and those of devices during it", () => {
    const search = startedResolution();
    const first = search.requestId();
    allAnswer(search, "known");
    const before = snapshotOf(search.coordinator);
    for (const podIndex of countTo(5)) search.probed(podIndex, "known", { requestId: first });
    search.stashProbed(0, [0, 1, 2]);
    expect(snapshotOf(search.coordinator)).toEqual(before);
  });

  test.each([
    ["within a boot, a durable shard does not become absent", "durable", 1, "absent", 1, "durable"],
    ["a promise does not become an absent shard", "refused", 1, "absent", 1, "refused"],
    ["a promise replaces a durable shard", "durable", 1, "refused", 1, "refused"],
    ["a durable shard does not replace a promise", "refused", 1, "durable", 1, "refused"],
    ["an earlier boot does not overrule a later one", "absent", 2, "durable", 1, "absent"],
    ["a later boot may have lost a durable shard", "durable", 1, "absent", 2, "absent"],
    ["an absent shard may have arrived", "absent", 1, "written", 1, "written"],
  ] as const)(
    "counts the valid one of two answers of a pod: %s",
    (_what, first, firstBoot, second, secondBoot, expected) => {
      const search = startedResolution();
      search.probed(3, first, { bootId: firstBoot });
      search.probed(3, second, { bootId: secondBoot });
      expect(search.resolution()?.pods.get(3)?.answer).toBe(expected);
    },
  );

  test("of a pod that has restarted since: its drive may have changed, so it is asked again", () => {
    const search = startedResolution();
    for (const podIndex of [0, 1]) search.probed(podIndex, "durable");
    const hello = {
      type: "coordinator.hello",
      pod: identityOf(1, 2),
      isSettled: false,
      ...withRoom,
    } as const;
    expect(addresseesOf(search.coordinator.hear("p1", hello), "pod.probe")).toEqual(["p1"]);
    expect(addresseesOf(search.coordinator.hear("p1", hello), "pod.probe")).toEqual([]);
    search.probed(2, "durable");
    expect(search.resolution()?.phase).toBe("probing");
    search.probed(1, "durable", { bootId: 2 });
    expect(search.resolution()?.phase).toBe("live");
  });

  test("after its end", () => {
    const search = startedResolution(twoPlusOne);
    const requestId = search.requestId();
    for (const podIndex of countTo(3)) search.probed(podIndex, "durable");
    expect(search.coordinator.state.resolutions.size).toBe(0);
    const before = snapshotOf(search.coordinator);
    search.probed(0, "absent", { requestId });
    search.coordinator.take({ type: "reconstructed", uploadId, shards: [shardOf(upload, 1)] });
    expect(search.timeout()).toEqual([]);
    expect(snapshotOf(search.coordinator)).toEqual(before);
  });
});
