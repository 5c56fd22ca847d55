/** Lifecycle rules on real drives that are edited during a pass, and clocks that step around an expiry. */
import {
  CreateBucketCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { useFileFaults } from "../harness/faults/file-faults.ts";
import { useVault } from "../harness/use-vault.ts";
import { repeatUntil, until } from "../harness/wait-until.ts";

const Bucket = "changes";
const WITHIN_MS = 240_000;
const DAY_MS = 86_400_000;
/** A pass deletes in pages of 500 keys, and rests after each. */
const PAGED_COUNT = 1100;
const CLIENT_COUNT = 20;

const faults = useFileFaults("lifecycle rules while a clock is set");
const used = useVault({
  env: faults?.env ?? {},
  amend: (file) => ({ ...file, lifecycle: { everyMs: 3000 } }),
});

beforeAll(() => used.s3.send(new CreateBucketCommand({ Bucket })));

async function put(...keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += CLIENT_COUNT) {
    const some = keys.slice(at, at + CLIENT_COUNT);
    await Promise.all(
      some.map((Key) => used.s3.send(new PutObjectCommand({ Bucket, Key, Body: "expires" }))),
    );
  }
}

async function listKeys(Prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client: used.s3 }, { Bucket, Prefix }))
    keys.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
  return keys;
}

/** Replaces the rules, so that each prefix expires on its date. */
async function expire(dates: Readonly<Record<string, Date>>): Promise<void> {
  const Rules = Object.entries(dates).map(([Prefix, date]) => ({
    ID: Prefix,
    Filter: { Prefix },
    Status: "Enabled" as const,
    Expiration: { Date: date },
  }));
  const LifecycleConfiguration = { Rules };
  await used.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
}

const PAST = new Date("2020-01-01T00:00:00Z");

let sentinelCount = 0;

/** Resolves when a pass has processed everything in the bucket, under these rules and one more. */
async function nextPass(dates: Readonly<Record<string, Date>>): Promise<void> {
  // Stored last and sorted last, so every other key comes before it.
  const sentinel = `zz-${++sentinelCount}`;
  await expire({ ...dates, [sentinel]: PAST });
  await put(sentinel);
  await until("a pass has come to the end", async () => (await listKeys(sentinel)).length === 0, WITHIN_MS);
}

test("a rule edited during a pass applies as edited to the later pages of that pass", {
  timeout: 4 * WITHIN_MS,
}, async () => {
  const editedDuringPass = async () => {
    await put(...Array.from({ length: PAGED_COUNT }, (_, at) => `edited/${String(at).padStart(5, "0")}`));
    await expire({ "edited/": PAST });
    await repeatUntil(
      "a pass deletes",
      async () => (await listKeys("edited/")).length < PAGED_COUNT,
      WITHIN_MS,
    );
    await nextPass({ "other/": PAST });
    const keys = await listKeys("edited/");
    return keys.length > 0 && keys;
  };
  // A client that is slower than the pass comes too late, and tries again.
  const left = await until("an edit comes before the end of a pass", editedDuringPass, 2 * WITHIN_MS);
  await nextPass({ "other/": PAST });
  expect(await listKeys("edited/")).toEqual(left);
  await nextPass({ "edited/": PAST });
  expect(await listKeys("edited/")).toEqual([]);
});

describe.skipIf(faults === null)("an object that expires tomorrow", () => {
  const tomorrow = new Date(Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS);
  const dates = { "tomorrow/": tomorrow };
  afterEach(() => setClock(0));

  /** Resolves when the client, which derives its time from the Date of answers, has followed. */
  async function setClock(aheadMs: number): Promise<void> {
    faults?.stepClock(aheadMs);
    const isSo = () =>
      used.s3.send(new HeadBucketCommand({ Bucket })).then(
        () => true,
        () => false,
      );
    await until("the client signs with the vault's time", isSo, WITHIN_MS);
  }

  test("stays while the clock is set past its expiry and back", { timeout: 3 * WITHIN_MS }, async () => {
    await put("tomorrow/a");
    for (const aheadMs of [3 * DAY_MS, 0, -3 * DAY_MS, 3 * DAY_MS, 0]) {
      await setClock(aheadMs);
      await nextPass(dates);
      expect(await listKeys("tomorrow/")).toEqual(["tomorrow/a"]);
    }
  });

  test("is deleted by agents that start after its expiry", { timeout: 2 * WITHIN_MS }, async () => {
    const { vault } = used;
    await setClock(3 * DAY_MS);
    await vault.end(vault.nodeIds, "SIGTERM");
    vault.start(vault.nodeIds);
    await vault.ready();
    // The first pass may begin before the agents have agreed on the time.
    const isDeleted = async () => {
      await nextPass(dates);
      return (await listKeys("tomorrow/")).length === 0;
    };
    await until("a pass deletes the object", isDeleted, WITHIN_MS);
  });
});
