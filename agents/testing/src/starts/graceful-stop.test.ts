import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault();
const Bucket = "stops";

test("data waiting for a flush is made durable on SIGTERM, after requests in progress are answered", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const bodies = new Map(Array.from({ length: 20 }, (_, i) => [`${i}`, randomBytes(30_000)]));
  const puts = [...bodies].map(([Key, Body]) => s3.send(new PutObjectCommand({ Bucket, Key, Body })));
  await puts[0];
  const coordinators = vault.nodeIdsOf("coordinator");
  const stopped = vault.end(coordinators, "SIGTERM");
  const outcomes = await Promise.allSettled(puts);
  expect(await stopped).toEqual([0]);
  expect(await vault.end(vault.nodeIds, "SIGTERM")).toEqual([0, 0]);
  // Starts the pods alone, so that nothing can come from the stash.
  vault.start([...vault.nodeIdsOf("pod")]);
  const shardCounts = await until(
    "the pods have read their logs",
    async () => {
      const counts = (await vault.drives("pod")).map(({ log }) => log?.recordsLive ?? 0);
      return counts.length === 3 && counts.every((count) => count > 0) && counts;
    },
    20_000,
  );
  const storedCount = outcomes.filter(({ status }) => status === "fulfilled").length;
  expect(storedCount).toBeGreaterThan(0);
  for (const count of shardCounts) expect(count).toBeGreaterThanOrEqual(storedCount);
  vault.start([...vault.nodeIdsOf("stash"), ...coordinators]);
  await vault.ready();
  // The bucket's outcome must be proved again, which clients need not notice.
  await s3.send(new HeadBucketCommand({ Bucket }));
  for (const [at, [Key, body]] of [...bodies].entries()) {
    if (outcomes[at]?.status !== "fulfilled") continue;
    const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect((await readBody(got.Body)).equals(body)).toBe(true);
  }
  await vault.drained();
});
