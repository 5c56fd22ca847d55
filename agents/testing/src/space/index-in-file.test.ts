/** A vault whose index is many times larger than the memory that its pods may use for it. */
import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { outcomeName, readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const Bucket = "many";
const WITHIN_MS = 240_000;
/** Most of an entry's bytes, so that few objects fill the memory several times. */
const Metadata = { note: "m".repeat(1500) };
const OBJECT_COUNT = 1600;
const AT_A_TIME = 16;
const FOLDER_COUNT = 40;
/** Pages that operations in progress may hold in addition to the limit. */
const SLACK_BYTES = 2 * MIB;

const used = useVault({
  args: ["--index-cache", "1"],
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 24 },
  amend: (file) => ({ ...file, collection: { graceMs: 1000 } }),
});

const bodyOf = (key: string) => `body of ${key}`;
/** In no order, as photographs and chunks of backups come. */
const keyAt = (number: number) => {
  const scattered = (Math.imul(number, 0x9e3779b1) >>> 0).toString(16);
  return `folder-${number % FOLDER_COUNT}/${scattered}-${"k".repeat(500)}`;
};

async function store(keys: readonly string[]): Promise<void> {
  const left = new Set(keys);
  const put = async (Key: string) => {
    const request = new PutObjectCommand({ Bucket, Key, Metadata, Body: bodyOf(Key) });
    if ((await outcomeName(used.s3.send(request))) === "done") left.delete(Key);
  };
  const isStored = async () => {
    await Promise.all([...left].map(put));
    return left.size === 0;
  };
  await until("some objects are stored", isStored, WITHIN_MS, () => left.size);
}

/** All keys and common prefixes, page by page. */
async function list(Delimiter?: string): Promise<string[]> {
  const names: string[] = [];
  for await (const page of paginateListObjectsV2({ client: used.s3, pageSize: 100 }, { Bucket, Delimiter })) {
    for (const { Key } of page.Contents ?? []) names.push(Key as string);
    for (const { Prefix } of page.CommonPrefixes ?? []) names.push(Prefix as string);
  }
  return names;
}

/** Entries move to pages once their shards are flushed. */
async function expectLimited(): Promise<void> {
  const readPages = async () => (await used.vault.drives("pod")).map(({ indexPages }) => indexPages);
  const areInFiles = async () => {
    const all = await readPages();
    return all.length > 0 && all.every((pages) => pages !== null && pages.fileBytes > 2 * MIB);
  };
  await until("most of each index is in its file", areInFiles, WITHIN_MS, readPages);
  for (const pages of await readPages()) {
    expect(pages?.error).toBeNull();
    expect(pages?.heldBytes).toBeLessThanOrEqual(MIB + SLACK_BYTES);
  }
}

test("an index larger than its memory serves reads, lists and deletes, also after its pods were killed", {
  timeout: 4 * WITHIN_MS,
}, async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket }));
  const keys = Array.from({ length: OBJECT_COUNT }, (_, number) => keyAt(number));
  for (let at = 0; at < keys.length; at += AT_A_TIME) await store(keys.slice(at, at + AT_A_TIME));
  await expectLimited();
  expect(await list()).toEqual([...keys].sort());
  const Delete = { Objects: keys.filter((_, at) => at % 3 === 0).map((Key) => ({ Key })), Quiet: true };
  const left = keys.filter((_, at) => at % 3 !== 0);
  await used.s3.send(new DeleteObjectsCommand({ Bucket, Delete }));

  const pods = used.vault.nodeIdsOf("pod");
  await used.vault.end(pods, "SIGKILL");
  used.vault.start(pods);
  await used.vault.ready();
  await expectLimited();
  expect(await list()).toEqual([...left].sort());
  expect(await list("/")).toHaveLength(FOLDER_COUNT);
  for (const Key of left.filter((_, at) => at % 50 === 0)) {
    const { Body } = await used.s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(String(await readBody(Body))).toBe(bodyOf(Key));
  }
});
