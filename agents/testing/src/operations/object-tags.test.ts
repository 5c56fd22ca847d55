/** Tests tags of objects on real drives: as durable as the objects, and never mixed with another put's metadata. */
import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type Tag,
} from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";

const MIB = 1_048_576;
const Bucket = "tagged";
const used = useVault({ processes: "one", podVolume: { segmentBytes: 8 * MIB, segmentCount: 10 } });
const bodies = new Map([
  ["empty", Buffer.alloc(0)],
  ["small", randomBytes(1000)],
  ["one piece", randomBytes(MIB + 1)],
  ["several pieces", randomBytes(5 * MIB)],
]);

beforeAll(() => used.s3.send(new CreateBucketCommand({ Bucket })));

function tag(Key: string, ...pairs: readonly string[]): Promise<unknown> {
  const TagSet = pairs.map((name): Tag => ({ Key: name, Value: `value of ${name}` }));
  return used.s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet } }));
}

async function tagNames(Key: string): Promise<(string | undefined)[]> {
  const { TagSet = [] } = await used.s3.send(new GetObjectTaggingCommand({ Bucket, Key }));
  return TagSet.map((each) => each.Key);
}

async function describeObject(Key: string) {
  const { ETag, LastModified, Metadata } = await used.s3.send(new HeadObjectCommand({ Bucket, Key }));
  return { ETag, LastModified, Metadata };
}

test("acknowledged tags survive kill -9, with the same ETag, time and bytes", async () => {
  const { vault, s3 } = used;
  const before = new Map<string, object>();
  for (const [Key, Body] of bodies) {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body, Tagging: "first=1", Metadata: { by: "test" } }));
    before.set(Key, await describeObject(Key));
  }
  await Promise.all([...bodies.keys()].map((key) => tag(key, "second", "ü=/")));
  await vault.kill(vault.nodeIds.slice(0, 1));
  vault.start(vault.nodeIds);
  await vault.ready();
  for (const [Key, body] of bodies) {
    expect([Key, await tagNames(Key), await describeObject(Key)]).toEqual([
      Key,
      ["second", "ü=/"],
      before.get(Key),
    ]);
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect((await readBody(Body)).equals(body)).toBe(true);
    await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key }));
    expect([await tagNames(Key), await describeObject(Key)]).toEqual([[], before.get(Key)]);
  }
});

test("puts of the same bytes during replacements of tags all keep their own metadata", async () => {
  const Key = "contested";
  const put = (round: number) =>
    used.s3.send(new PutObjectCommand({ Bucket, Key, Body: "the same", Metadata: { round: String(round) } }));
  await put(0);
  let isOver = false;
  const tagging = Array.from({ length: 3 }, async (_, at) => {
    for (let round = 0; !isOver; round += 1) {
      await tag(Key, `t${at}-${round}`).catch((error: Error) => {
        expect(error.name).toBe("ConditionalRequestConflict");
      });
    }
  });
  for (let round = 1; round <= 40; round += 1) {
    await put(round);
    expect((await describeObject(Key)).Metadata).toEqual({ round: String(round) });
  }
  isOver = true;
  await Promise.all(tagging);
  await tag(Key, "last");
  expect([await tagNames(Key), (await describeObject(Key)).Metadata]).toEqual([["last"], { round: "40" }]);
});
