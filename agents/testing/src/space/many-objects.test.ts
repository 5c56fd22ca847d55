/** Pods hold more objects than the heap of their process has space for, because complete ones are packed outside of it. */
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
/** Most of an entry's bytes, so that a few thousand objects would fill the small heap. */
const LONG_NAME = "k".repeat(900);
const Metadata = { note: "m".repeat(1900) };
const AT_A_TIME = 32;
/** A pod's entries of these take 24 MB, and those of all pods of a process more than its heap. */
const OBJECT_COUNT = 8000;
const keyAt = (number: number) => `${number}-${LONG_NAME}`;

let vault: TestVault | null = null;
afterEach(async () => {
  await vault?.close();
  vault = null;
});

test.runIf(isLong)(
  "a small heap does not limit the number of objects, which are all stored and deleted",
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
    const stored: string[] = [];
    while (stored.length < OBJECT_COUNT) {
      const keys = Array.from({ length: AT_A_TIME }, (_, at) => keyAt(stored.length + at));
      const names = new Set<string>();
      await until(
        `objects from ${stored.length} on are stored`,
        async () => {
          names.clear();
          for (const name of await Promise.all(keys.map(put))) names.add(name);
          return names.size === 1 && names.has("done");
        },
        WITHIN_MS,
        () => [...names],
      );
      stored.push(...keys);
    }
    const [pod] = await vault.drives("pod");
    expect(pod?.index?.share).toBeLessThan(1);

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
