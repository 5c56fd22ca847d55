/** `vault rebuild`: shows the progress of pods with missing shards, and limits their rate. */
import { rebuildRate } from "@stashlight/node-runtime/config";
import { describeRebuildRate } from "@stashlight/planner";
import type { Screen } from "../screen.ts";
import { formatSize } from "../units.ts";
import type { RebuildCommand } from "./arguments.ts";
import { withRebuildRate } from "./next-epoch.ts";
import { followRebuild } from "./rebuild.ts";
import { change, findRunningVault } from "./running-vault.ts";

/** Resolves to the exit code. */
export async function showRebuild(
  { config, bytesPerSecond }: RebuildCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  if (bytesPerSecond !== null) {
    const vault = await findRunningVault(config);
    const { scheme, podVolume } = vault.access.file;
    const choice = describeRebuildRate(
      { dataShards: scheme.dataShardCount, parityShards: scheme.parityShardCount },
      podVolume.segmentBytes * podVolume.segmentCount,
      { from: rebuildRate(vault.access.file), to: bytesPerSecond },
    );
    screen.say(choice);
    if (vault.epoch.rebuildBytesPerSecond !== bytesPerSecond)
      await change(vault, withRebuildRate(vault.epoch, bytesPerSecond), [], screen.say);
    screen.say(`Each pod is rebuilt at up to ${formatSize(bytesPerSecond)} per second.`);
  }
  return (await followRebuild(config, screen, interrupted)) ? 0 : 1;
}
