/**
 * A pod whose process has no memory for more entries refuses uploads and keeps working, however much space its drive
 * has.
 */
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterEach, expect, test } from "vitest";
import { createClient, outcomeName, readBody } from "../harness/client.ts";
import { isLong } from "../harness/long-run.ts";
import { startTestVault, type TestVault } from "../harness/vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const Bucket = "many";
const WITHIN_MS = 900_000;
/** Takes up most of an entry, so that thousands of objects fill a small heap. */
const LONG_NAME = "k".repeat(900);
const Metadata = { note: "m".repeat(1900) };
const AT_A_TIME = 32;
const keyAt = (number: number) => `${number}-${LONG_NAME}`;

let vault: TestVault | null = null;
afterEach(async () => {
  await vault?.close();
  vault = null;
});

test.runIf(isLong)(
  "a small heap is filled with objects, which are all read and deleted, and then holds others",
  {
    timeout: 3 * WITHIN_MS,
  },
  async () => {
    vault = await startTestVault({
      processes: "one a role",
      env: { NODE_OPTIONS: "--max-old-space-size=80" },
      podVolume: { segmentBytes: 8 * MIB, segmentCount: 24 },
      amend: (file) => ({ ...file, collection: { graceMs: 1000 } }),
    });
    const s3 = createClient(vault);
    await s3.send(new CreateBucketCommand({ Bucket }));
    const put = (Key: string) =>
      outcomeName(s3.send(new PutObjectCommand({ Bucket, Key, Metadata, Body: "x" })));
    const answers: string[] = [];
    const stored: string[] = [];
    const putSome = async (): Promise<boolean> => {
      const keys = Array.from({ length: AT_A_TIME }, (_, at) => keyAt(answers.length + at));
      const names = await Promise.all(keys.map(put));
      stored.push(...keys.filter((_, at) => names[at] === "done"));
      answers.push(...names);
      return names.every((name) => name === "InsufficientStorage");
    };
    await until("the index is full", putSome, WITHIN_MS, () => [stored.length, ...answers.slice(-5)]);
    expect(stored.length).toBeGreaterThan(1000);
    const [pod] = await vault.drives("pod");
    expect(pod?.index?.share).toBeGreaterThan(0.9);
    // The drive itself still has space for as many.
    expect(pod?.log?.dataBytesFree).toBeGreaterThan((pod?.log?.dataBytesMax ?? 0) / 2);

    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: stored[0] as string }));
    expect(String(await readBody(Body))).toBe("x");
    for (let at = 0; at < stored.length; at += AT_A_TIME) {
      const left = new Set(stored.slice(at, at + AT_A_TIME));
      await until(
        `objects from ${at} on are deleted`,
        async () => {
          const removals = [...left].map(async (Key) => {
            if ((await outcomeName(s3.send(new DeleteObjectCommand({ Bucket, Key })))) === "done")
              left.delete(Key);
          });
          await Promise.all(removals);
          return left.size === 0;
        },
        WITHIN_MS,
      );
    }
    await until("an upload is taken", async () => (await put("again")) === "done", WITHIN_MS);
  },
);
