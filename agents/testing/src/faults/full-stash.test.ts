import { randomBytes } from "node:crypto";
import { CreateBucketCommand, GetObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { postFault } from "../harness/drive-faults.ts";
import { uploadPath } from "../harness/upload-path.ts";
import { useVault } from "../harness/use-vault.ts";
import { repeatUntil, until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const WITHIN_MS = 120_000;
const used = useVault({
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 12 },
  // A segment has space for one shard, so a few uploads between two flushes fill the stash on slow machines, too.
  stashVolume: { segmentBytes: MIB, segmentCount: 6 },
});

test("uploads take the direct path while the stash is full, and the stash again when it has drained", async () => {
  const { vault, s3 } = used;
  const bucket = "full";
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const bodies = new Map<string, Buffer>();
  const upload = async (sizeBytes = MIB): Promise<string | null> => {
    const key = `${bodies.size}`;
    const body = randomBytes(sizeBytes);
    bodies.set(key, body);
    return await uploadPath(vault, { bucket, key, body });
  };
  await until("uploads take the stash", async () => (await upload()) === "stash", WITHIN_MS);
  let path: string | null = "stash";
  const isFull = async () => {
    // On a busy machine the stash's patience may end before it is full; filling continues when it is used again.
    path = await upload(path === "stash" ? MIB : 1000);
    const drives = await vault.drives("stash");
    return path === "direct" && drives.some(({ refusals }) => (refusals["append while full"] ?? 0) > 0);
  };
  await repeatUntil("the stash is full", isFull, WITHIN_MS, () => vault.drives("stash"));
  await vault.drained();
  // Devices that refused are skipped for a while; the uploads meanwhile are small, because pods are small here too.
  await until("uploads take the stash again", async () => (await upload(1000)) === "stash", WITHIN_MS);
  for (const [Key, body] of bodies) {
    const got = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    expect((await readBody(got.Body)).equals(body)).toBe(true);
  }
});

test("a vault that was started without --drill refuses drive faults", async () => {
  const answer = await postFault(used.vault, "s0", { address: "s0", fault: "eio" });
  expect(answer).toMatchObject({ status: 403, text: expect.stringContaining("--drill") });
});
