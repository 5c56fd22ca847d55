/** The bundled program as on a node: the file in an empty folder, started by Node alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startTruthServer, TEST_CREDENTIALS } from "@stashlight/benchmark/testing";
import {
  countPorts,
  createLocalVault,
  findFreePorts,
  provideKeys,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { nodeFlagsOfOne } from "@stashlight/node-runtime/launch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram } from "./bundle.ts";

const LONG_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), "stashlight-program-"));
const program = join(folder, "stashlight.cjs");
const children: ChildProcess[] = [];

beforeAll(() => bundleProgram(program), LONG_MS);
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const cwd = mkdtempSync(join(folder, "empty-"));
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { PATH: process.env.PATH, ...env } });
  children.push(child);
  const [said, complained, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  return { said, complained, exitCode, cwd };
}

async function formattedVault(): Promise<string> {
  const shape = {
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    podNodeCount: 3,
    stashNodeCount: 1,
    drivesPerStashNode: 1,
  };
  const volume = { segmentBytes: 1_048_576, segmentCount: 32 };
  const config = join(mkdtempSync(join(folder, "vault-")), "vault.json");
  const ports = await findFreePorts(countPorts(shape), Math.random);
  const volumes = { podVolume: volume, stashVolume: volume, pieceBytes: 1_048_576 };
  writeVaultFile(config, createLocalVault({ ...shape, ...volumes, name: "small", ports }));
  provideKeys(config, { areAllHere: true });
  const drives = ["pod-1", "pod-2", "pod-3", "stash-1"].flatMap((id) => ["--node", id]);
  await stop(await startAgent([program], ["--config", config, ...drives, "--format"]));
  return config;
}

/** Resolves when the agent serves. */
async function startAgent(
  node: readonly string[],
  args: readonly string[],
  command: "agent" | "host" = "agent",
): Promise<ChildProcess> {
  const agent = spawn(process.execPath, [...node, command, ...args], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(agent);
  expect(await once(agent, "message")).toEqual([{ type: "ready" }, undefined]);
  return agent;
}

async function stop(agent: ChildProcess): Promise<void> {
  agent.disconnect();
  expect(await once(agent, "exit")).toEqual([0, null]);
}

test("makes a plan, and names the command in its help and errors as stashlight", async () => {
  const example = await run(["plan", "--example"]);
  const input = join(example.cwd, "plan.json");
  writeFileSync(input, example.said);
  const plan = await run(["plan", "--input", input]);
  expect({ ...plan, said: plan.said.split(";")[0] }).toMatchObject({
    said: expect.stringMatching(/^\d+ drives in \d+ servers$/),
    complained: "",
    exitCode: 0,
  });
  const { said } = await run(["--help"]);
  expect(said).toContain("  stashlight vault status [--json]");
  expect(said).not.toContain("npm run");
  const mistake = await run(["plna"]);
  expect(mistake.complained).toBe('There is no command "plna"; stashlight --help lists them.\n');
});

/** At most 90 MB resident, minus the 53 MB of Node's executable that an agent maps at least. */
const OWN_MEMORY_MB_MAX = 37;

/**
 * Memory that is not mapped from a file. The resident size also counts the mapped pages of Node's executable. They are
 * shared, and the same agent has 53, 66 or 73 MB of them, depending on the size of the file's pieces in the page cache.
 */
function readOwnMemoryMb(pid: number | undefined): number {
  const kib = Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return (kib * 1024) / 1e6;
}

test(
  "a pod's agent with one drive takes at most 37 MB beyond Node's executable once it serves",
  async () => {
    const config = await formattedVault();
    const agent = await startAgent([...nodeFlagsOfOne, program], ["--config", config, "--node", "pod-1"]);
    // V8 decides when to collect the garbage of the start.
    await expect
      .poll(() => readOwnMemoryMb(agent.pid), { timeout: LONG_MS / 2 })
      .toBeLessThan(OWN_MEMORY_MB_MAX);
    await stop(agent);
  },
  LONG_MS,
);

test(
  "passes the power-cut drill, for which it starts the agents itself",
  async () => {
    // A thread of the coordinator hashes bodies of this size.
    const load = ["--times", "1", "--size", "512KiB", "--concurrency", "2"];
    const config = await formattedVault();
    const drill = await run(["vault", "drill", "power-cut", "--config", config, ...load]);
    expect(drill).toMatchObject({ exitCode: 0, complained: "" });
  },
  LONG_MS,
);

test(
  "its host agent times the syncs of a drive on a separate thread, and leaves no file on it",
  async () => {
    const drive = mkdtempSync(join(folder, "drive-"));
    const state = mkdtempSync(join(folder, "host-"));
    const tokenFile = join(state, "enrolment.token");
    writeFileSync(tokenFile, "sle_of-a-console-that-is-away");
    const host = await startAgent(
      [program],
      [
        ...["--ingest", "http://127.0.0.1:9", "--name", "bare", "--state", state],
        ...["--fsync", `${drive}=ssd`, "--enrolment-token-file", tokenFile],
      ],
      "host",
    );
    await expect.poll(() => readdirSync(drive), { timeout: LONG_MS }).toHaveLength(1);
    await stop(host);
    expect(readdirSync(drive)).toEqual([]);
  },
  LONG_MS,
);

test(
  "measures a drive with separate processes and threads",
  async () => {
    const { complained, exitCode, cwd } = await run([
      ...["disk", "check", "--folder", ".", "--seconds", "2", "--queue-depth", "8", "--file-size", "64MiB"],
      ...["--tool", "stashlight", "--output", "drive.json"],
    ]);
    expect({ complained, exitCode }).toEqual({ complained: "", exitCode: 0 });
    const measured = JSON.parse(readFileSync(join(cwd, "drive.json"), "utf8"));
    expect(measured.cells[0].read.n).toBeGreaterThan(0);
    expect(readdirSync(cwd)).toEqual(["drive.json"]);
  },
  LONG_MS,
);

test(
  "measures an object store with a separate process",
  async () => {
    const server = await startTruthServer();
    try {
      const endpoint = { name: "truth", kind: "s3-compatible", url: server.url, region: "us-east-1" };
      const credentials = { accessKeyIdFrom: "KEY_ID", secretAccessKeyFrom: "KEY" };
      mkdirSync(join(folder, "endpoints"));
      const file = join(folder, "endpoints/truth.json");
      writeFileSync(file, JSON.stringify({ ...endpoint, bucket: "bench", credentials }));
      const parameters = [
        "sizesBytes=[1000]",
        "pauseMs=0",
        "repetitionCount=3",
        "pingCount=0",
        "warmUpCount=1",
      ];
      const bench = await run(
        [
          ...["bench", "run", "--endpoint", file, "--preset", "small-uploads/b2-2023", "--json"],
          ...parameters.flatMap((parameter) => ["--set", parameter]),
        ],
        { KEY_ID: TEST_CREDENTIALS.accessKeyId, KEY: TEST_CREDENTIALS.secretAccessKey },
      );
      expect(bench).toMatchObject({ exitCode: 0, complained: "" });
      expect(JSON.parse(bench.said).figures).toMatchObject([{ operation: "PUT", n: 3, failureCount: 0 }]);
    } finally {
      await server.close();
    }
  },
  LONG_MS,
);
