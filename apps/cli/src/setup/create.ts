/** `vault create` and `vault bundle`. */
import { resolve } from "node:path";
import { rebuildRate, type VaultFile } from "@stashlight/node-runtime/config";
import { describeRebuildRate } from "@stashlight/planner";
import {
  bundleMachine,
  bundlePath,
  createVault,
  judgePlacement,
  machineNames,
  openSetupFolder,
  readLayout,
  vaultFileIn,
} from "@stashlight/vault-setup";
import { counted } from "../units.ts";
import type { BundleCommand, CreateCommand } from "./arguments.ts";

/** Resolves to the exit code. */
export async function createFromLayout(
  { layout: path, folder: wanted, isWeakAccepted }: CreateCommand,
  { say, complain }: { say: (line: string) => void; complain: (line: string) => void },
): Promise<number> {
  const layout = readLayout(path);
  const { weaknesses, notes } = judgePlacement(layout);
  for (const weakness of weaknesses) complain(weakness);
  if (weaknesses.length > 0 && !isWeakAccepted) {
    complain("Nothing was created; change the layout, or accept this with --accept-weak.");
    return 2;
  }
  for (const note of notes) complain(note);
  const folder = wanted ?? resolve(layout.vault);
  const { file } = await createVault(layout, folder, Date.now());
  const [key] = file.accessKeys;
  const coordinator = file.nodes.find((node) => node.role === "coordinator");
  say(
    `The vault ${file.name} was created in ${folder}. Keep this folder off its machines: authority.key can sign for all of them.`,
  );
  say(describeDurability(file));
  say("");
  const machines = machineNames(file);
  say(`Copy each bundle to its machine, and run vault join there (${counted(machines.length, "machine")}):`);
  for (const machine of machines) say(`  ${bundlePath(folder, machine)}`);
  say("");
  if (coordinator?.role === "coordinator") {
    const { host, port, tls } = coordinator.s3;
    say(
      `S3 endpoint: ${tls === undefined ? "http" : "https"}://${host}:${port}, access key ${key?.id}; its secret is in ${vaultFileIn(folder)}.`,
    );
    if (tls !== undefined) say(`Clients must trust ${folder}/ca.pem, for example with AWS_CA_BUNDLE.`);
  }
  say(`npm run stashlight -- vault status --config ${vaultFileIn(folder)}`);
  return 0;
}

function describeDurability(file: VaultFile): string {
  const { scheme, podVolume } = file;
  const rate = rebuildRate(file);
  const podBytes = podVolume.segmentBytes * podVolume.segmentCount;
  const shards = { dataShards: scheme.dataShardCount, parityShards: scheme.parityShardCount };
  return describeRebuildRate(shards, podBytes, { from: rate, to: rate });
}

export async function makeBundle(
  { machine, folder }: BundleCommand,
  say: (line: string) => void,
): Promise<number> {
  const path = await bundleMachine(openSetupFolder(folder), machine, Date.now());
  say(
    `${path} was written, with new keys. Copy it to ${machine}, and run vault join there; running nodes load the new keys.`,
  );
  return 0;
}
