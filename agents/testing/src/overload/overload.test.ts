/**
 * Sends several times the vault's capacity in uploads. A fixed delay on its pods' drives makes the capacity the same on
 * every machine: as many uploads as run at a time, in the time of a few slow writes.
 */
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { setFault } from "../harness/drive-faults.ts";
import { Flood } from "../harness/flood.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const KIB = 1024;
const modestKey = { id: "MODESTMODESTMODEST00", secret: "modest/secret+00000000000000000000000000" };
const used = useVault({
  args: ["--drill"],
  podVolume: { segmentBytes: 32 * KIB * KIB, segmentCount: 8 },
  stashVolume: { segmentBytes: 16 * KIB * KIB, segmentCount: 8 },
  amend: (file) => {
    const [key] = file.accessKeys;
    return key === undefined ? file : { ...file, accessKeys: [key, { ...key, ...modestKey }] };
  },
});
const bucket = "overload";
const bytes = 16 * KIB;
/** Four times the maximum number of running uploads. */
const CONNECTION_COUNT = 256;
const WITHIN_MS = 60_000;

beforeAll(async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  for (const Key of ["kept", "gone"]) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));
  for (const pod of ["p0", "p1", "p2"]) await setFault(vault, pod, "slow");
});

let flood: Flood;
beforeEach(() => {
  flood = new Flood(used.vault, { key: used.vault.key, bucket, bytes });
});

async function coordinator() {
  const [id = ""] = used.vault.nodeIdsOf("coordinator");
  const health = await used.vault.health(id);
  if (health === null) throw new Error("The coordinator does not answer.");
  return { held: health.heldBodyBytes ?? -1, waiting: health.waitingRequestCount ?? -1 };
}

/** Floods the vault, and runs `work` once the vault sheds requests. */
async function flooded(work: () => Promise<void>): Promise<void> {
  const running = flood.run(CONNECTION_COUNT);
  try {
    await until(
      "the vault sheds uploads",
      () => flood.count(503) >= 100,
      WITHIN_MS,
      () => flood.answers.length,
    );
    await work();
  } finally {
    flood.end();
    await running;
  }
}

test("every upload is stored or answered SlowDown, refusals come at once, and memory is released", async () => {
  const seen: Awaited<ReturnType<typeof coordinator>>[] = [];
  await flooded(async () => {
    await until(
      "many are stored and many are shed",
      async () => {
        seen.push(await coordinator());
        return flood.count(200) >= 200 && flood.count(503) >= 500;
      },
      WITHIN_MS,
      () => [flood.count(200), flood.count(503)],
    );
  });
  const shed = flood.answers.filter(({ status }) => status === 503);
  expect(flood.count(200) + shed.length).toBe(flood.answers.length);
  for (const { code, retryAfter } of shed) {
    expect(code).toBe("SlowDown");
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  }
  // A refused upload overtakes admitted ones that wait.
  const overtaking = shed.filter(({ overtakenCount }) => overtakenCount > 0);
  expect(overtaking.length).toBeGreaterThan(0.9 * shed.length);
  for (const { held, waiting } of seen) {
    expect(held).toBeLessThanOrEqual(CONNECTION_COUNT * bytes);
    expect(waiting).toBeLessThanOrEqual(CONNECTION_COUNT);
  }
  expect(await coordinator()).toEqual({ held: 0, waiting: 0 });
});

test("another access key, and reads, lists and deletions, are served during a flood", async () => {
  const { s3 } = used;
  await flooded(async () => {
    const modest = new Flood(used.vault, { key: modestKey, bucket, bytes });
    for (let i = 0; i < 20; i += 1) await modest.put(`modest/${i}`);
    // A stalling machine may shed any upload; without its own turn, the key would get one in four stored.
    expect(modest.count(200)).toBeGreaterThanOrEqual(14);
    const got = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: "kept" }));
    expect((await readBody(got.Body)).toString()).toBe("kept");
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: "kept" }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(["kept"]);
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: "gone" }));
    modest.end();
    await modest.run(0);
  });
  const gone = used.s3.send(new GetObjectCommand({ Bucket: bucket, Key: "gone" }));
  await expect(gone).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("a vault serves as before after a flood", async () => {
  await flooded(async () => {});
  const after = new Flood(used.vault, { key: used.vault.key, bucket, bytes });
  const { status } = await after.put("after");
  await after.run(0);
  expect(status).toBe(200);
});
