/** `vault add-coordinator`, and `vault remove` for coordinators: adds and removes S3 endpoints while the vault runs. */
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type CoordinatorNode,
  nodeKeyPath,
  provideNodeKey,
  VaultFileError,
} from "@stashlight/node-runtime/config";
import { askProcess, askRestart } from "@stashlight/node-runtime/durability";
import { buildCoordinatorNode, bundleMachine, isSetupFolder, openSetupFolder } from "@stashlight/vault-setup";
import { z } from "zod";
import type { Screen } from "../screen.ts";
import type { AddCoordinatorCommand } from "./arguments.ts";
import { withCoordinator } from "./next-epoch.ts";
import { readDescription } from "./read-description.ts";
import { change, findRunningVault, type RunningVault } from "./running-vault.ts";

/** A machine that joins by a bundle, in a layout's format; without an address, it is already in the vault. */
const machineSchema = z.strictObject({
  machine: z.string(),
  address: z.string().optional(),
  zone: z.string().optional(),
  port: z.int().optional(),
});

const tls = z.strictObject({ cert: z.string(), key: z.string() });
const nodeSchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  port: z.int(),
  adminPort: z.int(),
  stateFolder: z.string(),
  publicKey: z.string().optional(),
  tls: tls.optional(),
  s3: z.strictObject({ host: z.string(), port: z.int(), region: z.string().optional(), tls: tls.optional() }),
});

/** Resolves to the exit code. */
export async function addCoordinator(command: AddCoordinatorCommand, { say }: Screen): Promise<number> {
  const folder = dirname(command.config);
  return isSetupFolder(folder) ? await addMachine(command, folder, say) : await addNode(command, say);
}

/** Creates another bundle for the machine when run again. */
async function addMachine(
  { config, description }: AddCoordinatorCommand,
  folder: string,
  say: Screen["say"],
): Promise<number> {
  const { machine: name, ...rest } = readDescription(description, machineSchema);
  const vault = await findRunningVault(config);
  const own = vault.epoch.nodes.filter(({ machine }) => machine === name);
  if (!own.some(({ role }) => role === "coordinator")) {
    const address = rest.address ?? own[0]?.host;
    if (address === undefined)
      throw new VaultFileError(`${description}: ${name} is a new machine and needs an address.`);
    const node = buildCoordinatorNode(vault.epoch, {
      ...rest,
      name,
      address,
      zone: rest.zone ?? own[0]?.zone,
    });
    const note = { action: "coordinator.add", nodeId: node.id } as const;
    await change(vault, withCoordinator(vault.epoch, node), [], say, { note });
  }
  const bundle = await bundleMachine(openSetupFolder(folder), name, Date.now());
  if (own.some(({ role }) => role !== "coordinator")) {
    say(`${name} runs other nodes of the vault: stop its services first; joining starts all of them.`);
  }
  say(`Copy ${bundle} to ${name}, and run there:`);
  say(`  npm run stashlight -- vault join ${name}.bundle`);
  say("Once vault status shows it ready, add its S3 address to the load balancer or to DNS.");
  return 0;
}

async function addNode({ config, description }: AddCoordinatorCommand, say: Screen["say"]): Promise<number> {
  const { s3, publicKey, ...place } = readDescription(description, nodeSchema);
  const vault = await findRunningVault(config);
  const region = s3.region ?? vault.access.coordinator.s3.region;
  const node: CoordinatorNode = { ...place, role: "coordinator", s3: { ...s3, region } };
  // Reads the entry before the key is created, so that a mistake leaves nothing behind.
  const next = withCoordinator(vault.epoch, node);
  const withKey = withCoordinator(vault.epoch, {
    ...node,
    publicKey: publicKey ?? provideNodeKey(config, next, node),
  });
  const note = { action: "coordinator.add", nodeId: node.id } as const;
  const file = await change(vault, withKey, [], say, { note });
  const entry = file.nodes.find(({ id }) => id === node.id) as CoordinatorNode;
  if (publicKey === undefined) say(`The private key of ${node.id} is ${nodeKeyPath(entry)}.`);
  say(`On its machine, with a copy of ${config}, its key and the token of the admin pages, start:`);
  say(`  node tools/bootstrap.mjs agents/node/src/main.ts --config vault.json --node ${node.id}`);
  return 0;
}

const NOTICE_MS = 10_000;
/** If the change does not follow the announcement, the agent restarts after this time and serves again. */
const UNDONE_AFTER_MS = 60_000;

/**
 * Asks a coordinator that has its own agent to send its clients to others before it leaves. Resolves to a sentence for
 * the operator.
 */
export async function announceDeparture({ access }: RunningVault, nodeId: string): Promise<string> {
  const node = access.file.nodes.find(({ id }) => id === nodeId);
  const asking = { access: access.admin };
  const seen = node === undefined ? null : await askProcess(node, asking);
  const isAlone = seen?.type === "answered" && seen.process.isSupervised && seen.process.nodeIds.length === 1;
  if (node === undefined || !isAlone)
    return `${nodeId} cannot announce that it leaves, so requests to it may end with 503.`;
  const request = { instance: seen.process.instance, noticeMs: NOTICE_MS + UNDONE_AFTER_MS };
  const told = await askRestart(node, request, asking);
  if (told.type !== "answered")
    return `${nodeId} did not announce that it leaves, so requests to it may end with 503.`;
  await delay(NOTICE_MS);
  return `${nodeId} has sent its clients to other coordinators.`;
}
