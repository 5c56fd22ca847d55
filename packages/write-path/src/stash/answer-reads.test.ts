import { expect, test } from "vitest";
import type { Shard } from "../shard.ts";
import {
  appended,
  loggedOf,
  messagesOf,
  send,
  servingStash,
  shardOf,
  stashAppendOf,
  uploadIdOf,
  uploadOf,
} from "../testing/index.ts";

const cat = uploadOf(1);
const newerCat = uploadOf(2);
const dog = uploadOf(3, { key: "dog" });
const elsewhere = uploadOf(4, { bucket: "texts" });

/** A device that keeps shard 1 of four uploads while a fifth is still being written. */
function stashOf() {
  const stash = servingStash([cat, newerCat, dog, elsewhere].map((upload) => loggedOf(shardOf(upload, 1))));
  const writing = shardOf(uploadOf(5), 2);
  stash.hear("c0", stashAppendOf(writing));
  return { stash, writing };
}

test("a stash device reports only shards that are durable on it", () => {
  const { stash, writing } = stashOf();
  const find = { type: "stash.find", requestId: 9, bucket: "photos", key: "cat" } as const;
  const probe = { type: "stash.probe", requestId: 9, uploadId: writing.upload.uploadId } as const;
  const load = { type: "stash.load", requestId: 9, uploadId: writing.upload.uploadId } as const;
  expect(stash.hear("c3", find)).toEqual([
    send("c3", { type: "coordinator.stashFound", requestId: 9, deviceId: 0, uploads: [cat, newerCat] }),
  ]);
  expect(stash.hear("c3", probe)).toMatchObject([{ to: "c3", message: { shardIndices: [] } }]);
  expect(stash.hear("c3", load)).toEqual([
    send("c3", { type: "coordinator.loaded", requestId: 9, from: "s0", shards: [], missingReason: null }),
  ]);
  stash.take(appended(writing));
  expect(stash.hear("c3", find)).toMatchObject([{ message: { uploads: [cat, newerCat, writing.upload] } }]);
  expect(stash.hear("c3", probe)).toMatchObject([{ message: { shardIndices: [2] } }]);
  expect(stash.hear("c3", load)).toMatchObject([{ type: "load" }]);
});

test("a missing shard is reported as missing", () => {
  const { stash } = stashOf();
  expect(stash.hear("c0", { type: "stash.find", requestId: 1, bucket: "photos", key: "cow" })).toMatchObject([
    { message: { uploads: [] } },
  ]);
  expect(stash.hear("c0", { type: "stash.probe", requestId: 1, uploadId: uploadIdOf(77) })).toMatchObject([
    { message: { shardIndices: [] } },
  ]);
});

test("shards of one upload are read together, and answered when the last has been read", () => {
  const shards = [1, 2].map((shardIndex) => shardOf(cat, shardIndex));
  const stash = servingStash(shards.map(loggedOf));
  const loads = stash.hear("c0", { type: "stash.load", requestId: 4, uploadId: cat.uploadId });
  const [first, second] = loads as { loadId: number }[];
  const readOf = (shard: Shard | undefined) => ({ type: "shard", shard: shard as Shard }) as const;
  const answer = {
    type: "coordinator.loaded",
    requestId: 4,
    from: "s0",
    shards,
    missingReason: null,
  } as const;
  expect(stash.take({ type: "loaded", loadId: first?.loadId ?? 0, read: readOf(shards[0]) })).toEqual([]);
  expect(stash.take({ type: "loaded", loadId: second?.loadId ?? 0, read: readOf(shards[1]) })).toEqual([
    send("c0", answer),
  ]);
});

test("a device lists page by page through the keys of one bucket with one prefix, with all versions of each", () => {
  const keys = ["a/1", "a/2", "a/3", "b/1"];
  const uploads = keys.map((key, index) => uploadOf(index + 10, { key }));
  const versions = [...uploads, uploadOf(20, { key: "a/2" }), elsewhere];
  const stash = servingStash(versions.map((upload) => loggedOf(shardOf(upload, 0))));
  const pages: string[][] = [];
  for (let after: string | null = ""; after !== null; ) {
    const said = stash.hear("c0", {
      type: "stash.list",
      requestId: 1,
      bucket: "photos",
      prefix: "a/",
      after,
      keyCountMax: 2,
    });
    const page = messagesOf(said, "coordinator.stashListed")[0]?.message;
    pages.push(page?.uploads.map(({ uploadId }) => uploadId) ?? []);
    after = page?.truncatedAfter ?? null;
  }
  expect(pages).toEqual([[10, 11, 20].map(uploadIdOf), [12].map(uploadIdOf)]);
});
