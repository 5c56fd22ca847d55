/** Drains a stash device and removes it from the vault once it is empty, as `vault drain` and `vault remove` do. */
import { takesNewShards } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import { targetStash } from "./drive-faults.ts";
import { changeConfig } from "./epochs.ts";
import type { SimulatedStash } from "./machines.ts";
import type { World } from "./world.ts";

/** An upload that began before the drain has ended by then; the command line waits as long. */
const QUIET_AFTER_US = 20_000_000;
const LOOK_EVERY_US = 1_000_000;

export function drainDevice(world: World, fault: PlannedFault): void {
  const stash = targetStash(world, fault);
  const { stashDevices, podDriveIds } = world.config;
  const kept = stashDevices.filter((device) => device.deviceId !== stash.deviceId && takesNewShards(device));
  const isThere = stashDevices.some((device) => device.deviceId === stash.deviceId && !device.isDraining);
  // The command refuses to leave fewer devices than an upload needs.
  if (!isThere || kept.length < podDriveIds.length - 1) return;
  world.counters.add("device drains");
  const drained = stashDevices.map((device) =>
    device.deviceId === stash.deviceId ? { ...device, isDraining: true } : device,
  );
  changeConfig(world, { stashDevices: drained }, fault.detail);
  const look = () => {
    if (isEmpty(stash)) removeDevice(world, stash, fault);
    else world.queue.schedule(LOOK_EVERY_US, look);
  };
  world.queue.schedule(QUIET_AFTER_US, look);
}

/** Counts entries as the node's health page does: by the contents of its log. */
function isEmpty({ state }: SimulatedStash): boolean {
  if (state?.lifecycle !== "serving") return false;
  return [...state.entries.values()].flat().every((entry) => entry.state !== "durable");
}

function removeDevice(world: World, stash: SimulatedStash, fault: PlannedFault): void {
  world.counters.add("drained device left");
  const stashDevices = world.config.stashDevices.filter(({ deviceId }) => deviceId !== stash.deviceId);
  changeConfig(world, { stashDevices }, fault.detail);
  stash.isGone = true;
  world.crashStash(stash);
}
