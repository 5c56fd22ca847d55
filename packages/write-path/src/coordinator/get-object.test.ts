import { describe, expect, test } from "vitest";
import type { CoordinatorEffect, GetOutcome } from "../effects.ts";
import {
  type Address,
  type MissingReason,
  type PodProbeAnswer,
  podAddress,
  stashAddress,
  type VersionView,
} from "../messages/index.ts";
import { type Scheme, schemes } from "../quorums.ts";
import type { Shard, UploadHeader } from "../shard.ts";
import {
  addresseesOf,
  countTo,
  greetedCoordinator,
  messagesOf,
  shardOf,
  snapshotOf,
  threePlusTwo,
  twoPlusOne,
  uploadOf,
  vaultOf,
  withRoom,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { READ_DEADLINE_MS } from "./get-object.ts";
import { RESOLVE_DEADLINE_MS } from "./resolve-outcome.ts";

const outcomesIn = (effects: readonly CoordinatorEffect[]): GetOutcome[] =>
  effects.flatMap((effect) => (effect.type === "answerGet" ? [effect.outcome] : []));

const viewOf = (
  upload: UploadHeader,
  isCommitted = true,
  holds: VersionView["holds"] = "durable",
): VersionView => {
  return { upload, holds, isCommitted };
};

/** A coordinator with a running read of the object `cat`, and functions that answer it. */
function startedRead(scheme: Scheme = twoPlusOne, headOnly = false) {
  const coordinator = greetedCoordinator(vaultOf(scheme));
  const effects = coordinator.take({ type: "get", token: 1, bucket: "photos", key: "cat", headOnly });
  const [readId, read] = [...coordinator.state.reads][0] ?? [];
  const requestId = () => read?.requestId ?? -1;
  return {
    coordinator,
    effects,
    requestId,
    found(
      podIndex: number,
      versions: readonly VersionView[] = [],
      isSettled = true,
      shard: Shard | null = null,
    ) {
      const message = {
        type: "coordinator.found",
        requestId: requestId(),
        podIndex,
        isSettled,
        versions,
        shard,
        missingReason: null,
      } as const;
      return coordinator.hear(podAddress(podIndex), message);
    },
    stashFound(deviceId: number, uploads: readonly UploadHeader[] = []) {
      const message = { type: "coordinator.stashFound", requestId: requestId(), deviceId, uploads } as const;
      return coordinator.hear(stashAddress(deviceId), message);
    },
    loaded(from: Address, shards: readonly Shard[], missingReason: MissingReason | null = null) {
      const message = {
        type: "coordinator.loaded",
        requestId: requestId(),
        from,
        shards,
        missingReason,
      } as const;
      return coordinator.hear(from, message);
    },
    timeout(afterMs = 100) {
      coordinator.nowMs += afterMs;
      return coordinator.take({ type: "timer", key: `read:${readId}` });
    },
    /** Gives the same answer from all pods to the probe of this upload. */
    resolved(
      upload: UploadHeader,
      answer: PodProbeAnswer,
      committedOrder = LOWEST_ORDER,
    ): CoordinatorEffect[] {
      return countTo(coordinator.state.pods.length).flatMap((podIndex) => {
        const probeId = coordinator.state.resolutions.get(upload.uploadId)?.requestId ?? -1;
        const message = {
          type: "coordinator.probed",
          requestId: probeId,
          podIndex,
          bootId: 1,
          answer,
        } as const;
        const more = { isSettled: true, isCommitted: false, committedOrder };
        return coordinator.hear(podAddress(podIndex), { ...message, ...more });
      });
    },
  };
}

/** A read that has chosen this committed upload, got none of its shards along with the answers, and asked for them. */
function loadingRead(upload: UploadHeader, scheme = threePlusTwo) {
  const read = startedRead(scheme);
  const effects = countTo(scheme.parityShardCount + 1).flatMap((pod) => read.found(pod, [viewOf(upload)]));
  return { ...read, asked: addresseesOf(effects, "pod.load") };
}

const allSchemes: [string, Scheme][] = [["2+1", twoPlusOne], ...Object.entries(schemes)];

describe("a read reports an object absent only when enough nodes lack it", () => {
  test.each(allSchemes)("with %s: m + 1 settled pods lack it, counting each pod once", (_name, scheme) => {
    const read = startedRead(scheme);
    for (const podIndex of countTo(scheme.parityShardCount)) {
      expect(read.found(podIndex)).toEqual([]);
      expect(read.found(podIndex)).toEqual([]);
    }
    expect(outcomesIn(read.found(scheme.parityShardCount))).toEqual([{ type: "absent" }]);
  });

  test.each(allSchemes)(
    "with %s: otherwise m + 1 pods and all but m - 1 stash devices lack it",
    (_name, scheme) => {
      const { dataShardCount: k, parityShardCount: m } = scheme;
      const read = startedRead(scheme);
      for (const podIndex of countTo(k + m)) expect(read.found(podIndex, [], podIndex < m)).toEqual([]);
      const needed = k + m - (m - 1);
      for (const deviceId of countTo(needed - 1)) expect(read.stashFound(deviceId)).toEqual([]);
      expect(outcomesIn(read.stashFound(needed - 1))).toEqual([{ type: "absent" }]);
    },
  );

  test("an upload known only to the stash is not absent, but has to be proved", () => {
    const read = startedRead();
    read.found(0, [], false);
    for (const deviceId of [0, 1]) read.stashFound(deviceId, []);
    read.found(1, [], false);
    const effects = read.stashFound(2, [uploadOf(7)]);
    expect(outcomesIn(effects)).toEqual([]);
    expect(addresseesOf(effects, "pod.probe")).toEqual(["p0", "p1", "p2"]);
  });

  test("a read queries silent nodes again after a moment, including the stash, and answers 503 at the deadline", () => {
    const read = startedRead();
    read.found(0, [viewOf(uploadOf(7))]);
    const again = read.timeout();
    expect(addresseesOf(again, "pod.find")).toEqual(["p0", "p1", "p2"]);
    expect(addresseesOf(again, "stash.find")).toEqual(["s0", "s1", "s2"]);
    expect(outcomesIn(read.timeout(READ_DEADLINE_MS - 101))).toEqual([]);
    expect(outcomesIn(read.timeout(1))).toEqual([{ type: "unavailable" }]);
    expect(read.found(1, [viewOf(uploadOf(7))])).toEqual([]);
  });
});

describe("a read returns the highest version", () => {
  const [older, newer] = [uploadOf(6), uploadOf(7)] as const;

  test("even if a pod reports a lower one first", () => {
    for (const versions of [
      [older, newer],
      [newer, older],
    ] as const) {
      const read = startedRead(twoPlusOne, true);
      read.found(0, [viewOf(versions[0])]);
      expect(outcomesIn(read.found(1, [viewOf(versions[1])]))).toEqual([
        { type: "found", upload: newer, shards: [] },
      ]);
    }
  });

  test("reports the object as absent if its highest version is a committed tombstone", () => {
    const read = startedRead();
    read.found(0, [viewOf(older)]);
    expect(outcomesIn(read.found(2, [viewOf(uploadOf(7, { kind: "tombstone" }))]))).toEqual([
      { type: "absent" },
    ]);
  });

  test("loads no shards for an empty object", () => {
    const read = startedRead();
    const empty = uploadOf(7, { sizeBytes: 0 });
    read.found(0, [viewOf(empty)]);
    expect(outcomesIn(read.found(2, [viewOf(empty)]))).toEqual([
      { type: "found", upload: empty, shards: [] },
    ]);
  });

  describe("a read proves an uncommitted version before it shows the version", () => {
    function resolving() {
      const read = startedRead(twoPlusOne, true);
      read.found(0, [viewOf(newer, false), viewOf(older)]);
      const effects = read.found(1, [viewOf(older)]);
      expect(outcomesIn(effects)).toEqual([]);
      expect(addresseesOf(effects, "pod.probe")).toEqual(["p0", "p1", "p2"]);
      return read;
    }

    test("shows the version if it lives", () => {
      const read = resolving();
      expect(outcomesIn(read.resolved(newer, "durable"))).toEqual([
        { type: "found", upload: newer, shards: [] },
      ]);
    });

    test.each([
      ["dead", "refused", LOWEST_ORDER],
      ["superseded", "superseded", uploadOf(9).order],
    ] as const)(
      "asks the pods again and never shows a version that is %s",
      (_end, answer, committedOrder) => {
        const read = resolving();
        const before = read.requestId();
        const effects = read.resolved(newer, answer, committedOrder);
        expect(outcomesIn(effects)).toEqual([]);
        expect(addresseesOf(effects, "pod.find")).toHaveLength(2);
        expect(read.requestId()).not.toBe(before);
        read.found(0, [viewOf(newer, false), viewOf(older)]);
        expect(outcomesIn(read.found(1, [viewOf(older)]))).toEqual([
          { type: "found", upload: older, shards: [] },
        ]);
      },
    );

    test("answers 503 if the version is not proved in time", () => {
      const read = resolving();
      read.coordinator.nowMs += RESOLVE_DEADLINE_MS;
      expect(outcomesIn(read.coordinator.take({ type: "timer", key: `resolve:${newer.uploadId}` }))).toEqual([
        { type: "unavailable" },
      ]);
    });

    test("waits no longer than its own deadline", () => {
      const read = resolving();
      expect(outcomesIn(read.timeout())).toEqual([]);
      expect(outcomesIn(read.timeout(READ_DEADLINE_MS))).toEqual([{ type: "unavailable" }]);
      expect(outcomesIn(read.resolved(newer, "durable"))).toEqual([]);
    });
  });
});

describe("a read decodes the bytes from k shards of one upload", () => {
  const upload = uploadOf(7);
  const shards = countTo(5).map((shardIndex) => shardOf(upload, shardIndex));
  const shardNumbered = (index: number) => shards[index] as Shard;

  test("which the pods of the data shards send along with their versions", () => {
    const { effects } = startedRead(threePlusTwo);
    const finds = messagesOf(effects, "pod.find");
    expect(finds.map(({ to, message }) => [to, message.isEager])).toEqual([
      ["p0", true],
      ["p1", true],
      ["p2", true],
    ]);
  });

  /** A read of 16 + 4 for which five pods have answered that the upload may be shown, and sent their shards along. */
  function sendingRead() {
    const large = uploadOf(7, { scheme: schemes["16+4"] });
    const read = startedRead(schemes["16+4"]);
    const send = (pod: number) => read.found(pod, [viewOf(large)], true, shardOf(large, pod));
    for (const pod of countTo(5)) expect(addresseesOf(send(pod), "pod.load")).toEqual([]);
    return { ...read, upload: large, send };
  }

  test("which may still arrive after enough pods have allowed the version to be shown", () => {
    const { send, upload: large } = sendingRead();
    for (const pod of countTo(10)) expect(send(5 + pod)).toEqual([]);
    expect(outcomesIn(send(15))).toMatchObject([{ type: "found", upload: large }]);
  });

  test("by asking every pod at once, and only once, when a pod has no shard", () => {
    const { send, found } = sendingRead();
    const more = found(5, []);
    expect(addresseesOf(more, "pod.load")).toEqual(["p16", "p17", "p18", "p19"]);
    expect(addresseesOf(more, "stash.load")).toHaveLength(20);
    expect([...found(5, []), ...found(17, []), ...send(6)]).toEqual([]);
  });

  test("by asking busy pods separately if they hold their shard but did not send it along", () => {
    const { found, loaded, upload: large } = sendingRead();
    expect(addresseesOf(found(5, [viewOf(large)]), "pod.load")).toEqual(["p5"]);
    const newer = uploadOf(8);
    const views = [viewOf(newer, false), viewOf(large)];
    expect(addresseesOf(found(6, views, true, shardOf(newer, 6)), "pod.load")).toEqual(["p6"]);
    for (const pod of [5, 6]) expect(loaded(podAddress(pod), [shardOf(large, pod)])).toEqual([]);
  });

  test("by asking again if the shard that came along is of another version", () => {
    const read = startedRead(threePlusTwo);
    const newer = uploadOf(8);
    read.found(0, [viewOf(newer, false), viewOf(upload)], true, shardOf(newer, 0));
    for (const index of [1, 2]) read.found(index, [viewOf(upload)], true, shardNumbered(index));
    expect(addresseesOf(read.resolved(newer, "refused"), "pod.find")).toEqual(["p0", "p1", "p2"]);
    read.found(0, [viewOf(newer, false), viewOf(upload)]);
    read.found(1, [viewOf(upload)], true, shardNumbered(1));
    const asked = read.found(2, [viewOf(upload)], true, shardNumbered(2));
    expect(addresseesOf(asked, "pod.load")).toEqual(["p0"]);
    expect(outcomesIn(read.loaded("p0", [shardNumbered(0)]))).toMatchObject([{ type: "found", upload }]);
  });

  test("without asking pods that reported no shard, while other pods may hold one", () => {
    const read = startedRead(threePlusTwo);
    read.found(0, [viewOf(upload, true, "known")]);
    read.found(1, []);
    const asked = read.found(2, [viewOf(upload)], true, shardNumbered(2));
    expect(addresseesOf(asked, "pod.load")).toEqual(["p3", "p4"]);
  });

  test("answers exactly when the k-th distinct shard arrives", () => {
    const read = loadingRead(upload);
    expect(read.loaded("p0", [shardNumbered(0)])).toEqual([]);
    expect(read.loaded("p0", [shardNumbered(0)])).toEqual([]);
    expect(read.loaded("p2", [shardNumbered(2)])).toEqual([]);
    expect(outcomesIn(read.loaded("p1", [shardNumbered(1)]))).toEqual([
      { type: "found", upload, shards: [0, 2, 1].map(shardNumbered) },
    ]);
    expect(read.loaded("p3", [shardNumbered(3)])).toEqual([]);
  });

  test("by asking every node when a pod has no shard, and using shards of the stash instead", () => {
    const read = loadingRead(upload);
    read.loaded("p0", [shardNumbered(0)]);
    const more = read.loaded("p1", []);
    expect(addresseesOf(more, "pod.load")).toEqual(["p3", "p4"]);
    expect(addresseesOf(more, "stash.load")).toEqual(["s0", "s1", "s2", "s3", "s4"]);
    read.loaded("s2", [shardNumbered(1)]);
    expect(outcomesIn(read.loaded("s4", [shardNumbered(4)]))).toMatchObject([
      { type: "found", shards: [{ shardIndex: 0 }, { shardIndex: 1 }, { shardIndex: 4 }] },
    ]);
  });

  test("refuses and counts a shard of another upload of the key", () => {
    const read = loadingRead(upload);
    for (const number of [6, 8]) read.loaded("p1", [shardOf(uploadOf(number), 1)]);
    expect(read.coordinator.state.refusals.get("shard of another upload")).toBe(2);
    for (const index of [0, 2])
      expect(outcomesIn(read.loaded(podAddress(index), [shardNumbered(index)]))).toEqual([]);
    const [outcome] = outcomesIn(read.loaded("p1", [shardNumbered(1)]));
    expect(outcome).toMatchObject({ type: "found", upload });
    const ids = outcome?.type === "found" ? outcome.shards.map((shard) => shard.upload.uploadId) : [];
    expect(new Set(ids)).toEqual(new Set([upload.uploadId]));
  });

  test("by asking every node after a moment, and the pods for versions again once half of the nodes have answered", () => {
    const read = loadingRead(upload);
    expect(addresseesOf(read.timeout(), "stash.load")).toHaveLength(5);
    for (const from of ["p0", "p1", "p3", "s0"] as const) read.loaded(from, []);
    expect(addresseesOf(read.timeout(), "pod.find")).toEqual([]);
    read.loaded("p2", [shardNumbered(2)]);
    expect(addresseesOf(read.timeout(), "pod.find")).toHaveLength(3);
    expect(outcomesIn(read.timeout(READ_DEADLINE_MS))).toEqual([{ type: "unavailable" }]);
  });

  /** R readable, x damaged, u unreadable, . nothing, ? silent; five pods, then five devices. */
  test.each<[nodes: string, GetOutcome["type"]]>([
    ["RR???.....", "unavailable"],
    ["RRxx?.....", "unavailable"],
    ["RRxxu.....", "unavailable"],
    ["Rxx.u....?", "unavailable"],
    ["Rxx.....u?", "unavailable"],
    ["xxx..??...", "undecodable"],
    ["Rxxx?.....", "undecodable"],
    ["Rxxxu.....", "undecodable"],
    ["Rxxx.....u", "undecodable"],
    ["xxxuu.....", "undecodable"],
  ])(
    "fails permanently only if silent and unreadable nodes could not bring the shards to k: %s is %s",
    (nodes, type) => {
      const read = loadingRead(upload);
      read.timeout();
      for (const [at, sign] of [...nodes].entries()) {
        const from = at < 5 ? podAddress(at) : stashAddress(at - 5);
        if (sign === "R") read.loaded(from, [shardNumbered(at)]);
        else if (sign !== "?")
          read.loaded(from, [], sign === "x" ? "damaged" : sign === "u" ? "unreadable" : null);
      }
      expect(outcomesIn(read.timeout(READ_DEADLINE_MS))).toMatchObject([{ type }]);
      expect(read.coordinator.state.lost.size).toBe(0);
    },
  );

  test("names the pods without a readable shard if too few shards are readable", () => {
    const read = loadingRead(upload);
    read.timeout();
    read.loaded("p0", [shardNumbered(0)]);
    read.loaded("p1", [], "damaged");
    read.loaded("p2", [], "unreadable");
    read.loaded("p3", []);
    for (const deviceId of countTo(5)) read.loaded(stashAddress(deviceId), []);
    read.loaded("p4", []);
    const shortage = {
      upload,
      readableCount: 1,
      neededCount: 3,
      shardCount: 5,
      damagedPods: [1],
      unreadablePods: [2],
      missingPods: [3, 4],
      silentPods: [],
    };
    expect(outcomesIn(read.timeout(READ_DEADLINE_MS))).toEqual([{ type: "undecodable", shortage }]);
  });

  describe("a read with fewer than k shards after all nodes have answered", () => {
    /** A read with two readable shards of three; `missingReason` is the third pod's. */
    const shortRead = (missingReason: MissingReason | null) => {
      const read = loadingRead(upload);
      const answerAll = () => {
        for (const index of [0, 1]) read.loaded(podAddress(index), [shardNumbered(index)]);
        read.loaded("p2", [], missingReason);
        read.loaded("p3", [], "damaged");
        for (const deviceId of countTo(5)) read.loaded(stashAddress(deviceId), []);
        return read.loaded("p4", []);
      };
      return { read, answerAll };
    };

    test("checks once more, since the upload may have been superseded, and then reports it as lost", () => {
      const { read, answerAll } = shortRead("damaged");
      read.timeout();
      expect(addresseesOf(answerAll(), "pod.find")).not.toEqual([]);
      for (const index of countTo(5)) read.found(index, [{ upload, holds: "durable", isCommitted: true }]);
      read.timeout();
      expect(outcomesIn(answerAll())).toMatchObject([
        {
          type: "undecodable",
          shortage: { upload, readableCount: 2, damagedPods: [2, 3], missingPods: [4], silentPods: [] },
        },
      ]);
      expect(read.coordinator.state.lost.get(upload.uploadId)?.shortage).toMatchObject({ readableCount: 2 });
    });

    test("counts pods that sent their shards along among those that have answered", () => {
      const read = startedRead(threePlusTwo);
      for (const index of [0, 1]) read.found(index, [viewOf(upload)], true, shardNumbered(index));
      read.found(2, [viewOf(upload, true, "known")]);
      read.timeout();
      for (const pod of [2, 3]) read.loaded(podAddress(pod), [], "damaged");
      for (const deviceId of countTo(5)) read.loaded(stashAddress(deviceId), []);
      expect(addresseesOf(read.loaded("p4", []), "pod.find")).not.toEqual([]);
    });

    test("waits while a drive fails to read, and does not call the object lost", () => {
      const { read, answerAll } = shortRead("unreadable");
      read.timeout();
      expect(outcomesIn(answerAll())).toEqual([]);
      expect(outcomesIn(read.timeout(READ_DEADLINE_MS))).toEqual([{ type: "unavailable" }]);
      expect(read.coordinator.state.lost.size).toBe(0);
    });
  });

  test("a read ignores an answer to an earlier request, or to an earlier boot of the coordinator", () => {
    const read = loadingRead(upload);
    const before = snapshotOf(read.coordinator);
    const { coordinator } = read;
    for (const requestId of [1, 99, read.requestId() - 1, read.requestId() + 1]) {
      const loaded = {
        type: "coordinator.loaded",
        requestId,
        from: "p0",
        shards: [shardNumbered(0)],
        missingReason: null,
      } as const;
      const found = {
        type: "coordinator.found",
        requestId,
        podIndex: 0,
        isSettled: true,
        versions: [],
        shard: null,
        missingReason: null,
      } as const;
      expect([...coordinator.hear("p0", loaded), ...coordinator.hear("p0", found)]).toEqual([]);
    }
    expect(snapshotOf(coordinator)).toEqual(before);
  });
});

test("a read queries only as many pods as it needs answers from, the likeliest ones first", () => {
  const coordinator = greetedCoordinator(vaultOf(threePlusTwo));
  coordinator.nowMs += 10_000;
  for (const podIndex of [1, 3, 4]) {
    const pod = { podIndex, driveId: "drive", bootId: 1 };
    coordinator.hear(podAddress(podIndex), {
      type: "coordinator.hello",
      pod,
      isSettled: podIndex !== 4,
      ...withRoom,
    });
  }
  const get = { type: "get", token: 1, bucket: "photos", key: "cat" } as const;
  const asked = addresseesOf(coordinator.take({ ...get, headOnly: false }), "pod.find");
  expect(asked).toEqual(["p1", "p3", "p0"]);
  expect(addresseesOf(coordinator.take({ ...get, headOnly: true }), "pod.find").sort()).toEqual(
    expect.arrayContaining(["p1", "p3"]),
  );
});

test("a read gets an id that was not used before", () => {
  const { coordinator, effects, requestId } = startedRead();
  expect(messagesOf(effects, "pod.find")[0]?.message.requestId).toBe(requestId());
  expect(requestId()).toBeGreaterThanOrEqual(100);
  expect(effects.at(-1)).toMatchObject({ type: "setTimer", delayMs: 100 });
  expect(coordinator.state.reads.size).toBe(1);
});

test("a slow read doubles its retry interval up to 1.6 s, so that requests do not crowd out answers", () => {
  const read = startedRead();
  const waitsMs = countTo(6).map(() => {
    const again = read.timeout().find((effect) => effect.type === "setTimer");
    return again?.delayMs;
  });
  expect(waitsMs).toEqual([200, 400, 800, 1600, 1600, 1600]);
});
