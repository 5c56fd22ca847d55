import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault({ processes: "one a node" });
const Bucket = "margins";
const WITHIN_MS = 45_000;

/** Null while the coordinator reports no value. */
async function reported(metric: string): Promise<number | null> {
  const { vault } = used;
  const [coordinator = ""] = vault.nodeIdsOf("coordinator");
  const text = (await vault.askAdmin(coordinator, "/metrics"))?.text ?? "";
  const found = new RegExp(`^${metric} (\\S+)$`, "m").exec(text);
  return found === null ? null : Number(found[1]);
}

const settled = (pod: string) => reported(`stashlight_vault_pod_settled\\{pod="${pod}"\\}`);

const margin = () => reported("stashlight_durable_margin_shards");

/** Also checks how many shards are missing compared with the scheme's promise. */
async function marginIs(expected: number, missing: number): Promise<void> {
  await until(`the margin is ${expected}`, async () => (await margin()) === expected, WITHIN_MS, margin);
  expect(await reported("stashlight_durable_missing_shards")).toBe(missing);
}

test("the durable margin of uploads is that of the scheme, and falls when a pod is down", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (let i = 0; i < 10; i += 1) {
    await s3.send(new PutObjectCommand({ Bucket, Key: `${i}`, Body: Buffer.alloc(20_000, i) }));
  }
  await vault.drained();
  // Three shards, of which two are needed.
  await marginIs(1, 0);
  const [pod = ""] = vault.nodeIdsOf("pod");
  expect(await reported("stashlight_vault_data_shards")).toBe(2);
  expect(await reported("stashlight_vault_parity_shards")).toBe(1);
  expect(await settled("p0")).toBe(1);
  await vault.kill([pod]);
  await marginIs(0, 0);
  await until("the pod is no longer settled", async () => (await settled("p0")) === 0, WITHIN_MS);
  expect(await settled("p1")).toBe(1);
  vault.start([pod]);
  await vault.ready();
  await marginIs(1, 0);
  expect(await vault.end(vault.nodeIdsOf("coordinator"), "SIGTERM")).toEqual([0]);
});
