/** Pods are killed under load: first as many as the scheme tolerates, then everything. */
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, type S3Client, WITHOUT_RETRIES } from "../harness/client.ts";
import { Load, PAUSE_BEFORE_CRASHES_MS as pauseMs } from "../harness/load-clients.ts";
import { useVault } from "../harness/use-vault.ts";

const used = useVault({
  scheme: { dataShardCount: 3, parityShardCount: 2 },
  podNodeCount: 5,
  stashNodeCount: 1,
  drivesPerStashNode: 5,
  processes: "one a node",
});
let impatient: S3Client;
const bucket = "crashes";
let load: Load;

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  impatient = createClient(used.vault, WITHOUT_RETRIES);
  load = new Load({ s3: impatient, bucket, concurrency: 3, pauseMs });
});
afterAll(() => impatient?.destroy());

const upload = (s3: S3Client, Key: string) =>
  s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));

test("with as many pods dead as the scheme tolerates, every object is read and uploads are asked to retry", async () => {
  const { vault } = used;
  load.start();
  await load.progress(30);
  await vault.kill(["pod-1"]);
  await load.progress(20);
  await load.stop();
  await vault.kill(["pod-4"]);
  const refusal = { name: "SlowDown", $metadata: { httpStatusCode: 503 } };
  await expect(upload(impatient, "others/refused")).rejects.toMatchObject(refusal);
  expect(await load.verify()).toEqual([]);
  vault.start(["pod-1", "pod-4"]);
  await vault.ready();
  await upload(used.s3, "others/taken");
  expect(await load.verify()).toEqual([]);
});

test("a whole vault killed under load comes back with all acknowledged objects, and the stash drains", async () => {
  const { vault } = used;
  load.start();
  await load.progress(30);
  await vault.kill();
  await load.stop();
  vault.start(vault.nodeIds);
  expect(await load.verify()).toEqual([]);
  await vault.ready();
  await upload(used.s3, "others/taken");
  await vault.drained();
  expect(await load.verify()).toEqual([]);
});
