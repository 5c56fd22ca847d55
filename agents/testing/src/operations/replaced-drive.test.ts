/** Replaces a drive while clients write and read, and kills processes at every stage. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { WITHOUT_RETRIES } from "../harness/client.ts";
import { postEpoch, readEpoch, waitForEpoch, withDrive } from "../harness/epochs.ts";
import { Load, PAUSE_BEFORE_CRASHES_MS as pauseMs } from "../harness/load-clients.ts";
import { isLong } from "../harness/long-run.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault(
  {
    processes: "one a node",
    scheme: { dataShardCount: 4, parityShardCount: 2 },
    podNodeCount: 3,
    drivesPerStashNode: 2,
  },
  WITHOUT_RETRIES,
);
const bucket = "operations";
const newDrive = (path: string) => ({ driveId: randomBytes(16).toString("hex"), path });

/** Creates a folder beside the vault's file, like a mount point. */
function freshFolder(name: string): string {
  mkdirSync(join(used.vault.folder, name));
  return name;
}

async function rebuilt(address: string): Promise<void> {
  const look = async () => (await used.vault.drives("pod")).find((drive) => drive.address === address);
  await until(
    `${address} holds all its shards again`,
    async () => {
      const drive = await look();
      return drive?.state.lifecycle === "settled" && drive.missing?.shardCount === 0;
    },
    60_000,
    look,
  );
}

test("a missing or non-empty folder is refused with the reason, and nothing changes", async () => {
  const { vault } = used;
  const epoch = readEpoch(vault);
  const trial = (path: string) =>
    postEpoch(vault, "pod-2", withDrive(epoch, "p1", newDrive(path).driveId, path), true);
  expect(await trial("nowhere")).toMatchObject({
    status: 409,
    text: expect.stringMatching(
      /The folder .*nowhere for the new drive cannot be read and written \(ENOENT\)/,
    ),
  });
  const full = freshFolder("full");
  writeFileSync(join(vault.folder, full, "photos"), "");
  expect((await trial(full))?.text).toMatch(/for the new drive is not empty \(photos\)/);
  expect(await trial(freshFolder("trial"))).toMatchObject({ status: 200 });
  expect(readEpoch(vault)).toEqual(epoch);
});

test("an epoch of another vault, a different change with the same number, and a malformed epoch are refused", async () => {
  const { vault } = used;
  const epoch = readEpoch(vault);
  const told = async (change: object) =>
    (await postEpoch(vault, "coordinator-1", { ...epoch, ...change }))?.text;
  expect(await told({ clusterId: "0".repeat(32) })).toMatch(/belongs to the vault 0+, but this node to/);
  expect(await told({ rebuildBytesPerSecond: 1_000_000 })).toMatch(
    /Another change of the vault has become epoch 1 meanwhile/,
  );
  expect(await told({ epoch: "two" })).toMatch(/^The epoch cannot be read: epoch: /);
});

test("a drive replaced under load is rebuilt and nothing is lost while processes are killed", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const load = new Load({ s3, bucket, concurrency: 3, pauseMs });
  load.start();
  await load.progress(60);
  // Killed right after a coordinator accepts the epoch, so before, while or after they learn of it.
  const victims = isLong ? ["pod-1", "coordinator-1"] : ["coordinator-1"];
  for (const [at, victim] of victims.entries()) {
    const next = withDrive(readEpoch(vault), "p0", newDrive("").driveId, freshFolder(`new-${at}`));
    expect(await postEpoch(vault, "coordinator-1", next)).toMatchObject({ status: 200 });
    await vault.kill([victim]);
    vault.start([victim]);
    await waitForEpoch(vault, next.epoch);
    await vault.ready();
    await load.progress(20);
    // Killed while it restores missing shards.
    if (victim === "coordinator-1") {
      await vault.kill(["pod-1"]);
      vault.start(["pod-1"]);
      await vault.ready(["pod-1"]);
    }
    await rebuilt("p0");
  }
  await load.stop();
  expect(await load.verify()).toEqual([]);
  if (!isLong) return;
  await vault.drained();
  await vault.kill();
  vault.start(vault.nodeIds);
  await vault.ready();
  expect(await load.verify()).toEqual([]);
}, 240_000);

test("a node that was down while the vault changed is kept out until a coordinator has sent it the epoch", async () => {
  const { vault } = used;
  const before = readFileSync(vault.configPath);
  await vault.kill(["pod-3"]);
  const next = withDrive(readEpoch(vault), "p1", newDrive("").driveId, freshFolder("late"));
  await postEpoch(vault, "coordinator-1", next);
  await waitForEpoch(
    vault,
    next.epoch,
    vault.nodeIds.filter((id) => id !== "pod-3"),
  );
  // On its own machine, the node would have its own copy of the vault's file.
  writeFileSync(vault.configPath, before);
  vault.start(["pod-3"]);
  await waitForEpoch(vault, next.epoch);
  expect(readEpoch(vault)).toEqual(next);
  await vault.ready();
  await rebuilt("p1");
});
