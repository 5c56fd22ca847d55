/** Several processes of a vault of 4+2 are killed together, up to all of them, while clients write and read. */
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { Load } from "../harness/load.ts";
import { until } from "../harness/until.ts";
import { uploadPath } from "../harness/upload-path.ts";
import { useVault } from "../harness/use-vault.ts";

const used = useVault({
  scheme: { dataShardCount: 4, parityShardCount: 2 },
  podNodeCount: 6,
  stashNodeCount: 6,
  processes: "one a node",
});
const bucket = "crashes";
const [firstPod, secondPod] = ["pod-1", "pod-4"];
const [firstStash, secondStash] = ["stash-2", "stash-5"];
let load: Load;

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  load = new Load({ s3: used.s3, bucket });
  load.start();
  await load.progress(30);
});

const tryUpload = (Key: string) => used.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));
const pathOfUpload = () => uploadPath(used.vault, { bucket, key: "others/path", body: Buffer.from("path") });

test("the whole vault killed under load comes back with all that was acknowledged", async () => {
  const { vault } = used;
  await vault.kill();
  await load.stop();
  vault.start(vault.nodeIds);
  await vault.ready();
  expect(await load.verify()).toEqual([]);
});

test("with one stash server dead uploads still take the stash, with two the direct path, and then the stash again", async () => {
  const { vault } = used;
  await until("uploads take the stash", async () => (await pathOfUpload()) === "stash", 20_000);
  load.start();
  await vault.kill([firstStash]);
  await load.progress(20);
  await until("uploads take the stash", async () => (await pathOfUpload()) === "stash", 20_000);
  await vault.kill([secondStash]);
  await until("uploads take the direct path", async () => (await pathOfUpload()) === "direct", 20_000);
  await load.progress(20);
  vault.start([firstStash, secondStash]);
  await vault.ready();
  await until("uploads take the stash", async () => (await pathOfUpload()) === "stash", 20_000);
  await load.stop();
  expect(await load.verify()).toEqual([]);
});

test("with as many pods dead as the scheme spares all is read, and uploads are told to come again", async () => {
  const { vault } = used;
  load.start();
  await vault.kill([firstPod]);
  await load.progress(20);
  await load.stop();
  await vault.kill([secondPod]);
  const [complaints, refusal] = await Promise.all([
    load.verify(),
    tryUpload("others/refused").catch((error: unknown) => error),
  ]);
  expect(complaints).toEqual([]);
  expect(refusal).toMatchObject({ name: "SlowDown", $metadata: { httpStatusCode: 503 } });
  vault.start([firstPod, secondPod]);
  await vault.ready();
  await tryUpload("others/taken");
  expect(await load.verify()).toEqual([]);
});

test("after a power cut that one stash server does not survive all is read, and the stash drains once it is back", async () => {
  const { vault } = used;
  load.start();
  await load.progress(30);
  await vault.kill();
  await load.stop();
  vault.start(vault.nodeIds.filter((id) => id !== firstStash));
  expect(await load.verify()).toEqual([]);
  vault.start([firstStash]);
  await vault.ready();
  await tryUpload("others/taken");
  await vault.drained();
  expect(await load.verify()).toEqual([]);
});
