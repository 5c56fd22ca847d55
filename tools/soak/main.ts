/**
 * `pnpm soak [--minutes 10] [--rate 30] [--heap FOLDER]`: a mixed load with deletes on a vault of its own. It prints
 * times and errors of each operation, the memory of each process and its slope, and the space amplification at the end.
 * `--heap` writes two heap snapshots of the stash's process, after a tenth of the time and at the end; taking them
 * costs memory, so the slopes of such a run are less reliable. Exit code 1 if a request failed or a read was wrong.
 */
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { S3Client } from "@stashlight/s3/client";
import { BenchVault } from "../bench/vault/running.ts";
import { repositoryRoot } from "../run/environment.ts";
import type { MemorySample } from "./memory-sample.ts";
import { type ProcessMemory, renderSoak, type SpaceOnPods } from "./render.ts";
import { runSoakLoad } from "./soak-load.ts";

const MIB = 1_048_576;
const BUCKET = "soak";
const CLIENT_COUNT = 8;
/** Volumes of the vault that `npm start` creates. */
const volumes = {
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 12 },
  stashVolume: { segmentBytes: 4 * MIB, segmentCount: 20 },
};
/** Visible objects are counted every half minute, and the space of the last deletes returns within a minute. */
const SETTLED_AFTER_MS = 60_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      rate: { type: "string", default: "30" },
      heap: { type: "string" },
    },
  });
  const [minutes, requestsPerSecond] = [Number(values.minutes), Number(values.rate)];
  if (!(minutes > 0 && requestsPerSecond > 0)) throw new Error("--minutes and --rate must be above 0.");
  // Beside the sources: a temporary folder is often memory, or has no O_DIRECT.
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.soak-"));
  const heapFolder = values.heap === undefined ? null : resolve(values.heap);
  if (heapFolder !== null) mkdirSync(heapFolder, { recursive: true });
  process.env.STASHLIGHT_SOAK_FOLDER = folder;
  const vault = await BenchVault.create(folder, { ...volumes, nodeFlags: nodeFlags(heapFolder) });
  const client = createVaultClient(vault);
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
  try {
    await client.ensureBucket(BUCKET);
    const until = AbortSignal.any([AbortSignal.timeout(minutes * 60_000), interrupted.signal]);
    const snapshot = () => {
      if (heapFolder !== null) for (const { pid } of vault.processes()) process.kill(pid, "SIGUSR2");
    };
    const early = setTimeout(snapshot, minutes * 6000);
    const startMs = performance.now();
    const load = { client, bucket: BUCKET, clientCount: CLIENT_COUNT, requestsPerSecond, until };
    const result = await runSoakLoad(load);
    const seconds = (performance.now() - startMs) / 1000;
    clearTimeout(early);
    const memory = vault
      .processes()
      .map(({ name, pid }) => ({ name, samples: readMemorySamples(folder, pid) }));
    await delay(SETTLED_AFTER_MS, undefined, { signal: interrupted.signal }).catch(() => {});
    snapshot();
    const space = await readSpace(vault);
    for (const line of renderSoak({ seconds, clientCount: CLIENT_COUNT, result, memory, space }))
      process.stdout.write(`${line}\n`);
    return result.errors.size === 0 && result.wrong.length === 0 ? 0 : 1;
  } finally {
    client.close();
    await vault.stop();
    await vault.remove();
  }
}

function nodeFlags(heapFolder: string | null): string[] {
  const probe = `--import=${join(import.meta.dirname, "memory-probe.ts")}`;
  return heapFolder === null
    ? [probe]
    : [probe, "--heapsnapshot-signal=SIGUSR2", `--diagnostic-dir=${heapFolder}`];
}

function createVaultClient({ file }: BenchVault): S3Client {
  const coordinator = file.nodes.find((node) => node.role === "coordinator");
  const [accessKey] = file.accessKeys;
  if (coordinator?.role !== "coordinator" || !accessKey)
    throw new Error("The vault has no coordinator or no access key.");
  const { host, port, region } = coordinator.s3;
  return new S3Client({
    endpoint: `http://${host}:${port}`,
    region,
    accessKey,
    connectionCountMax: CLIENT_COUNT,
  });
}

function readMemorySamples(folder: string, pid: number): ProcessMemory["samples"] {
  const lines = readFileSync(join(folder, `memory-${pid}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as MemorySample);
}

async function readSpace(vault: BenchVault): Promise<SpaceOnPods> {
  const texts = await vault.metricsOf("pod");
  const sumMetric = (name: string): number =>
    texts
      .flatMap((text) => [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, "gm"))])
      .reduce((sum, [, value]) => sum + Number(value), 0);
  return {
    visibleBytes: sumMetric("stashlight_pod_visible_bytes"),
    liveBytes: sumMetric("stashlight_pod_live_bytes"),
    garbageBytes: sumMetric("stashlight_pod_garbage_bytes"),
  };
}

process.exitCode = await main();
