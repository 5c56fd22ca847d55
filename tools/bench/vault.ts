/**
 * The vault as its clients see it, with full durability, against the floor: the same bytes on the same disk in one
 * process that does nothing else. Floor and vault take turns, because machines drift by a factor of two within an hour.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../run/environment.ts";
import type { Measurement } from "./measurement.ts";
import type { ClientResult } from "./vault/client.ts";
import { BenchVault } from "./vault/running.ts";

const MIB = 1_048_576;
const rounds = 3;
const secondsInRound = 6;
const cases = [
  { bytes: 262_144, connections: 1 },
  { bytes: 262_144, connections: 16 },
  { bytes: MIB, connections: 1 },
  { bytes: MIB, connections: 16 },
] as const;
const volumes = {
  podVolume: { segmentBytes: 32 * MIB, segmentCount: 6 },
  stashVolume: { segmentBytes: 16 * MIB, segmentCount: 6 },
};
const residentMbMax = 600;
const floorShareMin = 0.6;

const run = promisify(execFile);

export async function benchVault(say: (line: string) => void): Promise<Measurement[]> {
  // Beside the sources: a temporary folder is often memory, or has no O_DIRECT.
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-vault-"));
  try {
    const uploads = await benchUploads(folder, say);
    return [...uploads, ...(await benchModelled(folder, say))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchUploads(folder: string, say: (line: string) => void): Promise<Measurement[]> {
  const vault = await BenchVault.create(join(folder, "plain"), volumes);
  try {
    const measurements: Measurement[] = [];
    for (const { bytes, connections } of cases) {
      const floors: number[] = [];
      const puts: ClientResult[] = [];
      for (let round = 0; round < rounds; round += 1) {
        floors.push(await floorOf(folder, bytes, connections));
        puts.push(await clientOf(vault, "put", bytes, connections));
        say(`${nameOf(bytes, connections)}: floor ${floors.at(-1)?.toFixed(0)}/s, ${describe(puts.at(-1))}`);
      }
      measurements.push({
        name: `put ${nameOf(bytes, connections)}`,
        value: median(puts.map(({ perSecond }) => perSecond)),
        unit: "1/s",
        against: { name: `the floor (target ${floorShareMin})`, value: median(floors) },
      });
    }
    const { residentMb, cpuSeconds } = vault.cost();
    say(`Processor seconds so far: ${JSON.stringify(cpuSeconds)}.`);
    const residents = { name: "all agents, resident under load", value: residentMb, unit: "MB" } as const;
    measurements.push({ ...residents, against: { name: "budget", value: residentMbMax } });
    const gets = await clientOf(vault, "get", 262_144, 1);
    say(`get 256 KiB: ${describe(gets)}`);
    return measurements;
  } finally {
    await vault.remove();
  }
}

/** With pods as slow as HDDs, by the stash and past it. */
async function benchModelled(folder: string, say: (line: string) => void): Promise<Measurement[]> {
  const p50Ms: Record<string, number[]> = { stash: [], direct: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const path of ["stash", "direct"]) {
      const options = {
        ...volumes,
        podModel: "seagate-exos-x16-16tb",
        isStashEnabled: path === "stash",
      } as const;
      const vault = await BenchVault.create(join(folder, path), options);
      try {
        const result = await clientOf(vault, "put", 256_000, 1);
        p50Ms[path]?.push(result.p50Ms);
        say(`modelled HDDs, ${path}: ${describe(result)}`);
      } finally {
        await vault.remove();
      }
    }
  }
  const [stash, direct] = [p50Ms.stash, p50Ms.direct].map((values) => median(values ?? []));
  return [
    {
      name: "put 256 kB by the stash, modelled HDDs, p50",
      value: stash ?? Number.NaN,
      unit: "ms",
      against: { name: "the direct path (target 1/3)", value: direct ?? Number.NaN },
    },
  ];
}

async function floorOf(folder: string, bytes: number, connections: number): Promise<number> {
  const script = join(import.meta.dirname, "vault/floor.ts");
  const args = [join(folder, "floor"), String(bytes), String(connections), String(secondsInRound)];
  const env = { ...process.env, UV_THREADPOOL_SIZE: "40" };
  const { stdout } = await run(process.execPath, [script, ...args], { env });
  return (JSON.parse(stdout) as { putsPerSecond: number }).putsPerSecond;
}

async function clientOf(
  vault: BenchVault,
  verb: "put" | "get",
  bytes: number,
  connections: number,
): Promise<ClientResult> {
  const script = join(import.meta.dirname, "vault/client.ts");
  const args = [vault.path, verb, String(bytes), String(connections), String(secondsInRound)];
  const { stdout } = await run(process.execPath, [script, ...args]);
  return JSON.parse(stdout) as ClientResult;
}

function describe(result: ClientResult | undefined): string {
  if (result === undefined) return "";
  const { perSecond, count, p50Ms, p99Ms, paths, errors } = result;
  const failed = Object.keys(errors).length === 0 ? "" : `, errors ${JSON.stringify(errors)}`;
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (n ${count}), ${JSON.stringify(paths)}${failed}`;
}

function nameOf(bytes: number, connections: number): string {
  const size = bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / 1024} KiB`;
  return `${size}, ${connections} connection${connections === 1 ? "" : "s"}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
