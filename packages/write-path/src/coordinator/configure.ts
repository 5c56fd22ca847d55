/** Another epoch of the vault: drives were replaced, or stash devices have come or gone. */
import type { CoordinatorEffect } from "../effects.ts";
import type { VaultConfig } from "../placement.ts";
import { deviceLost } from "./put.ts";
import type { CoordinatorState } from "./state.ts";

/**
 * A device that joins rests until its first trial has succeeded (trial.ts), because its node, or the pods that are to
 * announce themselves to it, may learn of the epoch later. Uploads that are under way keep the epoch in which they began,
 * which pods of the next one refuse; the shell tries those again.
 */
export function configure(state: CoordinatorState, config: VaultConfig, nowMs: number): CoordinatorEffect[] {
  if (config.epoch <= state.config.epoch) return [];
  state.config = config;
  const present = new Set(config.stashDevices.map(({ deviceId }) => deviceId));
  const gone = [...state.devices.keys()].filter((deviceId) => !present.has(deviceId));
  const effects = gone.flatMap((deviceId) => deviceLost(state, deviceId, nowMs));
  for (const deviceId of gone) state.devices.delete(deviceId);
  for (const deviceId of present) {
    if (state.devices.has(deviceId)) continue;
    state.devices.set(deviceId, { rest: { nextTrialMs: nowMs, trialUploadId: null } });
  }
  return effects;
}
