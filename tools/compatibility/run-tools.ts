/** Runs the jobs of tools one after another, so that their requests do not mix: over plain HTTP, and then over TLS. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { BenchVault } from "../bench/vault/running.ts";
import { readTarget, writeTarget } from "../bench/vault/target.ts";
import { repositoryRoot } from "../run/environment.ts";
import type { Result } from "./document.ts";
import { changeFiles, compareFiles, writeFiles } from "./files.ts";
import { install, runProgram } from "./install.ts";
import type { Installed, Tool, VaultAddress } from "./tool.ts";

const MIB = 1_048_576;
const JOB_WITHIN_MS = 900_000;

export interface RunOptions {
  readonly sizeBytes: number;
  /** Tools are installed below it, and later runs reuse them. */
  readonly installFolder: string;
  readonly onResult: (result: Result) => void;
}

export async function runTools(
  tools: readonly Tool[],
  { sizeBytes, installFolder, onResult }: RunOptions,
): Promise<Result[]> {
  await mkdir(installFolder, { recursive: true });
  // Beside the sources rather than in a temporary folder, which often has no O_DIRECT.
  const cache = join(repositoryRoot, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "compatibility-"));
  const files = join(folder, "files");
  await writeFiles(files, sizeBytes);
  const results: Result[] = [];
  try {
    for (const isTls of [false, true]) {
      const chosen = tools.filter(({ needsTls = false }) => needsTls === isTls);
      if (chosen.length === 0) continue;
      const vault = await startVault(join(folder, isTls ? "tls-vault" : "vault"), isTls);
      try {
        for (const tool of chosen) {
          const scratch = join(folder, tool.id);
          const result = await runTool(tool, { files, scratch, installFolder, address: addressOf(vault) });
          results.push(result);
          onResult(result);
          await rm(scratch, { recursive: true, force: true });
        }
      } finally {
        await vault.stop();
      }
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Has capacity for the files of a job twice, because deleted data takes space until the pods have compacted their logs.
 */
function startVault(folder: string, isTls: boolean): Promise<BenchVault> {
  return BenchVault.create(folder, {
    isTls,
    podVolume: { segmentBytes: 32 * MIB, segmentCount: 64 },
    stashVolume: { segmentBytes: 16 * MIB, segmentCount: 16 },
    shape: {
      scheme: { dataShardCount: 2, parityShardCount: 1 },
      podNodeCount: 3,
      stashNodeCount: 3,
      drivesPerStashNode: 1,
    },
  });
}

function addressOf({ folder, file }: BenchVault): VaultAddress {
  const { endpoint, region, accessKey, ca = null } = readTarget(writeTarget(folder, file));
  return {
    endpoint,
    host: new URL(endpoint).host,
    region,
    accessKeyId: accessKey.id,
    secretAccessKey: accessKey.secret,
    authority: ca,
  };
}

interface Place {
  readonly files: string;
  readonly scratch: string;
  readonly installFolder: string;
  readonly address: VaultAddress;
}

async function runTool(tool: Tool, place: Place): Promise<Result> {
  const startedMs = performance.now();
  const end = (version: string | null, outcome: Result["outcome"]): Result => {
    return { tool, version, outcome, seconds: (performance.now() - startedMs) / 1000 };
  };
  let installed: Installed;
  try {
    installed = await install(tool, place.installFolder);
  } catch (error) {
    return end(null, { kind: "not installed", reason: (error as Error).message });
  }
  let version: string | null = null;
  try {
    version = (await tool.version(installed)).trim();
    await doJob(tool, installed, place);
    return end(version, { kind: "passed" });
  } catch (error) {
    return end(version, { kind: "failed", reason: (error as Error).message });
  }
}

async function doJob(tool: Tool, { program }: Installed, place: Place): Promise<void> {
  const { scratch, address: vault } = place;
  const files = join(scratch, "files");
  const own = join(scratch, "own");
  await mkdir(own, { recursive: true });
  await cp(place.files, files, { recursive: true, preserveTimestamps: true });
  await tool.run({
    vault,
    program,
    run: runProgram(JOB_WITHIN_MS),
    awsEnvironment: {
      AWS_ACCESS_KEY_ID: vault.accessKeyId,
      AWS_SECRET_ACCESS_KEY: vault.secretAccessKey,
      AWS_ENDPOINT_URL: vault.endpoint,
      AWS_DEFAULT_REGION: vault.region,
      AWS_REGION: vault.region,
      AWS_EC2_METADATA_DISABLED: "true",
    },
    bucket: `job-${tool.id}`,
    files,
    scratch: own,
    changeFiles: () => changeFiles(files),
    compareFiles: (restored) => compareFiles(files, restored),
  });
}
