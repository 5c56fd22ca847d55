/** Tests the agent as a process. Its supervisor is an IPC channel, over which it reports and whose end stops it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  countPorts,
  createLocalVault,
  findFreePorts,
  provideKeys,
  type VaultFile,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const LONG_MS = 60_000;

const shape = {
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podNodeCount: 1,
  stashNodeCount: 1,
  drivesPerStashNode: 1,
};
const volume = { segmentBytes: 1_048_576, segmentCount: 4 };

let folder = "";
let config = "";
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-pod-"));
  config = join(folder, "vault.json");
  const ports = await findFreePorts(countPorts(shape), Math.random);
  const volumes = { podVolume: volume, stashVolume: volume, pieceBytes: 1_048_576 };
  writeVaultFile(config, createLocalVault({ ...shape, ...volumes, name: "small", ports }));
  provideKeys(config, { areAllHere: true });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

function start(args: readonly string[], withSupervisor = true): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    stdio: ["ignore", "ignore", "pipe", ...(withSupervisor ? (["ipc"] as const) : [])],
  });
  children.push(child);
  return child;
}

interface DriveHealth {
  readonly state: { readonly type: string; readonly reason?: string };
}

async function readDrives(nodeId: string): Promise<DriveHealth[]> {
  const { nodes } = JSON.parse(readFileSync(config, "utf8")) as VaultFile;
  const port = nodes.find(({ id }) => id === nodeId)?.adminPort;
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  const health = await fetch(`http://127.0.0.1:${port}/healthz`, { headers });
  return ((await health.json()) as { drives: DriveHealth[] }).drives;
}

test(
  "the agent reports ready, and exits with 0 when its supervisor is gone",
  async () => {
    const child = start(["--config", config, "--node", "pod-1", "--format"]);
    expect(await once(child, "message")).toEqual([{ type: "ready" }, undefined]);
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
  },
  LONG_MS,
);

test(
  "the agent reports to its supervisor that it cannot start because a drive is not mounted",
  async () => {
    for (const pod of [0, 1, 2]) mkdirSync(join(folder, `pod-1/drive-${pod}`), { recursive: true });
    const child = start(["--config", config, "--node", "pod-1"]);
    const [[report], [code]] = await Promise.all([once(child, "message"), once(child, "exit")]);
    expect(report).toMatchObject({
      type: "failed",
      message: expect.stringMatching(/^Drive p\d \(.*drive-\d\): This folder holds no volume/),
    });
    expect(code).toBe(1);
  },
  LONG_MS,
);

test(
  "a drive that is not mounted does not keep the others from serving, and serves once it is back",
  async () => {
    const first = start(["--config", config, "--node", "pod-1", "--format"]);
    await once(first, "message");
    first.disconnect();
    await once(first, "exit");
    renameSync(join(folder, "pod-1/drive-1"), join(folder, "elsewhere"));
    const child = start(["--config", config, "--node", "pod-1"]);
    expect(await once(child, "message")).toEqual([{ type: "ready" }, undefined]);
    expect(await readDrives("pod-1")).toMatchObject([
      { state: { type: "running" } },
      { state: { type: "failed", reason: expect.stringContaining("check whether its device is mounted") } },
      { state: { type: "running" } },
    ]);
    renameSync(join(folder, "elsewhere"), join(folder, "pod-1/drive-1"));
    await vi.waitFor(async () => expect((await readDrives("pod-1"))[1]?.state.type).toBe("running"), LONG_MS);
  },
  2 * LONG_MS,
);

test(
  "without a supervisor the agent writes a mistake in its arguments to stderr",
  async () => {
    const child = start(["--config", config, "--node", "pod-9"], false);
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    expect(await once(child, "close")).toEqual([2, null]);
    expect(text).toBe(
      `--node pod-9: ${config} has no node of that name; it has coordinator-1, pod-1, stash-1.\n`,
    );
  },
  LONG_MS,
);
