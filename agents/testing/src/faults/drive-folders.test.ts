/**
 * Tests drive folders that were swapped, deleted, truncated, or restored from an older copy while their agent was down.
 */
import { cpSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { AgentProcess } from "../harness/agent-process.ts";
import { WITHOUT_RETRIES } from "../harness/client.ts";
import { reportedFailed } from "../harness/drive-faults.ts";
import { describeDifferences } from "../harness/faults/audit.ts";
import { KeptObjects } from "../harness/faults/kept-objects.ts";
import { sixPods } from "../harness/faults/use-drill.ts";
import { Load } from "../harness/load-clients.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const WITHIN_MS = 120_000;
const REFUSED_WITHIN_MS = 120_000;
const used = useVault({ ...sixPods, processes: "one a node" }, WITHOUT_RETRIES);
let kept: KeptObjects;
let load: Load;

beforeAll(async () => {
  kept = await KeptObjects.create(used.s3, "kept", 30);
  await used.s3.send(new CreateBucketCommand({ Bucket: "small" }));
  load = new Load({ s3: used.s3, bucket: "small", concurrency: 2, lists: true });
  await used.vault.drained();
});

const absoluteFolder = (path: string): string => join(used.vault.folder, path);
const audited = () => describeDifferences({ s3: used.s3, kept, loads: [load], buckets: ["small"] });

async function settled(): Promise<void> {
  const look = async () =>
    (await used.vault.drives("pod")).map(({ address, state, missing }) => ({ address, state, missing }));
  const isSettled = async () => {
    const drives = await look();
    return (
      drives.length === 6 &&
      drives.every(({ state, missing }) => state.lifecycle === "settled" && missing?.shardCount === 0)
    );
  };
  await until("all pods hold all their shards", isSettled, WITHIN_MS, look);
}

/** Stops an agent that starts nevertheless; its exit code then differs from that of a refusal. */
async function refusal(nodeId: string): Promise<{ code: number; text: string }> {
  const args = ["--config", used.vault.configPath, "--node", nodeId];
  const agent = new AgentProcess({ args, isSupervised: false });
  const stop = setTimeout(() => void agent.end("SIGTERM"), REFUSED_WITHIN_MS);
  const code = await agent.exitCode();
  clearTimeout(stop);
  return { code, text: agent.errorOutput };
}

function exchange(one: string, other: string): void {
  const aside = `${absoluteFolder(one)}.aside`;
  renameSync(absoluteFolder(one), aside);
  renameSync(absoluteFolder(other), absoluteFolder(one));
  renameSync(aside, absoluteFolder(other));
}

test("an agent refuses swapped drives and names one of them, and serves them once they are back", async () => {
  const { vault } = used;
  await vault.end(["pod-1"], "SIGKILL");
  exchange("pod-1/drive-0", "pod-1/drive-2");
  const { code, text } = await refusal("pod-1");
  expect(code).toBe(2);
  expect(text).toMatch(/^Drive p[02] \(.*pod-1\/drive-[02]\): .*device.*\.\n$/);
  exchange("pod-1/drive-0", "pod-1/drive-2");
  vault.start(["pod-1"]);
  await settled();
  expect(await audited()).toEqual([]);
});

test("an agent that refuses swapped drives leaves the index of its other drive for the next boot", async () => {
  const { vault } = used;
  await vault.end(["pod-1"], "SIGTERM");
  const roots = () =>
    readdirSync(absoluteFolder("pod-1/drive-4")).filter((name) => /^index-.*\.root$/.test(name));
  expect(roots()).toHaveLength(1);
  exchange("pod-1/drive-0", "pod-1/drive-2");
  expect((await refusal("pod-1")).code).toBe(2);
  expect(roots()).toHaveLength(1);
  exchange("pod-1/drive-0", "pod-1/drive-2");
  vault.start(["pod-1"]);
  await settled();
});

test("a drive whose folder was deleted is reported failed and not recreated, and serves once it is back", async () => {
  const { vault } = used;
  const folder = absoluteFolder("pod-1/drive-4");
  await vault.end(["pod-1"], "SIGKILL");
  renameSync(folder, `${folder}.aside`);
  vault.start(["pod-1"]);
  expect(await reportedFailed(vault, "p4")).toContain(folder);
  expect(await audited()).toEqual([]);
  load.start();
  await load.progress(20);
  await load.stop();
  expect(readdirSync(absoluteFolder("pod-1"))).not.toContain("drive-4");
  renameSync(`${folder}.aside`, folder);
  await settled();
  expect(await audited()).toEqual([]);
});

test("a drive with a truncated segment keeps its agent from starting, and serves once the segment is restored", async () => {
  const { vault } = used;
  const folder = absoluteFolder("pod-2/drive-1");
  await vault.end(["pod-2"], "SIGTERM");
  cpSync(folder, `${folder}.aside`, { recursive: true });
  const [segment = ""] = readdirSync(folder).filter((name) => statSync(join(folder, name)).size > 1_000_000);
  truncateSync(join(folder, segment), 500_000);
  const { code, text } = await refusal("pod-2");
  expect(code).toBe(2);
  expect(text).toContain(folder);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}.aside`, folder);
  vault.start(["pod-2"]);
  await settled();
  expect(await audited()).toEqual([]);
});

test("a drive restored from an older copy is completed, and revives no deleted object", async () => {
  const { vault } = used;
  const folder = absoluteFolder("pod-2/drive-3");
  await vault.end(["pod-2"], "SIGTERM");
  cpSync(folder, `${folder}.older`, { recursive: true });
  vault.start(["pod-2"]);
  await settled();
  load.start();
  await load.progress(60);
  await load.stop();
  await vault.drained();
  await vault.end(["pod-2"], "SIGTERM");
  rmSync(folder, { recursive: true });
  renameSync(`${folder}.older`, folder);
  vault.start(["pod-2"]);
  await settled();
  expect(await audited()).toEqual([]);
  await vault.kill();
  vault.start(vault.nodeIds);
  await settled();
  expect(await audited()).toEqual([]);
});
