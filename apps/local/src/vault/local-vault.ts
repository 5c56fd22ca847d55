/** The vault of this machine: its agents as parts that are started, watched and stopped with everything else. */
import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type AgentLaunch, agentLaunches } from "@stashlight/agent/launch";
import { Failure } from "../failure.ts";
import { askHelper } from "../helper-process.ts";
import { prepareLogFile } from "../log-files.ts";
import { startNode } from "../node-process.ts";
import type { Part } from "../supervisor.ts";
import { diskBytesOf, isFormatted, markFormatted, vaultFileOf, vaultFolderOf } from "./files.ts";
import { localVaultBytes, podCount, stashDeviceCount } from "./geometry.ts";
import type { VaultPrepared } from "./prepare-vault.ts";
import { startProbe } from "./probe.ts";
import { whyNotReady } from "./readiness.ts";
import type { VaultPorts } from "./vault-file.ts";

export interface VaultStart {
  projectDirectory: string;
  dataDirectory: string;
  ports: VaultPorts;
  isModelled: boolean;
  /** Whether the vault is compared with itself, by uploads now and then. */
  hasBenchmark: boolean;
  /** Of processes that know the database; agents do not. */
  installationEnv: NodeJS.ProcessEnv;
  env: NodeJS.ProcessEnv;
  show(detail: string): void;
  /** Hears of the process that prepares the vault, so that a stop can end it. */
  onSpawn(child: ChildProcess): void;
  startPart(part: Part): Promise<void>;
  stopping: AbortSignal;
}

/** The drives of the first start have to be filled with zeros, which a slow disk takes minutes for. */
const readyWithinMs = 300_000;
const settledWithinMs = 60_000;
const pollMs = 200;
const stopPatienceMs = 2500;

/** Resolves when uploads are taken. */
export async function startVault(start: VaultStart): Promise<{ prepared: VaultPrepared; detail: string }> {
  const { dataDirectory, show, startPart, isModelled } = start;
  const prepared = await prepareVault(start);
  const folder = vaultFolderOf(dataDirectory);
  const progress = isFormatted(folder) ? undefined : showProgress(folder, show);
  try {
    if (progress === undefined) show("starting agents");
    const processorCount = availableParallelism();
    const launches = agentLaunches({ nodeIds: prepared.nodeIds, stashDeviceCount, processorCount });
    const startAll = (some: readonly AgentLaunch[]) =>
      Promise.all(some.map((launch) => startPart(agentPart(launch, prepared, start))));
    await startAll(launches.filter(({ role }) => role !== "coordinator"));
    // Those that it calls are there then, so it need not wait to call again.
    await startAll(launches.filter(({ role }) => role === "coordinator"));
  } finally {
    clearInterval(progress);
  }
  markFormatted(folder);
  await Promise.all([untilReady(prepared, start), startProbe(prepared, start)]);
  const drives = `${podCount} pods, ${stashDeviceCount} stash devices`;
  const detail = `${drives}${isModelled ? ", all modelled" : ""}, ${gigabytes(diskBytesOf(folder))} of disk`;
  return { prepared, detail };
}

function prepareVault({
  projectDirectory,
  dataDirectory,
  ports,
  isModelled,
  hasBenchmark,
  installationEnv,
  onSpawn,
}: VaultStart): Promise<VaultPrepared> {
  const definition = {
    label: "Preparing the vault",
    entry: join(import.meta.dirname, "prepare-vault.ts"),
    args: [
      ...[vaultFileOf(dataDirectory), String(ports.s3), String(ports.ingest)],
      ...(hasBenchmark ? ["--benchmark"] : []),
      ...(isModelled ? ["--modelled"] : []),
    ],
    env: installationEnv,
    workingDirectory: projectDirectory,
    logFile: prepareLogFile(dataDirectory, "vault"),
  };
  return askHelper<VaultPrepared>(definition, "vault prepared", onSpawn);
}

function agentPart(
  { role, name, nodeIds, entry, nodeFlags, env: roleEnv }: AgentLaunch,
  { enrolmentTokenFiles }: VaultPrepared,
  { projectDirectory, dataDirectory, env }: VaultStart,
): Part {
  const folder = vaultFolderOf(dataDirectory);
  const label = labelOf(name);
  const tokenFile = enrolmentTokenFiles[role];
  return {
    label,
    stopPatienceMs,
    start: (onSpawn) =>
      startNode(
        {
          label: `The process "${name}" of the vault`,
          entry: join(projectDirectory, entry),
          args: [
            ...["--config", vaultFileOf(dataDirectory)],
            ...nodeIds.flatMap((id) => ["--node", id]),
            ...(isFormatted(folder) || role === "coordinator" ? [] : ["--format"]),
            ...(tokenFile === undefined ? [] : ["--enrolment-token-file", tokenFile]),
          ],
          nodeFlags,
          env: { ...env, ...roleEnv },
          workingDirectory: projectDirectory,
          logFile: prepareLogFile(dataDirectory, name),
        },
        onSpawn,
        readyWithinMs,
      ),
  };
}

/** "Pods 1" of `pods-1`. */
function labelOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replace("-", " ")}`;
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
