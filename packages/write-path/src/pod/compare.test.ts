import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message, PodMessage } from "../messages/index.ts";
import type { UploadHeader } from "../shard.ts";
import {
  addresseesOf,
  countTo,
  digestsOf,
  finishReplay,
  indexPageOf,
  loggedOf,
  messagesOf,
  type PodMachine,
  send,
  settledPod,
  shardOf,
  snapshotOf,
  startedPod,
  uploadOf,
} from "../testing/index.ts";
import { lowestOrderAt } from "../version-order.ts";

const upload = uploadOf(7);
const manyUploads = (count: number): UploadHeader[] =>
  countTo(count).map((number) => uploadOf(number + 1, { key: `${number}` }));
const holderOf = (podIndex: number, uploads: readonly UploadHeader[]): PodMachine =>
  settledPod(
    podIndex,
    uploads.map((each) => loggedOf(shardOf(each, podIndex))),
  );
const compareMessage = { type: "pod.compare", from: 0, bootId: 1 } as const;

/** A pod that has replayed and holds these uploads. */
function comparingPod(uploads: readonly UploadHeader[] = []): PodMachine {
  const pod = startedPod(
    0,
    uploads.map((each) => loggedOf(shardOf(each, 0))),
  );
  finishReplay(pod);
  return pod;
}

/** The same pod as another pod of the vault, whose answers count. */
function asPeer(pod: PodMachine): PodMachine {
  pod.state.identity = { ...pod.state.identity, podIndex: 1 };
  return pod;
}

/** Delivers questions and answers until there are no more; returns the pages. */
function converse(pod: PodMachine, peer: PodMachine): Extract<Message, { type: "pod.indexPage" }>[] {
  const pages = [];
  let question: Message | undefined = compareMessage;
  while (question !== undefined) {
    const answers = peer.hear("p0", question);
    const [answer] = [...messagesOf(answers, "pod.digests"), ...messagesOf(answers, "pod.indexPage")];
    expect(answer?.to).toBe("p0");
    const message = answer?.message as PodMessage;
    if (message.type === "pod.indexPage") pages.push(message);
    question = messagesOf(pod.hear("p1", message), "pod.index")[0]?.message;
  }
  return pages;
}

describe("a comparison", () => {
  test("with a peer that holds the same uploads, in any order of arrival, ends once the digests match", () => {
    const uploads = manyUploads(300);
    const pod = comparingPod(uploads);
    expect(converse(pod, holderOf(1, uploads.toReversed()))).toEqual([]);
    expect(pod.state.comparisons.get(1)?.isDone).toBe(true);
  });

  test("reads only the buckets that differ", () => {
    const uploads = manyUploads(5000);
    const pod = comparingPod(uploads.slice(3));
    const pages = converse(pod, holderOf(1, uploads));
    expect(uploads.slice(0, 3).every(({ uploadId }) => pod.state.entries.has(uploadId))).toBe(true);
    expect(pages.flatMap((page) => page.uploads).length).toBeLessThan(40);
  });

  test("informs a pod of every upload of its peer, for any overlap of their uploads", () => {
    const uploads = manyUploads(12);
    const some = fc.subarray(uploads);
    fc.assert(
      fc.property(some, some, (own, others) => {
        const pod = comparingPod(own);
        converse(pod, holderOf(1, others));
        const known = new Set([...own, ...others].map(({ uploadId }) => uploadId));
        expect(new Set(pod.state.entries.keys())).toEqual(known);
        expect(pod.state.comparisons.get(1)?.isDone).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("names no upload that the peer knows only from others below its horizon, so that the one pod that holds it doubts it", () => {
    const deleted = uploadOf(7, { order: lowestOrderAt(1000) });
    const peer = comparingPod();
    peer.state.horizon = lowestOrderAt(2000);
    converse(peer, holderOf(1, [deleted]));
    expect(peer.state.entries.get(deleted.uploadId)?.state).toBe("known");

    const liar = comparingPod([deleted]);
    const entry = liar.state.entries.wake(deleted.uploadId);
    if (entry) entry.outcome = "complete";
    converse(liar, asPeer(peer));
    expect(liar.state.entries.get(deleted.uploadId)?.outcome).toBe(null);
    expect(liar.state.unresolved.has(deleted.uploadId)).toBe(true);
  });

  test("names an upload that the peer knows only from others below its horizon once it is proved to live", () => {
    const deleted = uploadOf(7, { order: lowestOrderAt(1000) });
    const peer = comparingPod();
    peer.state.horizon = lowestOrderAt(2000);
    converse(peer, holderOf(1, [deleted]));
    peer.hear("c0", { type: "pod.note", uploadId: deleted.uploadId, outcome: "committed" });

    const pod = comparingPod();
    converse(pod, asPeer(peer));
    expect(pod.state.entries.has(deleted.uploadId)).toBe(true);
  });

  test("reads in pages of 256, each requested once the previous one has arrived", () => {
    const uploads = manyUploads(600);
    const pod = comparingPod();
    expect(converse(pod, holderOf(1, uploads)).map((page) => page.uploads.length)).toEqual([256, 256, 88]);
    expect([...pod.state.entries.keys()]).toEqual(uploads.map(({ uploadId }) => uploadId));
  });

  test("with a pod that has not replayed is answered that it has not", () => {
    for (const question of [
      compareMessage,
      { ...compareMessage, type: "pod.index", buckets: [1], after: 0 },
    ]) {
      const [said] = startedPod(1).hear("p0", question as PodMessage) as {
        message: { isReplayed: boolean };
      }[];
      expect(said?.message.isReplayed).toBe(false);
    }
  });

  test("reports uploads that the pod lacks, which the pod then answers as known", () => {
    const pod = settledPod(0, [loggedOf(shardOf(uploadOf(1), 0))], [], [uploadOf(1), upload]);
    expect([...pod.state.entries.values()].map(({ state }) => state)).toEqual(["durable", "known"]);
    const find = { type: "pod.find", requestId: 1, bucket: "photos", key: "cat", isEager: false } as const;
    expect(messagesOf(pod.hear("c0", find), "coordinator.found")[0]?.message.versions[0]).toEqual({
      upload,
      holds: "known",
      isCommitted: false,
    });
  });

  test("omits the upload of a shard that the pod has dropped since", () => {
    const pod = settledPod(0, [loggedOf(shardOf(upload, 0))]);
    const proof = { type: "refused", by: [1, 2] } as const;
    pod.hear("c0", { type: "pod.discard", upload, proof });
    expect(
      messagesOf(pod.hear("p1", { ...compareMessage, from: 1 }), "pod.digests")[0]?.message.digests,
    ).toEqual([]);
  });
});

describe("a peer's answer about its index", () => {
  const digests = digestsOf(1, [upload]);
  const page = indexPageOf(1, [upload]);

  test.each([
    ["digests of a peer that has not replayed itself", { ...digests, isReplayed: false }],
    ["digests asked for by an earlier boot", { ...digests, bootId: 0 }],
    ["a page that was not requested", page],
  ])("%s: does not count, and changes nothing", (_what, message) => {
    const pod = comparingPod();
    const before = snapshotOf(pod);
    expect(pod.hear("p1", message)).toEqual([]);
    expect(snapshotOf(pod)).toEqual(before);
  });

  test.each([
    ["a page of a peer that has not replayed itself", { ...page, isReplayed: false }],
    ["a page asked for by an earlier boot", { ...page, bootId: 0 }],
    ["a page that is not the next one", { ...page, after: 3 }],
    ["repeated digests", digests],
  ])("%s: does not count, and changes nothing", (_what, message) => {
    const pod = comparingPod();
    pod.hear("p1", digests);
    const before = snapshotOf(pod);
    expect(pod.hear("p1", message)).toEqual([]);
    expect(snapshotOf(pod)).toEqual(before);
  });

  test("counts once, despite duplicates", () => {
    const pod = comparingPod();
    for (const message of [digestsOf(1), digestsOf(1), indexPageOf(1), indexPageOf(1)])
      pod.hear("p1", message);
    expect(pod.state.lifecycle).toBe("comparing");
  });

  test("does not count before the pod has replayed: shards that it pulls later would seem to be missing", () => {
    const pod = startedPod();
    expect(pod.hear("p1", digests)).toEqual([]);
    expect(pod.hear("p1", page)).toEqual([]);
    expect(pod.state.entries.size).toBe(0);
  });

  test("that is incomplete is requested again from where it stopped", () => {
    const pod = comparingPod();
    pod.hear("p1", digests);
    const question = messagesOf(pod.take({ type: "timer", key: "settle" }), "pod.index");
    expect(question.map(({ to }) => to)).toEqual(["p1"]);
    expect(addresseesOf(pod.take({ type: "timer", key: "settle" }), "pod.compare")).toEqual(["p2"]);
  });

  test.each(["pod.digests", "pod.indexPage"])("in another boot (%s) restarts the comparison", (type) => {
    const pod = comparingPod();
    pod.hear("p1", digests);
    const again = pod.hear("p1", {
      ...(type === "pod.digests" ? digests : page),
      fromBootId: 2,
    } as PodMessage);
    if (type === "pod.indexPage") expect(again).toEqual([send("p1", compareMessage)]);
    else expect(messagesOf(again, "pod.index")).toHaveLength(1);
    expect(pod.state.comparisons.get(1)?.peerBootId).toBe(type === "pod.digests" ? 2 : undefined);
    expect(pod.state.entries.size).toBe(0);
  });
});
