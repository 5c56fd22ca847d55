import { describe, expect, test } from "vitest";
import type { Refusal } from "../effects.ts";
import type { UploadHeader } from "../shard.ts";
import {
  appended,
  compareWith,
  digestsOf,
  finishReplay,
  indexPageOf,
  killed,
  loggedOf,
  messagesOf,
  type PodMachine,
  podAppendOf,
  send,
  settledPod,
  shardOf,
  startedPod,
  uploadOf,
} from "../testing/index.ts";
import { LOWEST_ORDER, lowestOrderAt } from "../version-order.ts";
import { HORIZON_AFTER_MS } from "./horizon.ts";

/** Orders of uploads are milliseconds of the same clock. */
const LONG_AFTER_MS = 1_000_000;

const deletion = uploadOf(7, { kind: "tombstone", etag: "", sizeBytes: 0 });
const older = uploadOf(5);
const outcomesTimer = { type: "timer", key: "outcomes" } as const;

function greet(pod: PodMachine, floor = LOWEST_ORDER) {
  return pod.hear("c0", { type: "pod.greet", floor });
}

/** A settled pod that holds these uploads durably and was notified that they are complete. */
function podWith(uploads: readonly UploadHeader[], refusals: readonly Refusal[] = []): PodMachine {
  const shards = uploads.map((upload) => ({ ...loggedOf(shardOf(upload, 0)), outcome: "complete" as const }));
  const pod = settledPod(0, shards, refusals, uploads);
  pod.nowMs = LONG_AFTER_MS;
  greet(pod);
  return pod;
}

function horizonsIn(effects: readonly { readonly type: string }[]): string[] {
  return effects.flatMap((effect) =>
    effect.type === "persistHorizon" ? [(effect as unknown as { horizon: string }).horizon] : [],
  );
}

/** Raises the horizon to ten seconds behind the clock, as far as open uploads allow. */
function raised(pod: PodMachine): PodMachine {
  for (const horizon of horizonsIn(pod.take(outcomesTimer))) pod.take({ type: "horizonPersisted", horizon });
  pod.take(outcomesTimer);
  return pod;
}

describe("the horizon", () => {
  test("is raised to ten seconds ago, once it is durable, if a tombstone can be forgotten", () => {
    const pod = podWith([deletion]);
    const horizon = lowestOrderAt(LONG_AFTER_MS - HORIZON_AFTER_MS);
    expect(horizonsIn(pod.take(outcomesTimer))).toEqual([horizon]);
    expect(pod.state.horizon).toBe(LOWEST_ORDER);
    expect(horizonsIn(pod.take(outcomesTimer))).toEqual([]);
    pod.take({ type: "horizonPersisted", horizon });
    expect(pod.state.horizon).toBe(horizon);
    // It covers the tombstone, and there is nothing else.
    expect(horizonsIn(pod.take(outcomesTimer))).toEqual([]);
  });

  test("follows a wall clock that is stepped ahead by an hour, while deadlines are unaffected", () => {
    const pod = podWith([deletion]);
    pod.take({ type: "clockMoved", wallAheadMs: 3_600_000 });
    expect(horizonsIn(pod.take(outcomesTimer))).toEqual([
      lowestOrderAt(LONG_AFTER_MS + 3_600_000 - HORIZON_AFTER_MS),
    ]);
  });

  test("keeps its value and its refusals when the wall clock is set back by an hour", () => {
    const pod = raised(podWith([deletion]));
    const { horizon } = pod.state;
    pod.take({ type: "clockMoved", wallAheadMs: -3_600_000 });
    pod.hear("c0", podAppendOf(shardOf(uploadOf(9, { key: "dog", kind: "tombstone" }), 0)));
    expect(horizonsIn(pod.take(outcomesTimer))).toEqual([]);
    expect(pod.state.horizon).toBe(horizon);
    const refusal = [{ message: { reason: "order", highestOrder: horizon } }];
    expect(pod.hear("c0", podAppendOf(shardOf(uploadOf(4, { key: "cow" }), 0)))).toMatchObject(refusal);
  });

  test.each([
    ["nothing is to be forgotten", () => podWith([older])],
    [
      "no coordinator has greeted it lately",
      () => {
        const pod = podWith([deletion]);
        pod.nowMs += 5001;
        return pod;
      },
    ],
    [
      "it has not settled",
      () => {
        const pod = startedPod(0, [loggedOf(shardOf(deletion, 0))]);
        pod.nowMs = LONG_AFTER_MS;
        greet(pod);
        return pod;
      },
    ],
  ])("is not raised while %s", (_why, podOf) => {
    expect(horizonsIn(podOf().take(outcomesTimer))).toEqual([]);
  });

  test("stays below uploads that are not durable here, which a power cut may take", () => {
    const pod = podWith([deletion]);
    const open = uploadOf(9, { key: "dog" });
    pod.hear("c0", podAppendOf(shardOf(open, 0)));
    pod.take(appended(shardOf(open, 0)));
    expect(horizonsIn(pod.take(outcomesTimer))).toEqual([open.order]);
  });

  test("admits no upload below it while it is being written, because a power cut might take that upload afterwards", () => {
    const pod = podWith([deletion]);
    const [horizon] = horizonsIn(pod.take(outcomesTimer)) as [string];
    const late = uploadOf(9, { key: "dog" });
    const refusal = [{ message: { reason: "order", highestOrder: horizon } }];
    expect(pod.hear("c0", podAppendOf(shardOf(late, 0)))).toMatchObject(refusal);
    expect(pod.hear("c0", podAppendOf(shardOf(late, 0), { purpose: "push" }))).toMatchObject(refusal);
    const page = { bootId: 1, damaged: [], cursor: null, isLast: false } as const;
    const handoff = { type: "pod.handoff", deviceId: 0, ...page } as const;
    expect(pod.hear("s0", { ...handoff, shards: [shardOf(late, 0)] })).toEqual([
      send("c0", { type: "coordinator.resolve", upload: late }),
    ]);
    expect(pod.state.entries.has(late.uploadId)).toBe(false);
    const probe = {
      type: "pod.probe",
      requestId: 1,
      upload: late,
      refuse: "nobody",
      isCommitted: false,
    } as const;
    expect(pod.hear("c0", probe)).toMatchObject([{ message: { answer: "absent" } }]);
  });

  test("is a promise never to take any upload below it that the pod does not hold, and covers no other upload", () => {
    const pod = raised(podWith([deletion, uploadOf(3, { key: "dog" })]));
    const probed = (upload: UploadHeader) =>
      pod.hear("c0", { type: "pod.probe", requestId: 1, upload, refuse: "nobody", isCommitted: false });
    expect(probed(uploadOf(4, { key: "dog" }))).toMatchObject([{ message: { answer: "refused" } }]);
    expect(probed(uploadOf(3, { key: "dog" }))).toMatchObject([{ message: { answer: "durable" } }]);
    const newer = { ...uploadOf(9, { key: "dog" }), order: lowestOrderAt(LONG_AFTER_MS) };
    expect(probed(newer)).toMatchObject([{ message: { answer: "absent" } }]);
  });

  test("refuses puts and pushes below it, answers the minimum order, and takes a repair", () => {
    const pod = raised(podWith([deletion]));
    const shard = shardOf(uploadOf(4, { key: "dog" }), 0);
    const refusal = [{ message: { reason: "order", present: null, highestOrder: pod.state.horizon } }];
    expect(pod.hear("c0", podAppendOf(shard))).toMatchObject(refusal);
    expect(pod.hear("c0", podAppendOf(shard, { purpose: "push" }))).toMatchObject(refusal);
    expect(pod.hear("c0", podAppendOf(shard, { purpose: "repair" }))).toMatchObject([{ type: "append" }]);
  });

  test("refuses shards below it that the stash hands over, and has their outcome determined", () => {
    const pod = raised(podWith([deletion]));
    const upload = uploadOf(4, { key: "dog" });
    const page = { bootId: 1, damaged: [], cursor: null, isLast: false } as const;
    const handoff = { type: "pod.handoff", deviceId: 0, ...page } as const;
    const effects = pod.hear("s0", { ...handoff, shards: [shardOf(upload, 0)] });
    expect(effects).toEqual([send("c0", { type: "coordinator.resolve", upload })]);
    expect(pod.state.entries.has(upload.uploadId)).toBe(false);
  });

  test("makes no promise for bytes that this boot held and lost", () => {
    const upload = uploadOf(3, { key: "dog" });
    const pod = raised(podWith([deletion, upload]));
    pod.take({ type: "corrupt", uploadId: upload.uploadId, shardIndex: 0 });
    const probe = { type: "pod.probe", requestId: 1, upload, refuse: "nobody", isCommitted: false } as const;
    expect(pod.hear("c0", probe)).toMatchObject([{ message: { answer: "damaged" } }]);
  });

  test("also covers single promises below it, so that their records go; one of unknown order stays", () => {
    const refusals = [4, 6].map((number) => {
      const { uploadId, order } = uploadOf(number, { key: "dog" });
      return { uploadId, isKnowing: false, order };
    });
    const [first, second] = refusals as [Refusal, Refusal];
    const unknown = { ...uploadOf(2), isKnowing: false, order: LOWEST_ORDER };
    const pod = podWith([], [...refusals, unknown]);
    const [horizon] = horizonsIn(pod.take(outcomesTimer)) as [string];
    expect(pod.take({ type: "horizonPersisted", horizon })).toEqual([
      { type: "forgetRefusal", uploadId: first.uploadId },
      { type: "forgetRefusal", uploadId: second.uploadId },
    ]);
    expect([...pod.state.refused.keys()]).toEqual([unknown.uploadId]);
  });
});

test("a greeted pod names the order below which it is closed, before that is durable", () => {
  const pod = podWith([deletion]);
  const closedBelow = () =>
    messagesOf(greet(pod), "coordinator.hello").map(({ message }) => message.closedBelow);
  expect(closedBelow()).toEqual([LOWEST_ORDER]);
  const [horizon] = horizonsIn(pod.take(outcomesTimer)) as [string];
  expect(closedBelow()).toEqual([horizon]);
  pod.take({ type: "horizonPersisted", horizon });
  expect(closedBelow()).toEqual([horizon]);
});

describe("the final order of a pod", () => {
  const finalBelow = (pod: PodMachine) =>
    messagesOf(greet(pod), "coordinator.hello").map(({ message }) => message.finalBelow);

  test("is the horizon if everything below it is durable and complete", () => {
    const pod = raised(podWith([deletion]));
    expect(finalBelow(pod)).toEqual([pod.state.horizon]);
  });

  test("ends at the first upload that was not reported complete", () => {
    const pod = podWith([deletion]);
    const open = uploadOf(8, { key: "dog" });
    pod.hear("c0", podAppendOf(shardOf(open, 0), { purpose: "repair" }));
    pod.take(appended(shardOf(open, 0)));
    pod.take({ type: "timer", key: "flush" });
    pod.take({ type: "flushed" });
    expect(finalBelow(raised(pod))).toEqual([open.order]);
  });
});

describe("a dropped version", () => {
  test("is final only once its end is durable, and a separate flush makes it so", () => {
    // Both are durable here, and only the older one is known to be complete.
    const shards = [older, deletion].map((upload) => loggedOf(shardOf(upload, 0)));
    const pod = settledPod(0, shards, [], [older, deletion]);
    pod.nowMs = LONG_AFTER_MS;
    greet(pod);
    pod.hear("c0", { type: "pod.note", uploadId: older.uploadId, outcome: "complete" });
    const noted = pod.hear("c0", { type: "pod.note", uploadId: deletion.uploadId, outcome: "complete" });
    expect(noted).toContainEqual(killed(shardOf(older, 0)));
    const effects = pod.take(outcomesTimer);
    for (const horizon of horizonsIn(effects)) pod.take({ type: "horizonPersisted", horizon });
    expect(effects).toContainEqual({ type: "setTimer", key: "flush", delayMs: expect.any(Number) });
    const finalBelow = () => {
      pod.take(outcomesTimer);
      return messagesOf(greet(pod), "coordinator.hello").map(({ message }) => message.finalBelow);
    };
    expect(finalBelow()).toEqual([older.order]);
    expect(pod.take({ type: "timer", key: "flush" })).toEqual([{ type: "flush" }]);
    expect(finalBelow()).toEqual([older.order]);
    pod.take({ type: "flushed" });
    expect(finalBelow()).toEqual([pod.state.horizon]);
    expect(pod.take({ type: "timer", key: "flush" })).toEqual([]);
  });
});

describe("a tombstone", () => {
  const floor = lowestOrderAt(1000);

  test("below the floor is dropped, and then the key has no version", () => {
    const pod = raised(podWith([deletion]));
    expect(greet(pod, deletion.order)).not.toContainEqual(killed(shardOf(deletion, 0)));
    expect(greet(pod, floor)).toContainEqual(killed(shardOf(deletion, 0)));
    expect([pod.state.entries.size, pod.state.tombstones.size, pod.state.entries.objects.size]).toEqual([
      0, 0, 0,
    ]);
  });

  test("stays above a version that is still below it", () => {
    const logged = [older, deletion].map((upload) => loggedOf(shardOf(upload, 0)));
    const pod = settledPod(0, logged, [], [older, deletion]);
    expect(greet(pod, floor)).not.toContainEqual(killed(shardOf(deletion, 0)));
    pod.hear("c0", { type: "pod.note", uploadId: deletion.uploadId, outcome: "committed" });
    expect(greet(pod, floor)).toContainEqual(killed(shardOf(deletion, 0)));
  });

  test("is not brought back by a late repair once it is dropped", () => {
    const pod = raised(podWith([deletion]));
    greet(pod, floor);
    const repair = podAppendOf(shardOf(deletion, 0), { purpose: "repair" });
    expect(pod.hear("c0", repair)).toMatchObject([{ message: { reason: "fenced" } }]);
  });
});

describe("a pod after a restart", () => {
  test("drops a version whose end had not reached the medium before the deletion above it", () => {
    const logged = [older, deletion].map((upload) => loggedOf(shardOf(upload, 0)));
    const pod = startedPod(0, [logged[0], { ...logged[1], outcome: "complete" }] as typeof logged);
    expect([...pod.state.entries.keys()]).toEqual([deletion.uploadId]);
  });

  test("ignores the log's claim that an upload is committed until the pod has compared itself", () => {
    const pod = startedPod(0, [{ ...loggedOf(shardOf(older, 0)), outcome: "complete" }]);
    const isCommitted = () => {
      const find = { type: "pod.find", requestId: 1, bucket: "photos", key: "cat", isEager: false } as const;
      return messagesOf(pod.hear("c0", find), "coordinator.found").map(
        ({ message }) => message.versions[0]?.isCommitted,
      );
    };
    expect(isCommitted()).toEqual([false]);
    finishReplay(pod);
    for (const peer of [1, 2]) compareWith(pod, peer, [older]);
    expect(isCommitted()).toEqual([true]);
  });

  test("asks again for the outcome of an upload that a peer with a higher horizon lacks", () => {
    const pod = startedPod(0, [{ ...loggedOf(shardOf(older, 0)), outcome: "complete" }]);
    finishReplay(pod);
    const other = uploadOf(9, { key: "dog" });
    const horizon = lowestOrderAt(1000);
    pod.hear("p1", digestsOf(1, [other]));
    pod.hear("p1", { ...indexPageOf(1, [other]), horizon });
    expect(pod.state.entries.get(older.uploadId)?.outcome).toBeNull();
    expect(pod.state.unresolved.has(older.uploadId)).toBe(true);
  });

  test("asks again for the outcome of an upload if a peer with a higher horizon holds nothing at all", () => {
    const pod = startedPod(0, [{ ...loggedOf(shardOf(older, 0)), outcome: "complete" }]);
    finishReplay(pod);
    const effects = pod.hear("p1", digestsOf(1, []));
    expect(messagesOf(effects, "pod.index")).toHaveLength(1);
    pod.hear("p1", { ...indexPageOf(1, []), horizon: lowestOrderAt(1000) });
    expect(pod.state.entries.get(older.uploadId)?.outcome).toBeNull();
  });

  test("trusts the log's claim below no horizon", () => {
    const pod = startedPod(0, [{ ...loggedOf(shardOf(older, 0)), outcome: "complete" }]);
    finishReplay(pod);
    pod.hear("p1", digestsOf(1, []));
    pod.hear("p1", indexPageOf(1, []));
    expect(pod.state.entries.get(older.uploadId)?.outcome).toBe("complete");
  });
});
