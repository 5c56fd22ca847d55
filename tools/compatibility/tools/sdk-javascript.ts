import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { Tool } from "../tool.ts";
import { createBucket, createClient, removeBucket } from "./bucket.ts";

const PART_BYTES = 5 * 1_048_576;

export const sdkJavascript: Tool = {
  id: "sdk-javascript",
  name: "AWS SDK for JavaScript",
  source: { kind: "npm" },
  isQuick: true,
  job: "uploads in parts, lists, deletes what is gone, downloads, a copy, a conditional write",
  workaround: null,
  version: async () => createRequire(import.meta.url)("@aws-sdk/client-s3/package.json").version,
  async run({ vault, bucket, files, scratch, changeFiles, compareFiles }) {
    const client = createClient(vault);
    await createBucket(vault, bucket);
    await upload(client, bucket, files);
    await changeFiles();
    await upload(client, bucket, files);
    const restored = join(scratch, "restored");
    for (const key of await listKeys(client, bucket)) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      await mkdir(dirname(join(restored, key)), { recursive: true });
      await writeFile(join(restored, key), (await Body?.transformToByteArray()) ?? "");
    }
    await compareFiles(restored);
    await copyAndRefuse(client, bucket);
    await removeBucket(vault, bucket);
    client.destroy();
  },
};

async function upload(client: S3Client, bucket: string, files: string): Promise<void> {
  const entries = await readdir(files, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const keys = paths.map((path) => relative(files, path));
  for (const [i, path] of paths.entries()) {
    const target = { Bucket: bucket, Key: keys[i] as string };
    if ((await stat(path)).size <= PART_BYTES) {
      await client.send(new PutObjectCommand({ ...target, Body: await readFile(path) }));
    } else {
      const params = { ...target, Body: createReadStream(path) };
      await new Upload({ client, params, partSize: PART_BYTES }).done();
    }
  }
  for (const key of await listKeys(client, bucket)) {
    if (!keys.includes(key)) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  }
}

async function listKeys(client: S3Client, bucket: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client, pageSize: 50 }, { Bucket: bucket })) {
    keys.push(...Contents.map(({ Key = "" }) => Key));
  }
  return keys;
}

async function copyAndRefuse(client: S3Client, Bucket: string): Promise<void> {
  const CopySource = encodeURIComponent(`${Bucket}/middle/1`);
  await client.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource }));
  const again = client.send(new PutObjectCommand({ Bucket, Key: "copy", Body: "x", IfNoneMatch: "*" }));
  await assert.rejects(again, { name: "PreconditionFailed" });
}
