/** Two vaults behind one endpoint, each on a machine of its own: no upload fails while the machine of the second is away. */
import { createHash } from "node:crypto";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { randomBody } from "../harness/ledger.ts";
import { Load, type ObservedRequest, PAUSE_BEFORE_CRASHES_MS as pauseMs } from "../harness/load-clients.ts";
import { VaultPair } from "../harness/vault-pair.ts";
import { until } from "../harness/wait-until.ts";

const Bucket = "photos";
const WITHIN_MS = 120_000;
/** Small enough for one vault alone to hold everything that is uploaded while the other is away. */
const BODY_BYTES = 20_000;

let pair: VaultPair;

beforeAll(async () => {
  pair = await VaultPair.create();
  await pair.startFirst();
  await pair.startSecond();
  await pair.untilOpen(["first", "second"]);
  await until(
    "a bucket is created",
    async () => {
      const made = pair.s3.send(new CreateBucketCommand({ Bucket }));
      return await made.then(
        () => true,
        (error: Error) => error.name === "BucketAlreadyOwnedByYou",
      );
    },
    WITHIN_MS,
  );
}, WITHIN_MS);
afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(pair.output());
});
afterAll(async () => {
  await pair.close();
});

test("an upload whose vault went away waits until another vault takes its key", {
  timeout: 3 * WITHIN_MS,
}, async () => {
  const requests: ObservedRequest[] = [];
  const observe = (seen: ObservedRequest) => void requests.push(seen);
  const makeBody = (key: string, serial: number) =>
    randomBody(createHash("sha256").update(`${key} ${serial}`).digest(), BODY_BYTES);
  const load = new Load({
    s3: pair.impatient,
    bucket: Bucket,
    concurrency: 4,
    keysPerClient: 5,
    pauseMs,
    uploadsOnly: true,
    observe,
    makeBody,
  });
  load.start();
  await load.progress(40);
  await pair.second.kill();
  await pair.untilOpen(["first"]);
  await load.progress(40);
  await pair.startSecond();
  await pair.untilOpen(["first", "second"]);
  await load.progress(40);
  await load.stop();
  expect(requests.filter(({ outcome }) => outcome !== "done")).toEqual([]);
  expect(await load.verify()).toEqual([]);
});
