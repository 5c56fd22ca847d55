/** Stash servers are killed under load, one of them together with a power cut for all others. */
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { WITHOUT_RETRIES } from "../harness/client.ts";
import { Load, PAUSE_BEFORE_CRASHES_MS as pauseMs } from "../harness/load-clients.ts";
import { uploadPath } from "../harness/upload-path.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault(
  {
    scheme: { dataShardCount: 3, parityShardCount: 2 },
    podNodeCount: 1,
    stashNodeCount: 5,
    processes: "one a node",
  },
  WITHOUT_RETRIES,
);
const bucket = "crashes";
let load: Load;

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  load = new Load({ s3: used.s3, bucket, concurrency: 3, pauseMs });
});

function uploadsTake(path: "stash" | "direct"): Promise<unknown> {
  const upload = () => uploadPath(used.vault, { bucket, key: "others/path", body: Buffer.from("path") });
  return until(`uploads take the ${path} path`, async () => (await upload()) === path, 30_000);
}

test("uploads still use the stash with one server dead, the direct path with two, and the stash again later", async () => {
  const { vault } = used;
  load.start();
  await load.progress(20);
  await vault.kill(["stash-2"]);
  await load.progress(20);
  await uploadsTake("stash");
  await vault.kill(["stash-5"]);
  await uploadsTake("direct");
  await load.progress(20);
  vault.start(["stash-2", "stash-5"]);
  await vault.ready();
  await uploadsTake("stash");
  await load.stop();
  expect(await load.verify()).toEqual([]);
});

// Pods wait for that server for a minute before they can decide the outcome of an interrupted upload.
const LOST_SERVER_MS = 240_000;

test("after a power cut that one stash server does not survive, every object is readable, and the stash drains once it is back", {
  timeout: LOST_SERVER_MS,
}, async () => {
  const { vault, s3 } = used;
  load.start();
  await load.progress(30);
  await vault.kill();
  await load.stop();
  vault.start(vault.nodeIds.filter((id) => id !== "stash-3"));
  expect(await load.verify({ rewritesUndecided: true })).toEqual([]);
  vault.start(["stash-3"]);
  await vault.ready();
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: "others/taken", Body: "taken" }));
  await vault.drained();
  expect(await load.verify()).toEqual([]);
});
