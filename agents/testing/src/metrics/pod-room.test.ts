import { randomBytes } from "node:crypto";
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault();
const Bucket = "room";
/** Visible objects are counted again within half a minute. */
const WITHIN_MS = 90_000;
const DATA_SHARD_COUNT = 2;

/** Sum over all pods; null while one of them does not report it. */
async function told(metric: string): Promise<number | null> {
  const { vault } = used;
  const texts = await Promise.all(
    vault.nodeIdsOf("pod").map(async (id) => (await vault.askAdmin(id, "/metrics"))?.text ?? ""),
  );
  const values = texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`^${metric}\\{[^}]*\\} (\\S+)$`, "gm"))].map(([, value]) => Number(value)),
  );
  return values.length < 3 ? null : values.slice(0, 3).reduce((sum, value) => sum + value, 0);
}

const visibleIs = (bytes: number) =>
  until(
    `${bytes} bytes are visible`,
    async () => (await told("stashlight_pod_visible_bytes")) === 3 * (bytes / DATA_SHARD_COUNT),
    WITHIN_MS,
    () => told("stashlight_pod_visible_bytes"),
  );

test("pods report the bytes of visible objects, small, in pieces and deleted, and their free space and memory", async () => {
  const { s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const [small, large] = [40_000, 5_000_000];
  for (const Key of ["a", "b"]) {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: randomBytes(small) }));
  }
  await s3.send(new PutObjectCommand({ Bucket, Key: "large", Body: randomBytes(large) }));
  await visibleIs(2 * small + large);
  const usable = (await told("stashlight_pod_usable_bytes")) ?? 0;
  // A pod may write a record of its own between two readings.
  const live = await until(
    "all bytes that are taken are live",
    async () => {
      const [alive, taken] = [
        await told("stashlight_pod_live_bytes"),
        await told("stashlight_pod_taken_bytes"),
      ];
      return alive === taken && alive;
    },
    WITHIN_MS,
  );
  expect(usable).toBeLessThan((await told("stashlight_pod_capacity_bytes")) ?? 0);
  expect(live).toBeGreaterThan(3 * ((2 * small + large) / DATA_SHARD_COUNT));
  const [share, records] = [await told("stashlight_pod_index_ratio"), await told("stashlight_pod_records")];
  expect(share).toBeGreaterThan(0);
  expect(records).toBeLessThan((await told("stashlight_pod_records_max")) ?? 0);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "a" }));
  await visibleIs(small + large);
  expect(await told("stashlight_pod_garbage_bytes")).toBeGreaterThan(0);
});
