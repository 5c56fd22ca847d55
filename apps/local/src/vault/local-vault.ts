/** The vault of this machine: its agents as parts that are started, watched and stopped with everything else. */
import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type AgentLaunch, agentEntry, agentLaunches, measureSyncMs } from "@stashlight/node-runtime/launch";
import { Failure } from "../failure.ts";
import { askHelper } from "../helper-process.ts";
import { prepareLogFile } from "../log-files.ts";
import { startNode } from "../node-process.ts";
import type { Part } from "../supervisor.ts";
import { diskBytesOf, isFormatted, markFormatted, vaultFileOf, vaultFolderOf } from "./files.ts";
import type { ShapeWanted } from "./geometry.ts";
import type { VaultPrepared } from "./prepare-vault.ts";
import { startProbe } from "./probe.ts";
import { whyNotReady } from "./readiness.ts";
import type { VaultPorts } from "./vault-file.ts";

export interface VaultStart {
  projectDirectory: string;
  dataDirectory: string;
  ports: VaultPorts;
  isModelled: boolean;
  shape: ShapeWanted;
  /** Whether the vault is compared with itself, by uploads now and then. */
  hasBenchmark: boolean;
  /** The environment of processes that know the database; agents do not. */
  installationEnv: NodeJS.ProcessEnv;
  env: NodeJS.ProcessEnv;
  show(detail: string): void;
  /** Hears of the process that prepares the vault, so that a stop can end it. */
  onSpawn(child: ChildProcess): void;
  startPart(part: Part): Promise<void>;
  stopping: AbortSignal;
}

/** New drives and segments are filled with zeros; this is the write rate of a slow disk. */
const slowDiskBytesPerSecond = 20e6;
const readyWithinMsMin = 300_000;
const settledWithinMs = 60_000;
const pollMs = 200;
const stopPatienceMs = 2500;

/** Resolves when uploads are taken. */
export async function startVault(start: VaultStart): Promise<{ prepared: VaultPrepared; detail: string }> {
  const { dataDirectory, show, startPart, isModelled } = start;
  const prepared = await prepareVault(start);
  const folder = vaultFolderOf(dataDirectory);
  const progress = showProgress(folder, prepared, show);
  try {
    const { stashDeviceCount } = prepared;
    const processorCount = availableParallelism();
    const syncMs = await measureSyncMs(folder);
    const launches = agentLaunches({ nodeIds: prepared.nodeIds, stashDeviceCount, processorCount, syncMs });
    const startAll = (some: readonly AgentLaunch[]) =>
      Promise.all(some.map((launch) => startPart(agentPart(launch, prepared, start))));
    const hasCoordinator = ({ roles }: AgentLaunch): boolean => roles.includes("coordinator");
    await startAll(launches.filter((launch) => !hasCoordinator(launch)));
    // The nodes that it calls are there then, so it need not wait to call again.
    await startAll(launches.filter(hasCoordinator));
  } finally {
    clearInterval(progress);
  }
  markFormatted(folder);
  await Promise.all([untilReady(prepared, start), startProbe(prepared, start)]);
  const drives = `${prepared.podCount} pods, ${prepared.stashDeviceCount} stash devices`;
  const detail = `${drives}${isModelled ? ", all modelled" : ""}, ${gigabytes(diskBytesOf(folder))} of disk`;
  return { prepared, detail };
}

function prepareVault({
  projectDirectory,
  dataDirectory,
  ports,
  isModelled,
  shape,
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
      ...(shape.scheme === undefined ? [] : ["--scheme", shape.scheme]),
      ...(shape.sizeBytes === undefined ? [] : ["--size", String(shape.sizeBytes)]),
    ],
    env: installationEnv,
    workingDirectory: projectDirectory,
    logFile: prepareLogFile(dataDirectory, "vault"),
  };
  return askHelper<VaultPrepared>(definition, "vault prepared", onSpawn);
}

function agentPart(
  { name, roles, nodeIds, nodeFlags, env: launchEnv }: AgentLaunch,
  { enrolmentTokenFiles, bytes }: VaultPrepared,
  { projectDirectory, dataDirectory, env }: VaultStart,
): Part {
  const folder = vaultFolderOf(dataDirectory);
  const label = labelOf(name);
  const tokenFiles = roles.flatMap((role) => {
    const file = enrolmentTokenFiles[role];
    return file === undefined ? [] : ["--enrolment-token-file", `${role}=${file}`];
  });
  return {
    label,
    stopPatienceMs,
    start: (onSpawn) =>
      startNode(
        {
          label: `The process "${name}" of the vault`,
          entry: join(projectDirectory, agentEntry),
          args: [
            ...["--config", vaultFileOf(dataDirectory)],
            ...nodeIds.flatMap((id) => ["--node", id]),
            ...(isFormatted(folder) ? [] : ["--format"]),
            ...tokenFiles,
          ],
          nodeFlags,
          env: { ...env, ...launchEnv },
          workingDirectory: projectDirectory,
          logFile: prepareLogFile(dataDirectory, name),
        },
        onSpawn,
        Math.max(readyWithinMsMin, (bytes / slowDiskBytesPerSecond) * 1000),
      ),
  };
}

/** "Pods 1" of `pods-1`. */
function labelOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replace("-", " ")}`;
}

/**
 * The first start, and a start at which the vault grows, write every new byte once. If each step is a line, ten are
 * enough. A lost drive is not created again, so a start that creates nothing shows that agents are starting.
 */
function showProgress(
  folder: string,
  { bytes }: VaultPrepared,
  show: (detail: string) => void,
): NodeJS.Timeout {
  show("starting agents");
  const bytesAtStart = diskBytesOf(folder);
  return setInterval(() => {
    const bytesThere = diskBytesOf(folder);
    if (bytesThere === bytesAtStart) return;
    const percent = Math.min(10, Math.floor((bytesThere / bytes) * 10)) * 10;
    show(`creating drives, ${percent} % of ${gigabytes(bytes)}`);
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
