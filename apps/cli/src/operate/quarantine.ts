/** `vault quarantine` and `vault release`: a slow stash device takes no part in new uploads, until it is released. */
import { rebuildRate, stashLimits, VaultFileError } from "@stashlight/node-runtime/config";
import { askEpoch } from "@stashlight/node-runtime/durability";
import { describePodQuarantine, describeStashQuarantine } from "@stashlight/planner";
import { operatorName } from "../operator-name.ts";
import type { Screen } from "../screen.ts";
import { describeQuarantine } from "../status/quarantine.ts";
import type { QuarantineCommand, ReleaseCommand } from "./arguments.ts";
import { driveAt, withQuarantine } from "./next-epoch.ts";
import { change, findRunningVault, type RunningVault } from "./running-vault.ts";

/** Longer names are truncated to the limit of the vault's file. */
const NAME_LENGTH_MAX = 128;

/** Resolves to the exit code. */
export async function changeQuarantine(
  { name, config, address, isDryRun }: QuarantineCommand | ReleaseCommand,
  { say }: Screen,
): Promise<number> {
  const vault = await findRunningVault(config);
  const { node, drive } = driveAt(vault.epoch, address);
  if (node.role === "pod") throw new VaultFileError(refusePod(vault, address));
  const before = ("quarantine" in drive ? drive.quarantine : undefined) ?? null;
  const isOn = name === "quarantine";
  if (isOn === (before !== null)) {
    say(before === null ? `${address} is not in quarantine.` : describeQuarantine(address, before));
    return 0;
  }
  const operator = operatorName();
  const by = `${operator.user}@${operator.host}`.slice(0, NAME_LENGTH_MAX);
  const { file } = vault.access;
  const next = withQuarantine(vault.epoch, address, isOn ? { sinceMs: Date.now(), by } : null, file);
  const { dataShardCount: dataShards, parityShardCount: parityShards } = file.scheme;
  say(
    describeStashQuarantine(
      { dataShards, parityShards },
      {
        before: stashLimits({ ...file, ...vault.epoch }).takingCount,
        after: stashLimits({ ...file, ...next }).takingCount,
      },
    ),
  );
  if (isDryRun) {
    say("Nothing was changed.");
    return 0;
  }
  // Nodes of an earlier version would not understand the epoch, so each node that answers is asked first.
  const note = { action: isOn ? "drive.quarantine" : "drive.release", drive: address } as const;
  await change(vault, next, await answeringNodes(vault), say, { note });
  say(
    isOn
      ? `${address} is in quarantine: it gets no new shards, and its shards are read and purged as before. vault release ${address} ends that.`
      : `${address} gets new shards again, after a first trial.`,
  );
  return 0;
}

/** Explains the cost for a pod, and why it is replaced instead. */
function refusePod({ access: { file } }: RunningVault, address: string): string {
  const { scheme, podVolume } = file;
  const podBytes = podVolume.segmentBytes * podVolume.segmentCount;
  return describePodQuarantine(
    { dataShards: scheme.dataShardCount, parityShards: scheme.parityShardCount },
    address,
    podBytes / rebuildRate(file),
  );
}

async function answeringNodes({ access }: RunningVault): Promise<string[]> {
  const asked = await Promise.all(
    access.file.nodes.map(async (node) => ({
      id: node.id,
      epoch: await askEpoch(node, { access: access.admin }),
    })),
  );
  return asked.flatMap(({ id, epoch }) => (epoch === null ? [] : [id]));
}
