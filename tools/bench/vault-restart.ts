/**
 * A vault with many objects: time until it serves them again, cost of a list, and memory of all processes. The objects
 * are written into the pods' logs while the vault is stopped.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { S3Client } from "@stashlight/s3/client";
import { repositoryRoot } from "../run/environment.ts";
import type { Measurement } from "./measurement.ts";
import { BenchVault } from "./vault/running.ts";

const MIB = 1_048_576;
const BUCKET = "restart";
const objectCount = 100_000;
const bodyBytes = 52;
const listedKeyCount = 1000;
const listCount = 40;
const volumes = {
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 12 },
  stashVolume: { segmentBytes: 4 * MIB, segmentCount: 8 },
};
const readyMsMax = 10_000;
const listMsMax = 50;

const run = promisify(execFile);

interface Restart {
  readonly readyMs: number;
  /** From the start to the first correct list. */
  readonly firstListMs: number;
  readonly listP50Ms: number;
  readonly residentMb: number;
}

export async function benchVaultRestart(say: (line: string) => void): Promise<Measurement[]> {
  // Beside the sources: a temporary folder is often memory, or has no O_DIRECT.
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-vault-restart-"));
  const vault = await BenchVault.create(join(folder, "vault"), volumes);
  try {
    await createVaultClient(vault).createBucket(BUCKET);
    await vault.stop();
    await fill(vault, say);
    const stopped = await restart(vault, "stopped", say);
    await vault.stop("SIGKILL");
    const killed = await restart(vault, "killed", say);
    return [...restartMeasurements("stopped", stopped), ...restartMeasurements("killed", killed)];
  } finally {
    await vault.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(vault: BenchVault, say: (line: string) => void): Promise<void> {
  const startMs = performance.now();
  const script = join(import.meta.dirname, "vault/fill.ts");
  const env = { ...process.env, UV_THREADPOOL_SIZE: "8" };
  const args = [script, vault.path, BUCKET, String(objectCount), String(bodyBytes)];
  await run(process.execPath, args, { env });
  say(`Filled with ${objectCount} objects in ${seconds(performance.now() - startMs)}.`);
}

async function restart(vault: BenchVault, ended: string, say: (line: string) => void): Promise<Restart> {
  const startMs = performance.now();
  const readyMs = await vault.start();
  const atReady = vault.cost();
  say(`After being ${ended}: ready in ${seconds(readyMs)}, ${describe(atReady)}.`);
  const client = createVaultClient(vault);
  let token: string | null = null;
  const nextPage = async (): Promise<void> => {
    const page = await client.listPage(BUCKET, { token });
    checkPage(page.objects.map(({ key }) => key));
    token = page.nextToken;
  };
  await nextPage();
  const firstListMs = performance.now() - startMs;
  say(`First list ${seconds(firstListMs)} after the start.`);
  const timesMs: number[] = [];
  for (let count = 0; count < listCount; count += 1) {
    const listStartMs = performance.now();
    await nextPage();
    timesMs.push(performance.now() - listStartMs);
  }
  timesMs.sort((a, b) => a - b);
  const [listP50Ms = Number.NaN, slowestMs = Number.NaN] = [timesMs[listCount >> 1], timesMs.at(-1)];
  const { residentMb } = vault.cost();
  const times = `p50 ${listP50Ms.toFixed(1)} ms, slowest ${slowestMs.toFixed(1)} ms (n ${listCount})`;
  say(`Lists of ${listedKeyCount} keys: ${times}; ${describe(vault.cost())}.`);
  return { readyMs, firstListMs, listP50Ms, residentMb };
}

function checkPage(keys: readonly string[]): void {
  const isSorted = keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key);
  if (keys.length === listedKeyCount && isSorted) return;
  throw new Error(`A list had ${keys.length} keys${isSorted ? "" : " in the wrong order"}.`);
}

function createVaultClient({ file }: BenchVault): S3Client {
  const coordinator = file.nodes.find((node) => node.role === "coordinator");
  const [accessKey] = file.accessKeys;
  if (coordinator?.role !== "coordinator" || !accessKey)
    throw new Error("The vault has no coordinator or no access key.");
  const { host, port, region } = coordinator.s3;
  return new S3Client({ endpoint: `http://${host}:${port}`, region, accessKey, connectionCountMax: 1 });
}

function restartMeasurements(ended: string, restart: Restart): Measurement[] {
  const { readyMs, firstListMs, listP50Ms, residentMb } = restart;
  const of = `${objectCount / 1000}k objects, vault ${ended}`;
  return [
    {
      name: `restart, ${of}`,
      value: readyMs,
      unit: "ms",
      against: { name: "budget to ready", value: readyMsMax },
    },
    {
      name: `first list, ${of}`,
      value: firstListMs,
      unit: "ms",
      against: { name: "budget to ready", value: readyMsMax },
    },
    {
      name: `list 1,000, ${of}, p50`,
      value: listP50Ms,
      unit: "ms",
      against: { name: "budget", value: listMsMax },
    },
    {
      name: `resident, ${of}`,
      value: residentMb,
      unit: "MB",
      against: { name: "objects in thousands", value: objectCount / 1000 },
    },
  ];
}

function describe({ residentMb, cpuSeconds }: ReturnType<BenchVault["cost"]>): string {
  return `${residentMb.toFixed(0)} MB resident, processor seconds ${JSON.stringify(cpuSeconds)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
