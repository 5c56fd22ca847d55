/** `vault add-stash`, `vault drain` and `vault remove`: add and remove stash servers while the vault runs. */
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  nodeKeyPath,
  provideNodeKey,
  type StashNode,
  stashLimits,
  type VaultFile,
  VaultFileError,
} from "@stashlight/node-runtime/config";
import { buildStashNode, bundleMachine, isSetupFolder, openSetupFolder } from "@stashlight/vault-setup";
import { z } from "zod";
import type { Screen } from "../screen.ts";
import { describeDrain } from "../status/progress.ts";
import { readStatus } from "../status/status.ts";
import { counted } from "../units.ts";
import type { AddStashCommand, DrainCommand, RemoveCommand } from "./arguments.ts";
import { announceDeparture } from "./coordinators.ts";
import { nextDeviceNumber, stashNodeAt, withDrain, withoutNode, withStashNode } from "./next-epoch.ts";
import { readDescription } from "./read-description.ts";
import { change, findRunningVault, tryChange } from "./running-vault.ts";

const LOOK_EVERY_MS = 1000;
/**
 * Time by which uploads from before the drain have ended (PUT_DEADLINE_MS and RESOLVE_DEADLINE_MS of the write path).
 */
const QUIET_AFTER_MS = 20_000;

const serverSchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  port: z.int(),
  adminPort: z.int(),
  stateFolder: z.string(),
  publicKey: z.string().optional(),
  tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
  /** Folders of its drives. */
  drives: z.array(z.string().min(1)).min(1),
});

/** A machine that joins by a bundle, in a layout's format. */
const machineSchema = z.strictObject({
  machine: z.string(),
  address: z.string(),
  zone: z.string().optional(),
  port: z.int().optional(),
  drives: z.array(z.string().min(1)).min(1),
});

/** Resolves to the exit code. */
export async function addStash(command: AddStashCommand, { say }: Screen): Promise<number> {
  const folder = dirname(command.config);
  return isSetupFolder(folder) ? await addMachine(command, folder, say) : await addNode(command, say);
}

/** Creates another bundle for the machine when run again. */
async function addMachine(
  { config, server: path }: AddStashCommand,
  folder: string,
  say: Screen["say"],
): Promise<number> {
  const { machine: name, ...rest } = readDescription(path, machineSchema);
  const vault = await findRunningVault(config);
  if (!vault.epoch.nodes.some(({ machine }) => machine === name)) {
    const node = buildStashNode(vault.epoch, { name, ...rest }, nextDeviceNumber(vault.epoch));
    const note = { action: "stash.add", nodeId: node.id } as const;
    say(describeLimits(await change(vault, withStashNode(vault.epoch, node), [], say, { note })));
  }
  const bundle = await bundleMachine(openSetupFolder(folder), name, Date.now());
  say(`Copy ${bundle} to ${name}, and run there:`);
  say(`  npm run stashlight -- vault join ${name}.bundle`);
  return 0;
}

async function addNode({ config, server: path }: AddStashCommand, say: Screen["say"]): Promise<number> {
  const { drives: folders, ...server } = readDescription(path, serverSchema);
  const vault = await findRunningVault(config);
  const first = nextDeviceNumber(vault.epoch);
  const drives = folders.map((folder, at) => {
    return {
      device: first + at,
      driveId: randomBytes(16).toString("hex"),
      path: folder,
      isNew: true as const,
    };
  });
  const node: StashNode = { ...server, role: "stash", drives };
  const next = withStashNode(vault.epoch, node);
  // Reads the entry before the key is created, so that a mistake leaves nothing behind.
  const withKey = withStashNode(vault.epoch, {
    ...node,
    publicKey: server.publicKey ?? provideNodeKey(config, next, node),
  });
  const note = { action: "stash.add", nodeId: node.id } as const;
  const file = await change(vault, withKey, [], say, { note });
  const entry = file.nodes.find(({ id }) => id === node.id) as StashNode;
  if (server.publicKey === undefined) say(`The private key of ${node.id} is ${nodeKeyPath(entry)}.`);
  say(
    `${node.id} has ${counted(drives.length, "device")}, numbered from s${first}. On its machine, with a copy of ${config} and its key, start:`,
  );
  say(`  node tools/bootstrap.mjs agents/node/src/main.ts --config vault.json --node ${node.id}`);
  say(describeLimits(file));
  return 0;
}

function describeLimits(file: VaultFile): string {
  const { survivesServerLoss, shardsPerServer, shardsPerServerAllowed } = stashLimits(file);
  const { dataShardCount, parityShardCount } = file.scheme;
  const scheme = `${dataShardCount}+${parityShardCount}`;
  return survivesServerLoss
    ? `The stash survives a power cut together with the loss of one of its servers.`
    : `! A server has up to ${shardsPerServer} shards of an upload, and ${scheme} can spare ${shardsPerServerAllowed} on one: the stash would not survive a power cut together with the loss of a server.`;
}

/** Resolves to the exit code, once the server is empty. */
export async function drain(
  { config, node: nodeId, isUndone, isWaiting }: DrainCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  const vault = await findRunningVault(config);
  const isDraining = stashNodeAt(vault.epoch, nodeId).isDraining === true;
  if (isDraining !== !isUndone) {
    const next = withDrain(vault.epoch, nodeId, !isUndone, vault.access.file);
    const note = { action: isUndone ? "stash.undrain" : "stash.drain", nodeId } as const;
    const file = await change(vault, next, [], screen.say, { note });
    screen.say(describeLimits(file));
  }
  if (isUndone) {
    screen.say(`${nodeId} gets new shards.`);
    return 0;
  }
  if (!isWaiting) return 0;
  await delay(QUIET_AFTER_MS, undefined, { signal: interrupted }).catch(() => {});
  while (!interrupted.aborted) {
    const held = await heldBy(config, nodeId);
    if (held === 0) {
      screen.say(
        `${nodeId} no longer holds any shards; npm run stashlight -- vault remove ${nodeId} removes it from the vault.`,
      );
      return 0;
    }
    screen.draw(await drainLine(config, nodeId));
    await delay(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => {});
  }
  return 1;
}

async function drainLine(config: string, nodeId: string): Promise<string> {
  const devices = (await readStatus(config)).stash.filter(({ node }) => node === nodeId);
  const draining = devices.flatMap((device) => device.draining ?? []);
  if (draining.length < devices.length) return `${nodeId} does not report its content.`;
  return describeDrain(nodeId, draining);
}

/** Null until all of its drives report. */
async function heldBy(config: string, nodeId: string): Promise<number | null> {
  const { stash } = await readStatus(config);
  const counts = stash.filter(({ node }) => node === nodeId).map(({ liveRecordCount }) => liveRecordCount);
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
}

/** Resolves to the exit code. */
export async function removeNode(
  { config, node: nodeId, isLost }: RemoveCommand,
  { say }: Screen,
): Promise<number> {
  const vault = await findRunningVault(config);
  const next = withoutNode(vault.epoch, nodeId, { isLost });
  const role = vault.access.file.nodes.find(({ id }) => id === nodeId)?.role;
  const action = role === "coordinator" ? "coordinator.remove" : "stash.remove";
  const note = { action, nodeId } as const;
  if (role === "coordinator" && !isLost) {
    await tryChange(vault, next, note);
    say(await announceDeparture(vault, nodeId));
  }
  if (role === "stash" && !isLost) {
    const held = await heldBy(config, nodeId);
    if (held !== 0) {
      const what = held === null ? "does not report its content" : `holds ${counted(held, "shard")}`;
      throw new VaultFileError(
        `${nodeId} ${what}; npm run stashlight -- vault drain ${nodeId} waits until it is empty.`,
      );
    }
  }
  await change(vault, next, [], say, { note });
  say(`${nodeId} is no longer part of the vault; its agent stops by itself.`);
  return 0;
}
