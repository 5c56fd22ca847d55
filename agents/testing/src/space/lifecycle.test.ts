/** Lifecycle rules on real drives: two coordinators apply them once, even if one of them is killed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { runClient } from "../harness/run-client.ts";
import { useSecondCoordinator } from "../harness/second-coordinator.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const Bucket = "rules";
const WITHIN_MS = 120_000;
const EVERY_MS = 12_000;
const OBJECT_COUNT = 300;

const second = await useSecondCoordinator();
const used = useVault({
  processes: "one a node",
  amend: (file) => second.amend({ ...file, lifecycle: { everyMs: EVERY_MS } }),
});

beforeAll(() => used.s3.send(new CreateBucketCommand({ Bucket })));

async function fill(prefix: string): Promise<void> {
  const keys = Array.from({ length: OBJECT_COUNT }, (_, at) => `${prefix}/${at}`);
  for (let at = 0; at < keys.length; at += 20) {
    const some = keys.slice(at, at + 20);
    await Promise.all(
      some.map((Key) => used.s3.send(new PutObjectCommand({ Bucket, Key, Body: "expires" }))),
    );
  }
}

async function expire(...prefixes: readonly string[]): Promise<void> {
  const Rules = prefixes.map((Prefix) => ({
    ID: Prefix,
    Filter: { Prefix: `${Prefix}/` },
    Status: "Enabled" as const,
    Expiration: { Date: new Date("2020-01-01T00:00:00Z") },
  }));
  const LifecycleConfiguration = { Rules };
  await used.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
}

async function countKeys(Prefix: string): Promise<number> {
  return (await used.s3.send(new ListObjectsV2Command({ Bucket, Prefix }))).KeyCount ?? 0;
}

/** Number of objects in the coordinators' audit logs for a rule, counting complete lines only. */
function auditedCount(ruleId: string): number {
  const lines = used.vault.nodeIdsOf("coordinator").flatMap((id) => {
    const node = used.vault.file.nodes.find((each) => each.id === id);
    try {
      // The last line may be incomplete, without a line break.
      return readFileSync(join(used.vault.folder, node?.stateFolder ?? "", "audit.log"), "utf8")
        .split("\n")
        .slice(0, -1);
    } catch {
      return [];
    }
  });
  return lines
    .map((line) => JSON.parse(line) as { ruleId: string; count: number })
    .filter((line) => line.ruleId === ruleId)
    .reduce((sum, { count }) => sum + count, 0);
}

test("each expired object is deleted and counted once, and all others stay", {
  timeout: WITHIN_MS,
}, async () => {
  await fill("old");
  await used.s3.send(new PutObjectCommand({ Bucket, Key: "kept", Body: "kept" }));
  await used.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "upload" }));
  await expire("old");
  await until("the objects have expired", async () => (await countKeys("old/")) === 0, WITHIN_MS);
  await until("the audit logs have them", () => auditedCount("old") >= OBJECT_COUNT, WITHIN_MS);
  expect([auditedCount("old"), await countKeys("kept")]).toEqual([OBJECT_COUNT, 1]);
  expect((await used.s3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toHaveLength(1);
});

test("the command line shows what rules would delete before they are saved", {
  timeout: WITHIN_MS,
}, async () => {
  const { vault, s3 } = used;
  await s3.send(new PutObjectCommand({ Bucket, Key: "shown/a", Body: "kept" }));
  const path = join(vault.folder, "rules.json");
  const Filter = { Prefix: "shown/" };
  const Expiration = { Date: "2020-01-01T00:00:00Z" };
  writeFileSync(path, JSON.stringify({ Rules: [{ ID: "all", Status: "Enabled", Filter, Expiration }] }));
  const main = join(import.meta.dirname, "../../../../apps/cli/src/main.ts");
  const command = ["vault", "lifecycle", Bucket, "--rules", path, "--config", vault.configPath];
  const shown = await runClient(process.execPath, [main, ...command]);
  expect(shown).toMatch(/^all: would delete 1 object now, 4 B, oldest \d{4}-\d\d-\d\d\n$/);
  expect(await countKeys("shown/")).toBe(1);
});

test("a pass continues when coordinators are killed, and other objects stay", {
  timeout: 2 * WITHIN_MS,
}, async () => {
  const { vault, s3 } = used;
  await fill("killed");
  await expire("killed");
  await s3.send(new PutObjectCommand({ Bucket, Key: "kept", Body: "kept" }));
  const [first = "", other = ""] = vault.nodeIdsOf("coordinator");
  await until(
    "some objects have expired",
    async () => (await countKeys("killed/")) < OBJECT_COUNT,
    WITHIN_MS,
  );
  await vault.kill([other]);
  vault.start([other]);
  await vault.ready();
  await vault.kill([first]);
  vault.start([first]);
  await vault.ready();
  await until("all objects have expired", async () => (await countKeys("killed/")) === 0, WITHIN_MS);
  expect(auditedCount("killed")).toBeLessThanOrEqual(OBJECT_COUNT);
  expect(await s3.send(new HeadObjectCommand({ Bucket, Key: "kept" }))).toMatchObject({ ContentLength: 4 });
});
