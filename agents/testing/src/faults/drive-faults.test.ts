/**
 * Drives fail, fill up, hang or are slow while clients write and read; the rest keeps working, and the drives come
 * back.
 */
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createClient, type S3Client, WITHOUT_RETRIES } from "../harness/client.ts";
import { type Fault, postFault, reportedFailed, reportedWell, setFault } from "../harness/drive-faults.ts";
import { Load } from "../harness/load-clients.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault({
  scheme: { dataShardCount: 4, parityShardCount: 2 },
  podNodeCount: 2,
  stashNodeCount: 6,
  args: ["--drill"],
  // Each test waits until the drives that it made fail are open again.
  amend: (file) => ({ ...file, reopenAfterMsMax: 1000 }),
});
const bucket = "faults";
let impatient: S3Client;
let load: Load;

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  impatient = createClient(used.vault, WITHOUT_RETRIES);
  load = new Load({ s3: impatient, bucket, concurrency: 2 });
});
afterAll(() => impatient?.destroy());
beforeEach(() => load.start());
afterEach(() => load.stop());

const MISSED_WITHIN_MS = 120_000;

/** Number of uploads that were begun and have ended, successfully or not. */
async function attemptCount(): Promise<number> {
  const answer = await used.vault.askAdmin("coordinator-1", "/traces");
  return (JSON.parse(answer?.text ?? "") as { finishedCount: number }).finishedCount;
}

const addresses = (all: readonly (readonly [string, Fault])[]) => all.map(([address]) => address);

// Must run before the tests that leave shards to rebuild, because two missing pods are the maximum.
test("while two pods hang, an upload is asked to retry at once, and stored objects are read", async () => {
  const { vault } = used;
  await load.progress(10);
  await load.stop();
  const hanging = [
    ["p0", "hang"],
    ["p1", "hang"],
  ] as const;
  for (const [address, fault] of hanging) await setFault(vault, address, fault);
  const isMissed = async () => (await vault.health("coordinator-1"))?.settledPodCount === 4;
  await until("two pods are missed", isMissed, MISSED_WITHIN_MS, () => vault.health("coordinator-1"));
  const traces = await attemptCount();
  const refused = impatient.send(new PutObjectCommand({ Bucket: bucket, Key: "refused", Body: "none" }));
  await expect(refused).rejects.toMatchObject({ name: "SlowDown", $metadata: { httpStatusCode: 503 } });
  // Nothing was sent to any pod or stash device, and no deadline passed.
  expect(await attemptCount()).toBe(traces);
  expect(await load.verify()).toEqual([]);
  for (const address of addresses(hanging)) await setFault(vault, address, "none");
  for (const address of addresses(hanging)) await reportedWell(vault, address);
});

test.each([
  ["a stash device whose syncs fail", [["s0", "eio"]]],
  ["a stash device that is full to the last byte", [["s1", "enospc"]]],
  ["a pod whose syncs fail", [["p0", "eio"]]],
  ["a pod that is full to the last byte", [["p1", "enospc"]]],
  [
    "a stash device and a pod that hang",
    [
      ["s2", "hang"],
      ["p2", "hang"],
    ],
  ],
] as const)(
  "with %s, each such drive is reported failed, spares the others, and comes back after the fault",
  async (_, faults) => {
    const { vault } = used;
    for (const [address, fault] of faults) await setFault(vault, address, fault);
    for (const address of addresses(faults)) expect(await reportedFailed(vault, address)).not.toBe("");
    await load.progress(20);
    await load.stop();
    expect(await load.verify()).toEqual([]);
    load.start();
    for (const address of addresses(faults)) await setFault(vault, address, "none");
    for (const address of addresses(faults)) await reportedWell(vault, address);
    await load.progress(20);
    await load.stop();
    expect(await load.verify()).toEqual([]);
  },
);

test("a pod whose reads fail is closed with that reason, everything is still read, and it comes back", async () => {
  const { vault, s3 } = used;
  // More places than the budget of failed reads allows.
  const keys = Array.from({ length: 40 }, (_, number) => `place-${number}`);
  const body = (key: string): string => key.padEnd(300_000, "x");
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: body(Key) }));
  const readAll = async (): Promise<void> => {
    const left = [...keys];
    const reader = async (): Promise<void> => {
      for (let Key = left.pop(); Key !== undefined; Key = left.pop()) {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
        expect(await Body?.transformToString()).toBe(body(Key));
      }
    };
    // A single reader would reach too few places in ten seconds on a slow machine.
    await Promise.all(Array.from({ length: 8 }, reader));
  };
  await load.stop();
  await vault.drained();
  await setFault(vault, "p0", "eio-reads");
  let isReading = true;
  const reading = (async () => {
    while (isReading) await readAll();
  })();
  const reason = await reportedFailed(vault, "p0").finally(() => {
    isReading = false;
  });
  expect(reason).toMatch(/^reads fail with EIO: 16 places in 10 s|cannot be read/);
  await reading;
  await setFault(vault, "p0", "none");
  await reportedWell(vault, "p0");
  await readAll();
  expect(await load.verify()).toEqual([]);
});

test("drives with garbled reads during their opening stay closed, and lose nothing", async () => {
  const { vault } = used;
  const pods = ["p0", "p1", "p2", "p3", "p4", "p5"];
  await load.progress(20);
  for (const pod of pods) await setFault(vault, pod, "eio");
  for (const pod of pods) await reportedFailed(vault, pod);
  await load.stop();
  for (const pod of pods) await setFault(vault, pod, "garbled-reads");
  for (const pod of pods) {
    const isRefused = async () => /returns different bytes/.test(await reportedFailed(vault, pod));
    await until(`${pod} is refused for what it reads`, isRefused, MISSED_WITHIN_MS, () =>
      reportedFailed(vault, pod),
    );
  }
  for (const pod of pods) await setFault(vault, pod, "none");
  for (const pod of pods) await reportedWell(vault, pod);
  expect(await load.verify()).toEqual([]);
});

test("clients make progress with a slow stash device, and everything drains in the end", async () => {
  const { vault } = used;
  await setFault(vault, "s3", "slow");
  await load.progress(30);
  await load.stop();
  await setFault(vault, "s3", "none");
  expect(await load.verify()).toEqual([]);
  await vault.drained();
  expect(await load.verify()).toEqual([]);
});

test.each([
  [{ address: "s0" }, 400, "fault"],
  [{ address: "s0", fault: "fire" }, 400, "eio"],
  [{ address: "s99", fault: "eio" }, 404, "s99"],
])("the invalid fault %j is refused with %i", async (body, status, word) => {
  const answer = await postFault(used.vault, "s0", body);
  expect(answer?.status).toBe(status);
  expect(answer?.text).toContain(word);
});
