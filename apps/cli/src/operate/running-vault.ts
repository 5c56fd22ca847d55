/** A vault that runs, as an operation sees it: which epoch is in force, and how it is changed. */

import { setTimeout as delay } from "node:timers/promises";
import {
  epochOf,
  inEpoch,
  parseVaultEpoch,
  readRawVaultFile,
  type VaultEpoch,
  type VaultFile,
  VaultFileError,
  type VaultNode,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { askEpoch, fetchEpoch, tellEpoch } from "@stashlight/node-runtime/durability";
import { openVault, type VaultAccess } from "../vault/access.ts";

const LEARNT_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;

export interface RunningVault {
  readonly access: VaultAccess;
  /** The latest that any node is in. */
  readonly epoch: VaultEpoch;
}

/**
 * Brings this copy of the vault's file to the latest epoch first: an operation asks the nodes that the file names, and
 * would take one that joined since for a node that holds nothing. Throws a VaultFileError if no node answers.
 */
export async function findRunningVault(path: string): Promise<RunningVault> {
  const access = openVault(path);
  const raw = readRawVaultFile(path);
  let epoch = epochOf(raw);
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

/**
 * Puts the next epoch in force. The nodes that `concerned` names say first whether they can take it, and nothing has
 * changed if not; then a coordinator takes it, and brings it to all others. If all coordinators are among those that are
 * gone, the other nodes are told from here. Resolves with the vault's file in that epoch, once all nodes that answer are
 * in it. Throws a VaultFileError with the reason.
 */
export async function change(
  { access, epoch }: RunningVault,
  next: VaultEpoch,
  concerned: readonly string[],
  say: (line: string) => void,
  gone: readonly VaultNode[] = [],
): Promise<VaultFile> {
  for (const node of access.file.nodes.filter(({ id }) => concerned.includes(id))) {
    const told = await tellEpoch(node, next, { access: access.admin, isTrial: true });
    if (told.type === "refused") throw new VaultFileError(told.sentence);
    if (told.type === "silent") throw new VaultFileError(`${node.id} does not answer (${told.reason}).`);
  }
  const goneIds = new Set(gone.map(({ id }) => id));
  const isThere = ({ id }: VaultNode) => !goneIds.has(id);
  const coordinators = access.file.nodes.filter((node) => node.role === "coordinator" && isThere(node));
  if (coordinators.length > 0) await giveToCoordinator(access, coordinators, next);
  else await giveToAll(access, access.file.nodes.filter(isThere), next);
  // Another machine's agents write their own copies; this one may be beside no agent.
  const raw = readRawVaultFile(access.path);
  if (raw.epoch < next.epoch) writeVaultFile(access.path, inEpoch(raw, next, access.path));
  const file = openVault(access.path).file;
  const late = await lateNodes(file.nodes.filter(isThere), access, next.epoch);
  say(`Epoch ${next.epoch} follows ${epoch.epoch}.`);
  if (late.length > 0) {
    const ids = late.map(({ id }) => id).join(", ");
    say(`! ${ids}: not in epoch ${next.epoch} yet; a coordinator brings it to them as soon as they answer.`);
  }
  return file;
}

/** Each of them, in the order of the file, so that the change of somebody else meets this one at whichever coordinator it comes to first. */
async function giveToCoordinator(
  { admin }: VaultAccess,
  coordinators: readonly VaultNode[],
  next: VaultEpoch,
): Promise<void> {
  const reasons: string[] = [];
  let isTaken = false;
  for (const node of coordinators) {
    const told = await tellEpoch(node, next, { access: admin });
    if (told.type === "refused") throw new VaultFileError(told.sentence);
    if (told.type === "taken") isTaken = true;
    else reasons.push(`${node.id}: ${told.reason}`);
  }
  if (isTaken) return;
  throw new VaultFileError(`No coordinator answers (${reasons.join("; ")}), so the vault stays as it is.`);
}

/** The coordinator that comes brings it to those that are silent. */
async function giveToAll(
  { admin }: VaultAccess,
  nodes: readonly VaultNode[],
  next: VaultEpoch,
): Promise<void> {
  for (const node of nodes) {
    const told = await tellEpoch(node, next, { access: admin });
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
