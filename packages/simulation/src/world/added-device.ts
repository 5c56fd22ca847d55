/** A stash device joins the vault, on a separate server. */
import type { PlannedFault } from "../options.ts";
import { changeConfig } from "./epochs.ts";
import type { World } from "./world.ts";

/** The device starts within this time, before or after the first nodes have learned of it. */
const STARTS_WITHIN_US = 3_000_000;

export function addDevice(world: World, fault: PlannedFault): void {
  const { stashDevices } = world.config;
  const deviceId = world.stashes.length;
  const serverId = 1 + Math.max(...stashDevices.map((device) => device.serverId));
  const stash = world.addStash(deviceId);
  changeConfig(world, { stashDevices: [...stashDevices, { deviceId, serverId }] }, fault.detail);
  const afterUs = (fault.target * 7919) % STARTS_WITHIN_US;
  world.queue.schedule(afterUs, () => world.startStash(stash));
}
