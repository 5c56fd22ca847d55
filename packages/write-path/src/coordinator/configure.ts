/** Switches to another epoch of the vault: drives were replaced, or stash devices have joined or left. */
import type { CoordinatorEffect } from "../effects.ts";
import type { VaultConfig } from "../placement.ts";
import { deviceLost } from "./acknowledge-put.ts";
import type { CoordinatorState } from "./state.ts";

/**
 * Adopts another epoch. A device that joins rests until its first trial has succeeded (choose-stash-devices.ts),
 * because its node, or the pods that must announce themselves to it, may learn of the epoch later. Uploads in
 * progress keep the epoch in which they began, which pods of the next one refuse; the shell retries those.
 *
 * A coordinator that does not know a device neither asks it nor counts it as silent, and so might call an upload dead
 * whose shards exist. That would require all pods to have settled without the device, for which they wait a minute,
 * and by then no pod of the later epoch has accepted a coordinator of the earlier one for a long time
 * (transport/src/handshake.ts). To reach this case, the simulation would need m - 1 added devices that stay silent
 * for that minute, the loss of another one, a power cut of the pods alone and a straggler, so epochs.test.ts tests
 * that a device which joins is asked.
 */
export function configure(state: CoordinatorState, config: VaultConfig, nowMs: number): CoordinatorEffect[] {
  if (config.epoch <= state.config.epoch) return [];
  state.config = config;
  const present = new Set(config.stashDevices.map(({ deviceId }) => deviceId));
  const gone = [...state.devices.keys()].filter((deviceId) => !present.has(deviceId));
  const effects = gone.flatMap((deviceId) => deviceLost(state, deviceId, nowMs));
  for (const deviceId of gone) forgetDevice(state, deviceId);
  for (const deviceId of present) {
    if (state.devices.has(deviceId)) continue;
    state.devices.set(deviceId, { rest: { nextTrialMs: nowMs, trialUploadId: null } });
  }
  return effects;
}

/** Forgets the answers of a device that left, because they are counted and would replace those of a silent device. */
function forgetDevice(state: CoordinatorState, deviceId: number): void {
  state.devices.delete(deviceId);
  for (const { stash } of state.resolutions.values()) stash.delete(deviceId);
  for (const { stashFound } of state.reads.values()) stashFound.delete(deviceId);
  for (const { stashListed } of state.listings.values()) stashListed.delete(deviceId);
}
