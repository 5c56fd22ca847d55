/** The part of a resolution that restores an upload to n of n: finds k shards, and sends the reconstructed ones. */
import type { CoordinatorEffect } from "../effects.ts";
import { type CoordinatorMessage, podAddress, stashAddress } from "../messages/index.ts";
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import { type CoordinatorState, type Resolution, shardsOf } from "./state.ts";

type Loaded = Extract<CoordinatorMessage, { type: "coordinator.loaded" }>;

/** Returns the resolution that asked this question, unless it has ended. */
export function resolutionOf(state: CoordinatorState, requestId: number): Resolution | undefined {
  const uploadId = state.resolutionByRequest.get(requestId);
  return uploadId === undefined ? undefined : state.resolutions.get(uploadId);
}

/** Asks for shards until k have arrived, and has the missing ones reconstructed. */
export function rebuild(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const { upload, requestId, pods, stash, shards } = resolution;
  const missing = missingPods(resolution);
  if (missing.length === 0 || resolution.isRebuilding) return [];
  resolution.isRebuilding = true;
  const { uploadId } = upload;
  if (!hasBytes(upload)) return repairFromHeader(resolution, missing);
  if (shards.size >= state.quorums.decode) return encode(state, resolution);
  const holders = [...pods].flatMap(([podIndex, { answer }]) =>
    answer === "written" || answer === "durable" ? [podIndex] : [],
  );
  const load = { type: "pod.load", requestId, uploadId } as const;
  const fromPods = (podIndices: readonly number[]) =>
    podIndices.map(
      (podIndex): CoordinatorEffect => ({ type: "send", to: podAddress(podIndex), message: load }),
    );
  const wantedCount = state.quorums.decode - shards.size;
  const isFirstTry = !resolution.hasAskedForShards;
  resolution.hasAskedForShards = true;
  // Asks for no more shards than needed at first, starting at a different pod for each upload; if these do not
  // arrive, asks all holders.
  const others = holders.filter((podIndex) => !shards.has(podIndex));
  if (isFirstTry && others.length >= wantedCount) {
    const from = requestId % others.length;
    return fromPods([...others.slice(from), ...others.slice(0, from)].slice(0, wantedCount));
  }
  const devices = [...stash].filter(([, indices]) => indices.some((index) => !shards.has(index)));
  return [
    ...fromPods(others),
    ...devices.map(([deviceId]): CoordinatorEffect => {
      return {
        type: "send",
        to: stashAddress(deviceId),
        message: { type: "stash.load", requestId, uploadId },
      };
    }),
  ];
}

export function hasBytes({ kind, sizeBytes }: UploadHeader): boolean {
  return kind === "object" && sizeBytes > 0;
}

/** Returns the pods that lack their shard and may accept it. */
function missingPods({ pods, phase, fullPods }: Resolution): number[] {
  // A promise holds until the upload is proved to live.
  const canTake =
    phase === "live"
      ? ["absent", "known", "damaged", "refused", "knownRefused"]
      : ["absent", "known", "damaged"];
  return [...pods].flatMap(([podIndex, { answer }]) =>
    canTake.includes(answer) && !fullPods.has(podIndex) ? [podIndex] : [],
  );
}

export function resolutionLoaded(
  state: CoordinatorState,
  { requestId, shards }: Loaded,
): CoordinatorEffect[] {
  const resolution = resolutionOf(state, requestId);
  if (!resolution) return [];
  const before = resolution.shards.size;
  for (const shard of shardsOf(state, resolution.upload, shards)) {
    resolution.shards.set(shard.shardIndex, shard);
  }
  // Shards arrive one by one; the k-th starts the reconstruction.
  const { decode } = state.quorums;
  return before < decode && resolution.shards.size >= decode ? encode(state, resolution) : [];
}

function encode(state: CoordinatorState, resolution: Resolution): CoordinatorEffect[] {
  const shards = [...resolution.shards.values()].slice(0, state.quorums.decode);
  const missing = missingPods(resolution);
  return [{ type: "reconstruct", uploadId: resolution.upload.uploadId, shards, missing }];
}

/**
 * Repairs an upload without bytes (a tombstone, an empty object or a bucket's marker): its header is enough to
 * restore all shards.
 */
function repairFromHeader(resolution: Resolution, missing: readonly number[]): CoordinatorEffect[] {
  const { upload } = resolution;
  const payload = new Uint8Array(0);
  return missing.map((shardIndex) => sendRepair(resolution, { upload, shardIndex, payload, payloadCrc: 0 }));
}

export function reconstructed(
  state: CoordinatorState,
  uploadId: UploadId,
  shards: readonly Shard[],
): CoordinatorEffect[] {
  const resolution = state.resolutions.get(uploadId);
  return resolution ? shards.map((shard) => sendRepair(resolution, shard)) : [];
}

function sendRepair({ phase, pods }: Resolution, shard: Shard): CoordinatorEffect {
  const message = {
    type: "pod.append",
    shard,
    purpose: phase === "live" ? "repair" : "push",
    isDurable: true,
    condition: { type: "none" },
    bootId: pods.get(shard.shardIndex)?.bootId ?? 0,
    stashDeviceId: null,
  } as const;
  return { type: "send", to: podAddress(shard.shardIndex), message };
}
