/** Quarantines a stash device and releases it later, as `vault quarantine` and `vault release` do. */
import { placementLimits, quorumsOf, takesNewShards, type VaultConfig } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import { afterwards, targetStash } from "./drive-faults.ts";
import { changeConfig } from "./epochs.ts";
import type { World } from "./world.ts";

export function quarantineDevice(world: World, fault: PlannedFault): void {
  const { deviceId } = targetStash(world, fault);
  const before = world.config;
  const target = before.stashDevices.find((device) => device.deviceId === deviceId);
  if (target === undefined || !takesNewShards(target)) return;
  const next = withMark(before, deviceId, true);
  // The command refuses a quarantine that would leave fewer devices than an upload needs.
  if (!placementLimits(next).hasStashPath) {
    world.counters.add("quarantine refused");
    return;
  }
  world.counters.add("device quarantines");
  changeConfig(world, next, fault.detail);
  judgeQuorum(world, before);
  afterwards(world, fault, () => {
    const isThere = world.config.stashDevices.some((device) => device.deviceId === deviceId);
    // Another fault may have taken it out of the vault meanwhile.
    if (!isThere) return;
    world.counters.add("device released");
    changeConfig(world, withMark(world.config, deviceId, false), fault.detail);
  });
}

function withMark(config: VaultConfig, deviceId: number, isQuarantined: boolean): VaultConfig {
  const stashDevices = config.stashDevices.map((device) =>
    device.deviceId === deviceId ? { ...device, isQuarantined } : device,
  );
  return { ...config, stashDevices };
}

/** Counts the devices itself, without the function that the command uses. */
function judgeQuorum(world: World, before: VaultConfig): void {
  const { acknowledge } = quorumsOf(before.scheme);
  const taking = (config: VaultConfig): number =>
    config.stashDevices.filter((device) => device.isDraining !== true && device.isQuarantined !== true)
      .length;
  const left = taking(world.config);
  if (taking(before) < acknowledge || left >= acknowledge) return;
  const sentence = `A quarantine left ${left} stash devices for new shards, and an upload needs ${acknowledge}.`;
  world.report({ property: "liveness", sentence });
}
