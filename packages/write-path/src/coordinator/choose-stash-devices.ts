/**
 * Selects the stash devices of an upload. A device that is merely late keeps its place, because a pause of its process
 * ends without intervention. A device rests when it is known to be unable to serve: it refused or failed a shard, its
 * connection broke, or it exceeded the budget of an upload.
 *
 * A rest ends by a trial, not by the clock. Every TRIAL_EVERY_MS one upload gives a resting device its shard; a durable
 * answer before the next trial is due puts the device back to work. A later answer shows that the device is alive but
 * slow, so the next upload may try it at once. An upload never depends on a device that it tries: either q shards are
 * on working devices anyway, or the upload takes the direct path and the trial is an extra copy.
 */
import { placeOnStash, type StashPlacement, takesNewShards } from "../placement.ts";
import type { UploadId } from "../shard.ts";
import type { CoordinatorState } from "./state.ts";

/**
 * Time that an upload waits for late devices before its pods are asked to flush. An upload should be answered within 2
 * s, and a flush of the pods may take the last 500 ms of that.
 */
export const STASH_BUDGET_MS = 1500;
/** A trial has the same budget as an upload. */
export const TRIAL_EVERY_MS = STASH_BUDGET_MS;

export interface PlacedUpload {
  readonly placement: StashPlacement;
  /** True if enough devices work, so that pods need not flush before the upload is acknowledged. */
  readonly hasStash: boolean;
  /** True if the placement includes resting devices, which this upload tries. */
  readonly isTrial: boolean;
}

/**
 * Selects devices, and marks those that the upload tries. A conditional upload starts no trial, because its shards
 * reach the stash late.
 */
export function placeUpload(
  state: CoordinatorState,
  { uploadId, isConditional }: { readonly uploadId: UploadId; readonly isConditional: boolean },
  nowMs: number,
): PlacedUpload {
  const { acknowledge } = state.quorums;
  const isWorking = (deviceId: number) => state.devices.get(deviceId)?.rest === null;
  const usual = placeOnStash(state.config, uploadId, isWorking);
  const hasStash = placedCount(usual) >= acknowledge;
  const due = isConditional ? [] : dueDevices(state, nowMs);
  if (due.length === 0) return { placement: usual, hasStash, isTrial: false };
  // The quorum can spare one shard, so one device at a time is tried if the working devices are enough.
  const tried = hasStash ? due.slice(0, 1) : due;
  const placement = placeOnStash(state.config, uploadId, (id) => isWorking(id) || tried.includes(id));
  const chosen = tried.filter((deviceId) => placement.includes(deviceId));
  const isSpared = placedCount(placement) - chosen.length >= acknowledge;
  if (chosen.length === 0 || (hasStash && !isSpared)) return { placement: usual, hasStash, isTrial: false };
  for (const deviceId of chosen) {
    const device = state.devices.get(deviceId);
    if (device) device.rest = { nextTrialMs: nowMs + TRIAL_EVERY_MS, trialUploadId: uploadId };
  }
  return { placement, hasStash, isTrial: true };
}

/** A device that accepts no new shards is never tried, and must not delay the trial of others. */
function dueDevices({ config, devices }: CoordinatorState, nowMs: number): number[] {
  return config.stashDevices.flatMap((device) => {
    const rest = devices.get(device.deviceId)?.rest ?? null;
    const isDue = rest !== null && rest.nextTrialMs <= nowMs;
    return isDue && takesNewShards(device) ? [device.deviceId] : [];
  });
}

function placedCount(placement: StashPlacement): number {
  return placement.filter((deviceId) => deviceId !== null).length;
}

/** Called when the device refused or failed a shard, or its connection broke; a pending trial has failed with it. */
export function restDevice(state: CoordinatorState, deviceId: number, nowMs: number): void {
  const device = state.devices.get(deviceId);
  if (device) device.rest = { nextTrialMs: nowMs + TRIAL_EVERY_MS, trialUploadId: null };
}

/** Called when the device exceeded the budget of an upload that was sent before it rested, or of its trial. */
export function deviceOverran(state: CoordinatorState, deviceId: number, nowMs: number): void {
  if (state.devices.get(deviceId)?.rest === null) restDevice(state, deviceId, nowMs);
}

/** Called when the device has made a shard of this upload durable. */
export function deviceAnswered(
  state: CoordinatorState,
  deviceId: number,
  uploadId: UploadId,
  nowMs: number,
): void {
  const device = state.devices.get(deviceId);
  if (!device || device.rest === null) return;
  const { nextTrialMs, trialUploadId } = device.rest;
  const isTrialUnderWay = trialUploadId !== null && nowMs < nextTrialMs;
  if (isTrialUnderWay && trialUploadId === uploadId) device.rest = null;
  else if (!isTrialUnderWay) device.rest.nextTrialMs = nowMs;
}
