/** The vault of this machine: its agents as parts that are started, watched and stopped with everything else. */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../failure.ts";
import { askHelper } from "../helper-process.ts";
import { prepareLogFile } from "../log-files.ts";
import { startNode } from "../node-process.ts";
import type { Part } from "../supervisor.ts";
import { diskBytesOf, isFormatted, markFormatted, vaultFileOf, vaultFolderOf } from "./files.ts";
import { localVaultBytes, podCount, stashDeviceCount } from "./geometry.ts";
import type { VaultPrepared } from "./prepare-vault.ts";
import { whyNotReady } from "./readiness.ts";

export interface VaultStart {
  projectDirectory: string;
  dataDirectory: string;
  s3Port: number;
  env: NodeJS.ProcessEnv;
  show(detail: string): void;
  /** Hears of the process that prepares the vault, so that a stop can end it. */
  onSpawn(child: ChildProcess): void;
  startPart(part: Part): Promise<void>;
  stopping: AbortSignal;
}

export const vaultEntries = {
  pod: "agents/pod/src/main.ts",
  stash: "agents/stash/src/main.ts",
  coordinator: "agents/coordinator/src/main.ts",
} as const;

/** The drives of the first start have to be filled with zeros, which a slow disk takes minutes for. */
const readyWithinMs = 300_000;
const settledWithinMs = 60_000;
const pollMs = 200;
const stopPatienceMs = 2500;

/**
 * All nodes of a role share a process. Threads are for the system calls that wait for a disk: the devices of the stash
 * sync all at once, and whoever uploads waits for them; pods sync now and then, and nobody waits.
 */
const agents = [
  { role: "pod", label: "Pods", threadCount: 8 },
  { role: "stash", label: "Stash", threadCount: stashDeviceCount + 3 },
  { role: "coordinator", label: "Coordinator", threadCount: 4 },
] as const;

/**
 * A small young generation and an old one that is collected when it has grown by two fifths: a hundred megabytes less
 * for the three processes under load, for a twelfth more of processor time an upload.
 */
const nodeFlags = ["--max-semi-space-size=2", "--heap-growing-percent=40"];

/** Resolves when uploads are taken. */
export async function startVault(start: VaultStart): Promise<{ prepared: VaultPrepared; detail: string }> {
  const { dataDirectory, show, startPart } = start;
  const prepared = await prepareVault(start);
  const folder = vaultFolderOf(dataDirectory);
  const progress = isFormatted(folder) ? undefined : showProgress(folder, show);
  try {
    for (const agent of agents) {
      if (progress === undefined) show(`starting ${agent.label.toLowerCase()}`);
      await startPart(agentPart(agent, prepared, start));
    }
  } finally {
    clearInterval(progress);
  }
  markFormatted(folder);
  await untilReady(prepared, start);
  const detail = `${podCount} pods, ${stashDeviceCount} stash devices, ${gigabytes(diskBytesOf(folder))} of disk`;
  return { prepared, detail };
}

function prepareVault({
  projectDirectory,
  dataDirectory,
  s3Port,
  env,
  onSpawn,
}: VaultStart): Promise<VaultPrepared> {
  const definition = {
    label: "Preparing the vault",
    entry: join(import.meta.dirname, "prepare-vault.ts"),
    args: [vaultFileOf(dataDirectory), String(s3Port)],
    env,
    workingDirectory: projectDirectory,
    logFile: prepareLogFile(dataDirectory, "vault"),
  };
  return askHelper<VaultPrepared>(definition, "vault prepared", onSpawn);
}

function agentPart(
  { role, label, threadCount }: (typeof agents)[number],
  { nodeIds }: VaultPrepared,
  { projectDirectory, dataDirectory, env }: VaultStart,
): Part {
  const folder = vaultFolderOf(dataDirectory);
  return {
    label,
    stopPatienceMs,
    start: (onSpawn) =>
      startNode(
        {
          label: `The process of the vault's ${label.toLowerCase()}`,
          entry: join(projectDirectory, vaultEntries[role]),
          args: [
            ...["--config", vaultFileOf(dataDirectory)],
            ...nodeIds[role].flatMap((id) => ["--node", id]),
            ...(isFormatted(folder) || role === "coordinator" ? [] : ["--format"]),
          ],
          nodeFlags,
          env: { ...env, UV_THREADPOOL_SIZE: String(threadCount) },
          workingDirectory: projectDirectory,
          logFile: prepareLogFile(dataDirectory, label.toLowerCase()),
        },
        onSpawn,
        readyWithinMs,
      ),
  };
}

/** The first start writes every byte of every drive once; where each step is a line, ten of them are enough. */
function showProgress(folder: string, show: (detail: string) => void): NodeJS.Timeout {
  return setInterval(() => {
    const percent = Math.min(10, Math.floor((diskBytesOf(folder) / localVaultBytes) * 10)) * 10;
    show(`making drives, ${percent} % of ${gigabytes(localVaultBytes)}`);
  }, pollMs);
}

async function untilReady({ admin }: VaultPrepared, { show, stopping }: VaultStart): Promise<void> {
  const deadlineMs = performance.now() + settledWithinMs;
  for (;;) {
    const reason = await whyNotReady(admin);
    if (reason === undefined) return;
    if (performance.now() > deadlineMs) {
      throw new Failure(
        `The vault was not ready after ${settledWithinMs / 1000} s (${reason}); start without it with --no-vault.`,
      );
    }
    show("waiting for the pods to settle");
    await delay(pollMs, undefined, { signal: stopping });
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
