import { describe, expect, test } from "vitest";
import { digestOfPage } from "../list-digest.ts";
import type { MissingReason, PodMessage } from "../messages/index.ts";
import {
  addresseesOf,
  appended,
  countTo,
  killed,
  loggedOf,
  messagesOf,
  type PodMachine,
  podAppendOf,
  send,
  settledPod,
  shardOf,
  startedPod,
  uploadIdOf,
  uploadOf,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";

const versions = [1, 2, 3].map((number) => uploadOf(number));
const [first, second, third] = versions as [(typeof versions)[0], (typeof versions)[0], (typeof versions)[0]];
const find = { type: "pod.find", requestId: 4, bucket: "photos", key: "cat", isEager: false } as const;

const holding = (uploads: readonly (typeof first)[]): PodMachine =>
  settledPod(
    0,
    uploads.map((upload) => loggedOf(shardOf(upload, 0))),
  );

describe("a pod answers for a key", () => {
  test("with the versions from the highest down to the first committed one, below which none can be shown", () => {
    const pod = holding([second, third]);
    pod.hear("c0", { type: "pod.note", uploadId: second.uploadId, outcome: "committed" });
    pod.hear("c1", podAppendOf(shardOf(first, 0), { purpose: "push" }));
    expect(pod.hear("c5", find)).toEqual([
      send("c5", {
        type: "coordinator.found",
        requestId: 4,
        podIndex: 0,
        isSettled: true,
        versions: [
          { upload: third, holds: "durable", isCommitted: false },
          { upload: second, holds: "durable", isCommitted: true },
        ],
        shard: null,
        missingReason: null,
      }),
    ]);
  });

  test("that a shard not in the log yet is only known", () => {
    const pod = holding([]);
    pod.hear("c0", podAppendOf(shardOf(first, 0)));
    expect(pod.hear("c5", find)).toMatchObject([{ message: { versions: [{ holds: "known" }] } }]);
    pod.take(appended(shardOf(first, 0)));
    expect(pod.hear("c5", find)).toMatchObject([{ message: { versions: [{ holds: "written" }] } }]);
  });

  test("that it is not settled, while it is not", () => {
    expect(startedPod().hear("c5", find)).toMatchObject([{ message: { isSettled: false, versions: [] } }]);
  });
});

test("a pod lists page by page through the keys of one bucket with one prefix, and splits no key across pages", () => {
  const keys = ["a/1", "a/2", "a/3", "b/1"];
  const uploads = keys.map((key, index) => uploadOf(index + 10, { key }));
  const pod = holding([
    ...uploads,
    uploadOf(20, { key: "a/2" }),
    uploadOf(21, { bucket: "photos2", key: "a/0" }),
  ]);
  const pages: string[][] = [];
  for (let after: string | null = ""; after !== null; ) {
    const list: PodMessage = {
      type: "pod.list",
      requestId: 1,
      bucket: "photos",
      prefix: "a/",
      after,
      keyCountMax: 2,
      isBrief: false,
      delimiter: "",
    };
    const said = pod.hear("c0", list);
    const page = messagesOf(said, "coordinator.listed")[0]?.message;
    pages.push(page?.versions.map(({ upload }) => upload.uploadId) ?? []);
    after = page?.truncatedAfter ?? null;
  }
  expect(pages).toEqual([[10, 20, 11].map(uploadIdOf), [12].map(uploadIdOf)]);
});

test("a pod answers a brief list request with the digest of the page, which is equal on pods with the same uploads", () => {
  const uploads = ["a/1", "a/2"].map((key, index) => uploadOf(index + 10, { key }));
  const range = { bucket: "photos", prefix: "", after: "", keyCountMax: 2, delimiter: "" };
  const question = { requestId: 1, ...range };
  const answersOf = (pod: PodMachine) =>
    messagesOf(pod.hear("c0", { type: "pod.list", ...question, isBrief: true }), "coordinator.listedAlike");
  const [alike] = answersOf(holding(uploads));
  expect(alike?.message).toMatchObject({ requestId: 1, podIndex: 0, isSettled: true });
  expect(answersOf(holding(uploads.toReversed()))).toEqual([alike]);
  const page = holding(uploads).hear("c0", { type: "pod.list", ...question, isBrief: false });
  const [listed] = messagesOf(page, "coordinator.listed");
  expect(alike?.message.digest).toBe(listed && digestOfPage(listed.message));
});

describe("a pod that is to send its shard along", () => {
  const eager = { ...find, isEager: true } as const;
  const shard = shardOf(first, 0);
  const answersOf = (effects: ReturnType<PodMachine["take"]>) =>
    messagesOf(effects, "coordinator.found").map(({ message }) => message);

  test("answers once it has read the shard, with the versions known by then", () => {
    const pod = holding([first]);
    const [effect, ...others] = pod.hear("c0", eager);
    expect(effect).toMatchObject({ type: "load", position: loggedOf(shard).position });
    expect(others).toEqual([]);
    pod.hear("c0", { type: "pod.note", uploadId: first.uploadId, outcome: "committed" });
    const { loadId } = effect as { loadId: number };
    const versions = [{ upload: first, holds: "durable", isCommitted: true }] as const;
    expect(pod.take({ type: "loaded", loadId, read: { type: "shard", shard } })).toEqual([
      send("c0", {
        type: "coordinator.found",
        requestId: 4,
        podIndex: 0,
        isSettled: true,
        versions,
        shard,
        missingReason: null,
      } as const),
    ]);
  });

  test("answers at once if it holds no shard of the highest version, or one without bytes", () => {
    for (const pod of [
      holding([]),
      settledPod(0, [loggedOf(shard)], [], [second]),
      holding([uploadOf(2, { sizeBytes: 0 })]),
    ]) {
      expect(answersOf(pod.hear("c0", eager))).toMatchObject([{ shard: null }]);
    }
  });

  test("reports its shard as damaged if the bytes fail their checksum, and kills nothing", () => {
    const pod = holding([first]);
    const { loadId } = pod.hear("c0", eager)[0] as { loadId: number };
    const effects = pod.take({ type: "loaded", loadId, read: { type: "corrupt" } });
    expect(effects).toHaveLength(1);
    expect(answersOf(effects)).toMatchObject([
      { versions: [{ holds: "known" }], shard: null, missingReason: "damaged" },
    ]);
    expect(answersOf(pod.hear("c0", eager))).toMatchObject([{ shard: null, missingReason: "damaged" }]);
  });

  test.each([
    { top: "held", pod: () => holding([first]), missingReason: "unreadable" },
    {
      top: "damaged",
      pod: () => settledPod(0, [{ ...loggedOf(shard), isDamaged: true }]),
      missingReason: "damaged",
    },
    { top: "missing", pod: () => settledPod(0, [], [], [first]), missingReason: null },
    { top: "without bytes", pod: () => holding([uploadOf(2, { sizeBytes: 0 })]), missingReason: null },
  ])(
    "reports reason $missingReason for a shard that is $top while too many reads are pending",
    ({ pod: start, missingReason }) => {
      const pod = start();
      for (const i of countTo(512)) pod.state.loads.set(-i, { type: "recheck", uploadId: uploadIdOf(i) });
      expect(answersOf(pod.hear("c0", eager))).toMatchObject([{ shard: null, missingReason }]);
    },
  );

  test("reports that it cannot read its shard when the drive fails, and still holds it", () => {
    const pod = holding([first]);
    const { loadId } = pod.hear("c0", eager)[0] as { loadId: number };
    const effects = pod.take({ type: "loaded", loadId, read: { type: "unreadable" } });
    expect(answersOf(effects)).toMatchObject([
      { versions: [{ holds: "durable" }], shard: null, missingReason: "unreadable" },
    ]);
    expect(effects).toHaveLength(1);
  });
});

describe("a load", () => {
  const load = { type: "pod.load", requestId: 9, uploadId: first.uploadId } as const;
  const shard = shardOf(first, 0);
  const answer = (shards: readonly (typeof shard)[], missingReason: MissingReason | null = null) =>
    send("c0", { type: "coordinator.loaded", requestId: 9, from: "p0", shards, missingReason });

  test("is answered with the shard once it has been read", () => {
    const pod = holding([first]);
    const [effect] = pod.hear("c0", load);
    expect(effect).toMatchObject({ type: "load", position: loggedOf(shard).position });
    const { loadId } = effect as { loadId: number };
    expect(pod.take({ type: "loaded", loadId, read: { type: "shard", shard } })).toEqual([answer([shard])]);
    expect(pod.take({ type: "loaded", loadId, read: { type: "shard", shard } })).toEqual([]);
  });

  test("is answered with nothing at once if the pod does not hold the shard", () => {
    for (const pod of [holding([]), settledPod(0, [], [], [first])]) {
      expect(pod.hear("c0", load)).toEqual([answer([])]);
    }
  });

  test("returns no bytes that fail their checksum; the pod then knows the upload, but lacks its shard until a repair", () => {
    const pod = holding([first]);
    pod.hear("c0", { type: "pod.note", uploadId: first.uploadId, outcome: "complete" });
    const { loadId } = pod.hear("c0", load)[0] as { loadId: number };
    expect(pod.take({ type: "loaded", loadId, read: { type: "corrupt" } })).toEqual([answer([], "damaged")]);
    expect(pod.hear("c5", find)).toMatchObject([
      { message: { versions: [{ holds: "known", isCommitted: true }] } },
    ]);
    expect(pod.state.entries.get(first.uploadId)?.outcome).toBe("committed");
    expect(pod.state.unresolved.has(first.uploadId)).toBe(true);
    expect(pod.hear("c0", podAppendOf(shard, { purpose: "repair" }))).toEqual([
      { type: "append", shard, room: "repair" },
    ]);
    // The log has put the repair in the place of the damaged record, whose position is dropped.
    expect(pod.take(appended(shard))).toContainEqual(killed(shard));
    expect(pod.state.damaged.size).toBe(0);
  });

  test("is answered with nothing if the record is gone, and changes nothing", () => {
    const pod = holding([first]);
    const { loadId } = pod.hear("c0", load)[0] as { loadId: number };
    expect(pod.take({ type: "loaded", loadId, read: { type: "gone" } })).toEqual([answer([])]);
    expect(pod.state.damaged.size).toBe(0);
  });

  test("has the same effect as a scrub's finding, which is ignored for a shard that is not durable", () => {
    const corrupt = { type: "corrupt", uploadId: first.uploadId, shardIndex: 0 } as const;
    const pod = holding([first]);
    expect(pod.take(corrupt)).toEqual([]);
    expect(pod.state.damaged.has(first.uploadId)).toBe(true);
    const other = settledPod();
    expect(other.take(corrupt)).toEqual([]);
    expect(other.state.damaged.size).toBe(0);
  });
});

test("a pod ignores messages for a device or a coordinator", () => {
  const pod = holding([first]);
  expect(pod.hear("c0", { type: "stash.probe", requestId: 1, uploadId: first.uploadId })).toEqual([]);
  expect(pod.take({ type: "timer", key: "of another shell" })).toEqual([]);
  expect(
    addresseesOf(pod.hear("c7", { type: "pod.greet", floor: LOWEST_ORDER }), "coordinator.hello"),
  ).toEqual(["c7"]);
});
