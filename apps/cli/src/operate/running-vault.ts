/** A running vault during an operation: its current epoch, and changes to it. */

import { setTimeout as delay } from "node:timers/promises";
import {
  inEpoch,
  parseVaultEpoch,
  readRawVaultFile,
  toVaultEpoch,
  type VaultEpoch,
  type VaultFile,
  VaultFileError,
  type VaultNode,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { announceEpoch, askEpoch, type EpochNote, fetchEpoch } from "@stashlight/node-runtime/durability";
import { operatorName } from "../operator-name.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";

const LEARNT_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;

export interface RunningVault {
  readonly access: VaultAccess;
  /** Latest epoch known to any node. */
  readonly epoch: VaultEpoch;
}

/**
 * Updates this copy of the vault's file to the latest epoch first: an operation queries the nodes in the file, and
 * would otherwise miss the content of a node that joined later. Throws a VaultFileError if no node answers.
 */
export async function findRunningVault(path: string): Promise<RunningVault> {
  const access = openVault(path);
  const raw = readRawVaultFile(path);
  let epoch = toVaultEpoch(raw);
  const known = await Promise.all(
    access.file.nodes.map(async (node) => ({ node, epoch: await askEpoch(node, { access: access.admin }) })),
  );
  if (known.every((answer) => answer.epoch === null)) {
    throw new VaultFileError(`No node of the vault answers; start its agents first.`);
  }
  for (const { node, epoch: other } of known) {
    if (other === null || other <= epoch.epoch) continue;
    const later = await fetchEpoch(node, { access: access.admin });
    if (later !== null) epoch = parseVaultEpoch(later);
  }
  if (epoch.epoch === raw.epoch) return { access, epoch };
  writeVaultFile(path, inEpoch(raw, epoch, path));
  return { access: openVault(path), epoch };
}

export interface ChangeOptions {
  /** Nodes that are lost and therefore not queried. */
  readonly gone?: readonly VaultNode[];
  /** Change to record in the audit logs of coordinators, along with the operator's name. */
  readonly note?: NotedChange;
}

type WithoutOperator<Note> = Note extends unknown ? Omit<Note, "operator"> : never;
type NotedChange = WithoutOperator<EpochNote>;

/**
 * Puts the next epoch in force. The nodes in `concerned` first confirm that they can take it, and nothing changes if
 * one cannot; then a coordinator takes it, and distributes it. If all coordinators are lost, this process sends it to
 * the other nodes. Resolves with the vault's file in that epoch, once all nodes that answer are in it. Throws a
 * VaultFileError with the reason.
 */
export async function change(
  { access, epoch }: RunningVault,
  next: VaultEpoch,
  concerned: readonly string[],
  say: (line: string) => void,
  { gone = [], note }: ChangeOptions = {},
): Promise<VaultFile> {
  for (const node of access.file.nodes.filter(({ id }) => concerned.includes(id))) {
    const told = await announceEpoch(node, next, { access: access.admin, isTrial: true });
    if (told.type === "refused") throw new VaultFileError(told.sentence);
    if (told.type === "silent") throw new VaultFileError(`${node.id} does not answer (${told.reason}).`);
  }
  const goneIds = new Set(gone.map(({ id }) => id));
  const isThere = ({ id }: VaultNode) => !goneIds.has(id);
  const coordinators = access.file.nodes.filter((node) => node.role === "coordinator" && isThere(node));
  if (coordinators.length > 0) {
    await giveToCoordinator(access, coordinators, next, { note: withOperator(note), say });
  } else {
    await giveToAll(access, access.file.nodes.filter(isThere), next);
    if (note !== undefined) say("! No coordinator is left, so no audit log records this change.");
  }
  // Agents of other machines write their own copies; this copy may have no agent beside it.
  const raw = readRawVaultFile(access.path);
  if (raw.epoch < next.epoch) writeVaultFile(access.path, inEpoch(raw, next, access.path));
  const file = openVault(access.path).file;
  const late = await lateNodes(file.nodes.filter(isThere), access, next.epoch);
  say(`Epoch ${next.epoch} follows ${epoch.epoch}.`);
  if (late.length > 0) {
    const ids = late.map(({ id }) => id).join(", ");
    say(`! ${ids}: not in epoch ${next.epoch} yet; a coordinator sends it to them as soon as they answer.`);
  }
  return file;
}

const withOperator = (note: NotedChange | undefined): EpochNote | undefined =>
  note && { ...note, operator: operatorName() };

/** Throws a VaultFileError if a coordinator that answers would refuse the change. Changes nothing. */
export async function tryChange(
  { access }: RunningVault,
  next: VaultEpoch,
  note: NotedChange,
): Promise<void> {
  for (const node of access.file.nodes.filter(({ role }) => role === "coordinator")) {
    const options = { access: access.admin, isTrial: true, note: withOperator(note) };
    const told = await announceEpoch(node, next, options);
    if (told.type === "refused") throw new VaultFileError(told.sentence);
  }
}

/** Tries coordinators in file order, so that concurrent changes meet at the first one that they reach. */
async function giveToCoordinator(
  { admin }: VaultAccess,
  coordinators: readonly VaultNode[],
  next: VaultEpoch,
  { note, say }: { readonly note: EpochNote | undefined; readonly say: (line: string) => void },
): Promise<void> {
  const reasons: string[] = [];
  let isTaken = false;
  for (const node of coordinators) {
    const told = await announceEpoch(node, next, { access: admin, note });
    // The change is in force once one coordinator has accepted it; the others learn of it from that one.
    if (told.type === "refused" && !isTaken) throw new VaultFileError(told.sentence);
    if (told.type === "refused")
      say(`! ${node.id} did not record this change in its audit log: ${told.sentence}`);
    if (told.type === "taken") isTaken = true;
    if (told.type === "silent") reasons.push(`${node.id}: ${told.reason}`);
  }
  if (isTaken) return;
  throw new VaultFileError(`No coordinator answers (${reasons.join("; ")}), so nothing was changed.`);
}

/** Sends the epoch to all nodes; a coordinator sends it to silent nodes once they answer. */
async function giveToAll(
  { admin }: VaultAccess,
  nodes: readonly VaultNode[],
  next: VaultEpoch,
): Promise<void> {
  for (const node of nodes) {
    const told = await announceEpoch(node, next, { access: admin });
    if (told.type === "refused") throw new VaultFileError(told.sentence);
  }
}

async function lateNodes(
  nodes: readonly VaultNode[],
  { admin }: VaultAccess,
  epoch: number,
): Promise<readonly VaultNode[]> {
  const deadlineMs = performance.now() + LEARNT_WITHIN_MS;
  let late = nodes;
  while (late.length > 0 && performance.now() < deadlineMs) {
    const known = await Promise.all(late.map((node) => askEpoch(node, { access: admin })));
    late = late.filter((_, at) => (known[at] ?? 0) < epoch);
    if (late.length > 0) await delay(LOOK_EVERY_MS);
  }
  return late;
}
