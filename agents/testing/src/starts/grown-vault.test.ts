import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault();
const Bucket = "grows";

test("a vault with more segments in its file grows at the next start, even if killed midway, and keeps every object", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const bodies = new Map(Array.from({ length: 10 }, (_, i) => [`${i}`, randomBytes(300_000)]));
  for (const [Key, Body] of bodies) await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  const readSegments = async () => (await vault.drives("pod")).map(({ log }) => log?.segmentsTotal);
  expect(await readSegments()).toEqual([6, 6, 6]);
  await vault.kill();
  // The raw file, with the nodes' keys.
  const file = JSON.parse(readFileSync(vault.configPath, "utf8"));
  const podVolume = { ...file.podVolume, segmentCount: 9 };
  writeFileSync(vault.configPath, JSON.stringify({ ...file, podVolume }, null, 2));
  // Kills the pods before, while or after they create segments.
  vault.start(vault.nodeIdsOf("pod"));
  await vault.kill();
  vault.start(vault.nodeIds);
  await vault.ready();
  await until(
    "the pods have grown",
    async () => (await readSegments()).join() === "9,9,9",
    20_000,
    readSegments,
  );
  for (const [Key, body] of bodies) {
    const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect((await readBody(got.Body)).equals(body)).toBe(true);
  }
  await vault.drained();
});
