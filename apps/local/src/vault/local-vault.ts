/**
 * The vaults of this machine behind one endpoint. Their agents are parts that are started, watched and stopped with
 * everything else.
 */
import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type AgentLaunch, agentLaunches, measureSyncMs } from "@stashlight/node-runtime/launch";
import { Failure } from "../failure.ts";
import { askHelper } from "../helper-process.ts";
import { prepareLogFile } from "../log-files.ts";
import type { Part } from "../supervisor.ts";
import { describeTimeLeft } from "../time-left.ts";
import { type AgentSurroundings, agentPart, type NumberedVault } from "./agent-part.ts";
import { createBenchmarkBucket } from "./benchmark-bucket.ts";
import type { VaultPrepared } from "./prepare-vault.ts";
import { startProbe } from "./probe.ts";
import { whyNotReady } from "./readiness.ts";
import { decideVaultCount, type VaultCount, vaultNumbers } from "./vault-count.ts";
import {
  isFormatted,
  markFormatted,
  measureDiskBytes,
  vaultFilePath,
  vaultFolderPath,
} from "./vault-folders.ts";
import type { ShapeWanted } from "./vault-size.ts";

export interface VaultStart extends AgentSurroundings {
  ports: { readonly s3: number; readonly ingest: number };
  isModelled: boolean;
  shape: ShapeWanted;
  /** The value of `--vaults`; undefined if not given. */
  count: number | undefined;
  /** True to compare the upload paths of the vault by periodic uploads. */
  hasBenchmark: boolean;
  /** Environment of processes with access to the database, which agents lack. */
  installationEnv: NodeJS.ProcessEnv;
  show(detail: string): void;
  /** Called with the process that prepares the vault, so that a stop can end it. */
  onSpawn(child: ChildProcess): void;
  startPart(part: Part): Promise<void>;
  /** Starts a part that the vault does not depend on. */
  keepPart(part: Part): Promise<unknown>;
  stopping: AbortSignal;
  /** Time for the pods to settle; a minute if not given. */
  settledWithinMs?: number;
}

export interface VaultStarted {
  /** The first vault, whose S3 address serves all of them. */
  prepared: VaultPrepared;
  count: VaultCount;
  detail: string;
}

const SETTLED_WITHIN_MS = 60_000;
const pollMs = 200;
const rateKnownAfterMs = 1000;
/**
 * Share of the expected disk space from which all drives count as created. Files of varying size cause smaller
 * deviations; a missing drive causes a larger one.
 */
const CREATED_SHARE_MIN = 0.99;

/**
 * Resolves when uploads are accepted. A vault that existed before may have lost drives: it starts with what is left, for
 * its reads, its pages and its repair, and the detail has the reason why it takes no uploads.
 */
export async function startVault(start: VaultStart): Promise<VaultStarted> {
  const { dataDirectory, show } = start;
  const count = decideVaultCount(dataDirectory, start.count);
  const vaults: NumberedVault[] = [];
  for (const number of vaultNumbers(count)) {
    vaults.push({ number, prepared: await prepareVault(start, number) });
  }
  const [first] = vaults as [NumberedVault];
  const folders = vaults.map(({ number }) => vaultFolderPath(dataDirectory, number));
  const isMade = folders.every(isFormatted);
  const bytes = vaults.reduce((sum, { prepared }) => sum + prepared.bytes, 0);
  const progress = showProgress(folders, bytes, show);
  try {
    await startAgents(vaults, start);
  } finally {
    clearInterval(progress);
  }
  for (const folder of folders) markFormatted(folder);
  const [troubles] = await Promise.all([
    Promise.all(vaults.map((vault) => untilReady(vault, start))),
    ...vaults.map(({ prepared, number }) => startProbe(prepared, start, number)),
  ]);
  const [trouble] = troubles.flatMap((each) => each ?? []);
  if (trouble !== undefined && !isMade) {
    throw new Failure(`The vault takes no uploads (${trouble.reason}); start without it with --no-vault.`);
  }
  if (start.hasBenchmark) await createBenchmarkBucket(first.prepared);
  const detail = describeVaults(vaults, count, folders, start);
  return {
    prepared: first.prepared,
    count,
    detail: trouble === undefined ? detail : describeTrouble(trouble, start, count),
  };
}

interface VaultTrouble {
  readonly number: number;
  /** Without a full stop. */
  readonly reason: string;
}

/** Other vaults behind the endpoint take the uploads of one that is unreachable. */
function describeTrouble(
  { number, reason }: VaultTrouble,
  { dataDirectory }: VaultStart,
  { total }: VaultCount,
): string {
  const vault = total === 1 ? "the vault" : `vault ${number}`;
  const config = number === 1 ? "" : ` --config ${vaultFilePath(dataDirectory, number)}`;
  return `${vault} takes no uploads yet (${reason}); npm run stashlight -- vault status${config} shows why`;
}

/** "2 vaults (1 added), 40 pods, 42 stash devices, 7.6 GB of disk" */
function describeVaults(
  vaults: readonly NumberedVault[],
  { total, added }: VaultCount,
  folders: readonly string[],
  { isModelled }: VaultStart,
): string {
  const sum = (of: (prepared: VaultPrepared) => number) =>
    vaults.reduce((total, { prepared }) => total + of(prepared), 0);
  const isGrown = added > 0 && added < total;
  return [
    ...(total === 1 ? [] : [`${total} vaults${isGrown ? ` (${added} added)` : ""}`]),
    `${sum(({ podCount }) => podCount)} pods`,
    `${sum(({ stashDeviceCount }) => stashDeviceCount)} stash devices`,
    ...(isModelled ? ["all modelled"] : []),
    `${gigabytes(diskBytesIn(folders))} of disk`,
  ].join(", ");
}

/**
 * Starts one coordinator, the first vault's, for all vaults. It starts last, so that the nodes that it calls exist and
 * it need not call again.
 */
async function startAgents(vaults: readonly NumberedVault[], start: VaultStart): Promise<void> {
  const [first, ...behind] = vaults as [NumberedVault, ...NumberedVault[]];
  const processorCount = availableParallelism();
  const syncMs = await measureSyncMs(vaultFolderPath(start.dataDirectory));
  const launches = vaults.flatMap((vault) => {
    const { nodeIds, stashDeviceCount } = vault.prepared;
    const own = vault === first ? nodeIds : { ...nodeIds, coordinator: [] };
    return agentLaunches({ nodeIds: own, stashDeviceCount, processorCount, syncMs })
      .filter(({ nodeIds: some }) => some.length > 0)
      .map((launch) => ({ launch, vault }));
  });
  const hasCoordinator = ({ launch, vault }: { launch: AgentLaunch; vault: NumberedVault }): boolean =>
    vault === first && launch.roles.includes("coordinator");
  const startAll = (some: typeof launches) =>
    Promise.all(
      some.map(({ launch, vault }) =>
        start.startPart(agentPart(launch, vault, vault === first ? behind : [], start)),
      ),
    );
  await startAll(launches.filter((each) => !hasCoordinator(each)));
  await startAll(launches.filter(hasCoordinator));
}

function prepareVault(
  {
    projectDirectory,
    dataDirectory,
    ports,
    isModelled,
    shape,
    hasBenchmark,
    installationEnv,
    onSpawn,
  }: VaultStart,
  number: number,
): Promise<VaultPrepared> {
  const earlier = vaultNumbers({ total: number - 1 });
  const definition = {
    label: "Preparing the vault",
    entry: join(import.meta.dirname, "prepare-vault.ts"),
    args: [
      ...[vaultFilePath(dataDirectory, number), String(ports.ingest)],
      ...(number === 1 ? ["--s3-port", String(ports.s3)] : []),
      ...earlier.flatMap((each) => ["--behind", vaultFilePath(dataDirectory, each)]),
      ...(hasBenchmark && number === 1 ? ["--benchmark"] : []),
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

/**
 * Creating or enlarging a vault writes every new byte once, so progress is shown by bytes, in ten lines. A lost drive
 * is not created again; if nothing is created, the output shows that agents are starting.
 */
function showProgress(
  folders: readonly string[],
  bytes: number,
  show: (detail: string) => void,
): NodeJS.Timeout {
  show("starting agents");
  const bytesAtStart = diskBytesIn(folders);
  const isCreated = bytesAtStart > CREATED_SHARE_MIN * bytes;
  let firstByteAtMs: number | undefined;
  let shownPercent: number | undefined;
  return setInterval(() => {
    const written = diskBytesIn(folders) - bytesAtStart;
    if (isCreated || written <= 0) return;
    firstByteAtMs ??= performance.now();
    const percent = Math.min(10, Math.floor(((bytesAtStart + written) / bytes) * 10)) * 10;
    if (percent === shownPercent) return;
    shownPercent = percent;
    const elapsedMs = performance.now() - firstByteAtMs;
    const totalMs = (elapsedMs * (bytes - bytesAtStart)) / written;
    const isKnown = elapsedMs > rateKnownAfterMs && percent < 100;
    const timeLeft = isKnown ? `, ${describeTimeLeft({ totalMs, isRecorded: true }, elapsedMs)}` : "";
    show(`creating drives, ${percent} % of ${gigabytes(bytes)}${timeLeft}`);
  }, pollMs);
}

/** Resolves to null once the vault accepts uploads, or to the reason why it has not done so in time. */
async function untilReady(
  { number, prepared: { admin } }: NumberedVault,
  { show, stopping, settledWithinMs = SETTLED_WITHIN_MS }: VaultStart,
): Promise<VaultTrouble | null> {
  const deadlineMs = performance.now() + settledWithinMs;
  for (;;) {
    const reason = await whyNotReady(admin);
    if (reason === undefined) return null;
    if (performance.now() > deadlineMs) return { number, reason: reason.replace(/\.$/, "") };
    show("waiting for the pods to settle");
    await delay(pollMs, undefined, { signal: stopping });
  }
}

const diskBytesIn = (folders: readonly string[]): number =>
  folders.reduce((sum, folder) => sum + measureDiskBytes(folder), 0);

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
