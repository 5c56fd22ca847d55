/** A full vault behind an endpoint is skipped, reported as full, and gets new keys again once it has space. */
import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { outcomeName, readBody } from "../harness/client.ts";
import { VaultPair } from "../harness/vault-pair.ts";
import { repeatUntil, until } from "../harness/wait-until.ts";

const Bucket = "photos";
const WITHIN_MS = 90_000;
const BODY_BYTES = 5 * 1_048_576;
/** Fills the last space. A refused body leaves shards that are deleted later, so they must not be many. */
const SMALL_BODY_BYTES = 100_000;
/** Half the share of free space at which a vault gets no new keys, so that what refused bodies left does not matter. */
const FULL_BELOW_SHARE = 0.01;

let pair: VaultPair;

beforeAll(async () => {
  // Short, because deletions must free space before the test ends.
  pair = await VaultPair.create({ amend: (file) => ({ ...file, collection: { graceMs: 1000 } }) });
  await pair.startFirst();
}, WITHIN_MS);
afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(pair.output());
});
afterAll(async () => {
  await pair.close();
});

const answers: string[] = [];
const lately = () => answers.slice(-5);
const answer = async (request: Promise<unknown>): Promise<string> => {
  const name = await outcomeName(request);
  answers.push(name);
  return name;
};
const put = (Key: string, bytes = BODY_BYTES) =>
  answer(pair.impatient.send(new PutObjectCommand({ Bucket, Key, Body: randomBytes(bytes) })));
/** A vault on a busy machine may also answer SlowDown. */
const done = (what: string, request: () => Promise<string>) =>
  until(what, async () => (await request()) === "done", WITHIN_MS, lately);

const metricsOfFirst = async () => (await pair.first.askAdmin("coordinator-1", "/metrics"))?.text ?? "";
const untilTold = (state: string) =>
  until(
    `the first vault is told to be ${state}`,
    async () =>
      (await metricsOfFirst()).includes(
        `stashlight_endpoint_vault_info{endpoint="first",state="${state}"} 1`,
      ),
    WITHIN_MS,
    metricsOfFirst,
  );

test("a full vault is skipped once the endpoint has another, and is used again once it has space", {
  timeout: 5 * WITHIN_MS,
}, async () => {
  await done("a bucket is created", () => answer(pair.impatient.send(new CreateBucketCommand({ Bucket }))));
  const keys: string[] = [];
  /** Clients are asked to retry, because the unreachable vault may have space. */
  const isFull = async () => {
    const [first] = (await pair.status())?.vaults ?? [];
    if (first === undefined) return false;
    if (first.freeBytes < FULL_BELOW_SHARE * first.capacityBytes) return true;
    keys.push(`old-${keys.length}`);
    await put(keys.at(-1) as string, first.freeBytes >= 2 * BODY_BYTES ? BODY_BYTES : SMALL_BODY_BYTES);
    return false;
  };
  await repeatUntil("the first vault is full", isFull, WITHIN_MS, lately);
  await pair.startSecond();
  await pair.untilOpen(["second"]);
  await untilTold("full");
  for (const key of ["new-1", "new-2", "new-3"]) await done(`${key} is stored`, () => put(key));
  const { Body } = await pair.s3.send(new GetObjectCommand({ Bucket, Key: "old-0" }));
  expect(await readBody(Body)).toHaveLength(BODY_BYTES);
  for (const Key of keys) {
    await done(`${Key} is deleted`, () =>
      answer(pair.impatient.send(new DeleteObjectCommand({ Bucket, Key }))),
    );
  }
  await pair.untilOpen(["first", "second"]);
  await untilTold("open");
});
