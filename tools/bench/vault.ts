/**
 * The vault as its clients see it, with full durability, against the floor: the same bytes on the same disk in one
 * process that does nothing else. Floor and vault alternate, because machines drift by a factor of two within an hour.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../run/environment.ts";
import type { Measurement } from "./measurement.ts";
import type { BenchOptions } from "./options.ts";
import { median } from "./rounds.ts";
import { benchAgainst } from "./vault/against.ts";
import type { ClientResult } from "./vault/client.ts";
import { benchEncryption } from "./vault/encryption.ts";
import { benchProfile } from "./vault/profile.ts";
import { runClient } from "./vault/run-client.ts";
import { BenchVault, benchVolumes } from "./vault/running.ts";
import { benchScrub } from "./vault/scrub.ts";
import { writeTarget } from "./vault/target.ts";
import { benchTls } from "./vault/tls.ts";

const MIB = 1_048_576;
const rounds = 3;
const secondsInRound = 6;
const cases = [
  { bytes: 262_144, connections: 1 },
  { bytes: 262_144, connections: 16 },
  { bytes: MIB, connections: 1 },
  { bytes: MIB, connections: 16 },
] as const;
const residentMbMax = 600;
const floorShareMin = 0.6;

const run = promisify(execFile);

export async function benchVault(
  say: (line: string) => void,
  { against, isTls, isEncryption, isScrub, isProfile }: BenchOptions,
): Promise<Measurement[]> {
  if (isProfile) return await benchProfile(say);
  if (isScrub === true) return await benchScrub(say);
  if (isEncryption === true) return await benchEncryption(say);
  if (isTls === true) return await benchTls(say);
  if (against !== undefined) return await benchAgainst(against, say);
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
  const vault = await BenchVault.create(join(folder, "plain"), benchVolumes);
  try {
    const measurements: Measurement[] = [];
    for (const { bytes, connections } of cases) {
      const floors: number[] = [];
      const puts: ClientResult[] = [];
      const cpuUs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        floors.push(await measureFloor(folder, bytes, connections));
        const before = vault.cost().cpuSeconds;
        const put = await measureClient(vault, "put", bytes, connections);
        cpuUs.push(((vault.cost().cpuSeconds - before) * 1e6) / put.allCount);
        puts.push(put);
        const [floor, cpu] = [floors.at(-1)?.toFixed(0), cpuUs.at(-1)?.toFixed(0)];
        say(
          `${caseName(bytes, connections)}: floor ${floor}/s, ${describe(put)}, agents' processor ${cpu} us a put`,
        );
      }
      measurements.push({
        name: `put ${caseName(bytes, connections)}`,
        value: median(puts.map(({ perSecond }) => perSecond)),
        unit: "1/s",
        against: { name: `the floor (target ${floorShareMin})`, value: median(floors) },
      });
      if (connections > 1) measurements.push(...(await benchStages(folder, bytes, median(cpuUs))));
    }
    const { residentMb, proportionalMb } = vault.cost();
    const budget = { unit: "MB", against: { name: "budget", value: residentMbMax } } as const;
    measurements.push({ name: "all agents, resident under load", value: residentMb, ...budget });
    measurements.push({ name: "the same, shared pages once", value: proportionalMb, ...budget });
    return [...measurements, await benchReads(vault, folder, say)];
  } finally {
    await vault.remove();
  }
}

/** Distribution of a put's CPU time; the unaccounted rest is sockets, HTTP, protocol and memory. */
async function benchStages(folder: string, bytes: number, totalUs: number): Promise<Measurement[]> {
  const script = join(import.meta.dirname, "vault/stages.ts");
  const args = [script, join(folder, "stages"), String(bytes)];
  const env = { ...process.env, UV_THREADPOOL_SIZE: "24" };
  const { stdout } = await run(process.execPath, args, { env });
  const { hashUs, encodeUs, frameUs, logUs } = JSON.parse(stdout) as Record<string, number>;
  const parts = { hash: hashUs, encode: encodeUs, frame: frameUs, log: logUs, "all of it": totalUs };
  return Object.entries(parts).map(([part, us]) => ({
    name: `processor, put ${caseName(bytes, 16)}: ${part}`,
    value: us ?? Number.NaN,
    unit: "us",
    against: { name: "all of it", value: totalUs },
  }));
}

async function benchReads(
  vault: BenchVault,
  folder: string,
  say: (line: string) => void,
): Promise<Measurement> {
  const script = join(import.meta.dirname, "vault/file-reads.ts");
  const args = [script, join(folder, "files"), "262144", String(secondsInRound)];
  const fileMs: number[] = [];
  const getMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { stdout } = await run(process.execPath, args);
    fileMs.push((JSON.parse(stdout) as { p50Ms: number }).p50Ms);
    const gets = await measureClient(vault, "get", 262_144, 1);
    getMs.push(gets.p50Ms);
    say(`get 256 KiB: 16 files p50 ${fileMs.at(-1)?.toFixed(2)} ms, ${describe(gets)}`);
  }
  return {
    name: "get 256 KiB, p50",
    value: median(getMs),
    unit: "ms",
    against: { name: "16 shards from files (target 2)", value: median(fileMs) },
  };
}

/** With pods as slow as HDDs, through the stash and directly; the two vaults alternate. */
async function benchModelled(folder: string, say: (line: string) => void): Promise<Measurement[]> {
  const p50Ms: Record<"stash" | "direct", number[]> = { stash: [], direct: [] };
  const paths = ["stash", "direct"] as const;
  const vaults: BenchVault[] = [];
  try {
    for (const path of paths) {
      const options = {
        ...benchVolumes,
        podModel: "seagate-exos-x16-16tb",
        isStashEnabled: path === "stash",
      } as const;
      vaults.push(await BenchVault.create(join(folder, path), options));
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, path] of paths.entries()) {
        const result = await measureClient(vaults[at] as BenchVault, "put", 256_000, 1);
        p50Ms[path].push(result.p50Ms);
        say(`modelled HDDs, ${path}: ${describe(result)}`);
      }
    }
  } finally {
    await Promise.all(vaults.map((vault) => vault.remove()));
  }
  return [
    {
      name: "put 256 kB by the stash, modelled HDDs, p50",
      value: median(p50Ms.stash),
      unit: "ms",
      against: { name: "the direct path (target 1/3)", value: median(p50Ms.direct) },
    },
  ];
}

async function measureFloor(folder: string, bytes: number, connections: number): Promise<number> {
  const script = join(import.meta.dirname, "vault/floor.ts");
  const args = [join(folder, "floor"), String(bytes), String(connections), String(secondsInRound)];
  const env = { ...process.env, UV_THREADPOOL_SIZE: "40" };
  const { stdout } = await run(process.execPath, [script, ...args], { env });
  return (JSON.parse(stdout) as { putsPerSecond: number }).putsPerSecond;
}

async function measureClient(
  vault: BenchVault,
  verb: "put" | "get",
  bytes: number,
  connections: number,
): Promise<ClientResult> {
  const target = writeTarget(vault.folder, vault.file);
  return await runClient(target, { verb, bytes, connections, seconds: secondsInRound });
}

function describe(result: ClientResult | undefined): string {
  if (result === undefined) return "";
  const { perSecond, count, p50Ms, p99Ms, paths, errors } = result;
  const failed = Object.keys(errors).length === 0 ? "" : `, errors ${JSON.stringify(errors)}`;
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (n ${count}), ${JSON.stringify(paths)}${failed}`;
}

function caseName(bytes: number, connections: number): string {
  const size = bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / 1024} KiB`;
  return `${size}, ${connections} connection${connections === 1 ? "" : "s"}`;
}
