/** A slow stash device is quarantined and released while clients write, and its server is killed meanwhile. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { VaultEpoch } from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { readEpoch, waitForEpoch } from "../harness/epochs.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault({ processes: "one a node", stashNodeCount: 4 });
const Bucket = "quarantine";
const SERVER = "stash-2";
const TAKES_WITHIN_MS = 60_000;
const operator = { user: "ann", host: "desk" };

function withQuarantine(epoch: VaultEpoch, isOn: boolean): VaultEpoch {
  const nodes = epoch.nodes.map((node): VaultEpoch["nodes"][number] => {
    if (node.role !== "stash" || node.id !== SERVER) return node;
    const drives = node.drives.map(({ quarantine: _, ...drive }) =>
      isOn ? { ...drive, quarantine: { sinceMs: 1_000, by: "ann@desk" } } : drive,
    );
    return { ...node, drives };
  });
  return { ...epoch, epoch: epoch.epoch + 1, nodes };
}

async function change(isOn: boolean): Promise<void> {
  const epoch = withQuarantine(readEpoch(used.vault), isOn);
  const note = { action: isOn ? "drive.quarantine" : "drive.release", drive: "s1", operator };
  const body = JSON.stringify({ epoch, note });
  const headers = { "content-type": "application/json" };
  const answer = await used.vault.askAdmin("coordinator-1", "/epoch", { method: "POST", body, headers });
  expect(answer).toMatchObject({ status: 200 });
  await waitForEpoch(used.vault, epoch.epoch);
}

const readDevice = async () => (await used.vault.health(SERVER))?.drives?.[0];

/** Shards that the device has taken since its process started. */
async function countShards(): Promise<number> {
  const text = (await used.vault.askAdmin(SERVER, "/metrics"))?.text ?? "";
  return Number(/^stashlight_shards_written_total\{.*\} (\d+)/m.exec(text)?.[1] ?? 0);
}

test("a quarantined device takes no shards, even after a restart, and takes them again once it is released", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const bodies = new Map<string, Buffer>();
  const put = async (Key: string) => {
    const body = randomBytes(10_000);
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: body }));
    bodies.set(Key, body);
  };
  const takesShards = async (name: string): Promise<void> => {
    const before = await countShards();
    await until(
      `${SERVER} takes shards ${name}`,
      async () => {
        await put(`${name}-${bodies.size}`);
        return (await countShards()) > before;
      },
      TAKES_WITHIN_MS,
    );
  };
  await takesShards("before");
  await change(true);
  expect(await readDevice()).toMatchObject({ quarantine: { sinceMs: 1_000, by: "ann@desk" } });
  await vault.drained();
  await vault.kill([SERVER]);
  vault.start([SERVER]);
  await vault.ready();
  for (let count = 0; count < 20; count += 1) await put(`meanwhile-${count}`);
  expect(await countShards()).toBe(0);
  expect(await readDevice()).toMatchObject({ quarantine: { by: "ann@desk" } });
  await change(false);
  await takesShards("after");
  expect(await readDevice()).toMatchObject({ quarantine: null });
  for (const [Key, body] of bodies) {
    const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect((await readBody(got.Body)).equals(body)).toBe(true);
  }
  const coordinator = readEpoch(vault).nodes.find(({ id }) => id === "coordinator-1");
  const log = readFileSync(join(vault.folder, coordinator?.stateFolder ?? "", "audit.log"), "utf8");
  expect(
    log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { action: "drive.quarantine", drive: "s1", operator, result: "asked" },
    { action: "drive.quarantine", drive: "s1", operator, result: "done" },
    { action: "drive.release", drive: "s1", operator, result: "asked" },
    { action: "drive.release", drive: "s1", operator, result: "done" },
  ]);
});
