/**
 * Joins a machine to a vault with its bundle.
 *
 *   checks  bundle, clock, addresses, drives       nothing is written before all of them are done
 *   files   vault's file, keys, certificates       each whole or not at all, machine.json last
 *   drives  those that are empty are formatted     half-formatted drives after a kill are finished
 *   enrols  at the console's ingest                a node that already has a key is not changed
 *
 * Joining again with the same bundle does the remaining steps, if any. A later bundle of the same machine replaces keys
 * and certificates, which running agents load.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AGENT_VERSION, reportedNodeName, telemetryKeyPath } from "@stashlight/node-runtime";
import { type VaultFile, type VaultNode, writeSecretFile } from "@stashlight/node-runtime/config";
import { obtainKey } from "@stashlight/telemetry";
import {
  BUNDLE_CA,
  BUNDLE_VAULT,
  type BundleContent,
  isSignedByAuthority,
  readBundle,
} from "../bundle/bundle.ts";
import { nodesOfMachine } from "../layout/vault-file.ts";
import { SetupError } from "../setup-error.ts";
import { checkAddresses } from "./addresses.ts";
import { checkConsoleClock, checkValidity } from "./clock.ts";
import { checkDrives, type DriveCheck, driveWarnings, formatDrives, listMachineDrives } from "./drives.ts";
import {
  type JoinedMachine,
  type MachineState,
  openMachine,
  readMachineState,
  tokenFilePath,
  writeMachineFiles,
  writeMachineState,
} from "./machine-folder.ts";

export interface JoinOptions {
  readonly bundle: string;
  readonly folder: string;
  /** Overrides the bundle's tokens. */
  readonly tokens: Readonly<Partial<Record<VaultNode["role"], string>>>;
  readonly nowMs: () => number;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Bytes of drives formatted so far, and of all drives to format. */
  readonly progress: (doneBytes: number, allBytes: number) => void;
}

export interface Joined {
  readonly machine: JoinedMachine;
  /** True if the nodes are already running. */
  readonly isRunning: boolean;
}

/** Throws a SetupError. */
export async function joinVault(options: JoinOptions): Promise<Joined> {
  const { bundle, folder, nowMs, say, warn } = options;
  const content = readBundle(bundle);
  checkValidity(content, nowMs());
  const before = readMachineState(folder);
  if (before !== null) refuseOther(before, content, options);
  const file = vaultFileIn(content);
  const nodes = nodesOfMachine(file, content.machine);
  if (nodes.length === 0) throw new SetupError(`The bundle ${bundle} has no node for ${content.machine}.`);
  if (file.telemetry !== undefined) {
    const warning = await checkConsoleClock(file.telemetry.ingest, nowMs);
    if (warning !== null) warn(warning);
  }
  const isRunning = (await checkAddresses(nodes, content.files[BUNDLE_CA] ?? "")) === "running";
  if (isRunning && before === null) {
    throw new SetupError(
      `${content.machine} has joined already: its nodes run on this machine, from another folder than ${folder}.`,
    );
  }
  const drives = listMachineDrives(file, nodes);
  const checks = await checkDrives(file, drives);
  refuseDrives(checks, before, isRunning);
  if (before === null) for (const warning of driveWarnings(drives)) warn(warning);
  const isNewer = before === null || content.issuedAt !== before.issuedAt;
  if (isNewer) writeMachineFiles(folder, content);
  const { vault, clusterId, machine, issuedAt } = content;
  const state = { vault, clusterId, machine, issuedAt, formatted: before?.formatted ?? [] };
  writeMachineState(folder, state);
  await format(file, checks, options);
  writeMachineState(folder, { ...state, formatted: drives.map(({ drive }) => drive.driveId) });
  const joined = openMachine(folder);
  await enrolNodes(joined, content, options);
  say(`${machine} has joined the vault ${vault}: ${nodes.map(({ id }) => id).join(", ")}.`);
  return { machine: joined, isRunning };
}

/** The machine's copy of the vault file, with paths still relative. */
function vaultFileIn({ files }: BundleContent): VaultFile {
  return JSON.parse(files[BUNDLE_VAULT] ?? "null") as VaultFile;
}

function refuseOther(before: MachineState, content: BundleContent, { bundle, folder }: JoinOptions): void {
  const { vault, machine } = before;
  if (before.clusterId !== content.clusterId) {
    throw new SetupError(
      `This machine is ${machine} of the vault ${vault} according to ${folder}, but the bundle is of the vault ${content.vault === vault ? `${vault} that was created another time` : content.vault}; give another folder with --folder to hold both.`,
    );
  }
  if (machine !== content.machine) {
    throw new SetupError(
      `This machine is ${machine} according to ${folder}, but the bundle is for ${content.machine}; take it to that machine.`,
    );
  }
  if (!isSignedByAuthority(bundle, readFileSync(join(folder, BUNDLE_CA), "utf8"))) {
    throw new SetupError(
      `The bundle ${bundle} is not signed by the authority of the vault that ${machine} has joined.`,
    );
  }
  if (content.issuedAt < before.issuedAt) {
    throw new SetupError(
      `The bundle ${bundle} was created at ${content.issuedAt}, but ${machine} has joined with a later one, of ${before.issuedAt}.`,
    );
  }
}

/** An empty drive that was formatted before was lost, or is not mounted. */
function refuseDrives(checks: readonly DriveCheck[], before: MachineState | null, isRunning: boolean): void {
  const faults = checks.flatMap(({ drive, state }) => {
    const { path } = drive.drive;
    if (state === "in use" && !isRunning)
      return [`The drive ${path} is in use by another process; stop it first.`];
    if (state === "empty" && before?.formatted.includes(drive.drive.driveId)) {
      return [
        `The drive ${path} was formatted before and is empty; check whether it is mounted. A new drive gets a new id: see "Replace a drive" in docs/vault-life-cycle.md.`,
      ];
    }
    return [];
  });
  if (faults.length > 0) throw new SetupError(faults);
}

async function format(
  file: VaultFile,
  checks: readonly DriveCheck[],
  { progress }: JoinOptions,
): Promise<void> {
  const waiting = checks.filter(({ state }) => state === "empty" || state === "unfinished");
  const allBytes = waiting.reduce((sum, { drive }) => sum + drive.bytes, 0);
  let doneBytes = 0;
  if (allBytes > 0) progress(0, allBytes);
  await formatDrives(file, waiting, ({ bytes }) => {
    doneBytes += bytes;
    progress(doneBytes, allBytes);
  });
}

/** An unreachable console does not stop the join: the agents retry with the stored token. */
async function enrolNodes(
  machine: JoinedMachine,
  content: BundleContent,
  options: JoinOptions,
): Promise<void> {
  const { file, folder, nodes } = machine;
  if (file.telemetry === undefined) return;
  const { ingest } = file.telemetry;
  for (const node of nodes) {
    const token = options.tokens[node.role] ?? content.tokens[node.role] ?? null;
    const tokenFile = tokenFilePath(folder, node.role);
    if (token !== null) writeSecretFile(tokenFile, `${token}\n`);
    if (await enrolNode(node, { file, ingest, token }, options)) rmSync(tokenFile, { force: true });
  }
}

/** Returns true if the node has its key. */
async function enrolNode(
  node: VaultNode,
  { file, ingest, token }: { file: VaultFile; ingest: string; token: string | null },
  { warn }: JoinOptions,
): Promise<boolean> {
  const giveUp = new AbortController();
  const keyFile = telemetryKeyPath(node);
  mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 });
  const obtained = await obtainKey({
    origin: ingest,
    timeoutMs: ENROL_WITHIN_MS,
    keyFile,
    token,
    identity: { name: reportedNodeName(file, node), role: node.role, agentVersion: AGENT_VERSION },
    onWait: (reason) => {
      warn(`${node.id} is not enrolled yet: ${reason}`);
      giveUp.abort();
    },
    signal: giveUp.signal,
  });
  if (obtained.type === "key") return true;
  if (obtained.because === "refused") throw new SetupError(`${node.id} could not enrol: ${obtained.reason}`);
  if (obtained.because === "no_token") {
    warn(
      `${node.id} reports nothing to the console yet; join again with --token ${node.role}=TOKEN, a token of Manage > Nodes.`,
    );
  }
  return false;
}

const ENROL_WITHIN_MS = 10_000;
