/** A small vault, uploads and shards for tests. Numbers replace values that a shell would draw, hash or measure. */
import type { LoggedShard, PutRequest, Send } from "../effects.ts";
import type {
  Address,
  Message,
  PodAppend,
  PodIdentity,
  PurgeEntry,
  StashMessage,
} from "../messages/index.ts";
import type { VaultConfig } from "../placement.ts";
import { quorumsOf, type Scheme } from "../quorums.ts";
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import { formatOrder, LOWEST_ORDER } from "../version-order.ts";

export const twoPlusOne: Scheme = { dataShardCount: 2, parityShardCount: 1 };
export const threePlusTwo: Scheme = { dataShardCount: 3, parityShardCount: 2 };

/** One pod per shard, and one stash server with one device per shard. */
export function vaultOf(scheme: Scheme = twoPlusOne, changes: Partial<VaultConfig> = {}): VaultConfig {
  const { shardCount } = quorumsOf(scheme);
  return {
    epoch: 1,
    scheme,
    podDriveIds: Array.from({ length: shardCount }, (_, podIndex) => `drive-${podIndex}`),
    stashDevices: Array.from({ length: shardCount }, (_, deviceId) => ({ deviceId, serverId: deviceId })),
    coordinatorCount: 1,
    ...changes,
  };
}

export const countTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export function uploadIdOf(number: number): UploadId {
  return number.toString(16).padStart(32, "0");
}

/** Creates an upload; number 7 is later than number 6. All have one key unless `changes` sets another. */
export function uploadOf(number: number, changes: Partial<UploadHeader> = {}): UploadHeader {
  return {
    uploadId: uploadIdOf(number),
    kind: "object",
    bucket: "photos",
    key: "cat",
    order: formatOrder(number, 0, 0),
    scheme: twoPlusOne,
    sizeBytes: 2,
    etag: `etag-${number}`,
    contentType: "image/png",
    userMetadata: {},
    epoch: 1,
    ...changes,
  };
}

export function shardOf(upload: UploadHeader, shardIndex: number): Shard {
  if (upload.kind === "tombstone") return { upload, shardIndex, payload: new Uint8Array(0), payloadCrc: 0 };
  const number = Number.parseInt(upload.uploadId, 16) % 1_000_000;
  return {
    upload,
    shardIndex,
    payload: Uint8Array.of(number, shardIndex),
    payloadCrc: 1000 * number + shardIndex,
  };
}

/** Returns the shard with other bytes. */
export const withOtherBytes = (shard: Shard): Shard => ({ ...shard, payloadCrc: shard.payloadCrc + 1 });

/** Location of a shard in the log, unless a test sets another. */
export const placeOf = ({ upload, shardIndex }: Shard): string => `${upload.uploadId}.${shardIndex}`;

export function loggedOf(shard: Shard): LoggedShard<string> {
  const { upload, shardIndex, payloadCrc } = shard;
  return { upload, shardIndex, payloadCrc, position: placeOf(shard), outcome: null };
}

export function identityOf(podIndex: number, bootId = 1): PodIdentity {
  return { podIndex, driveId: `drive-${podIndex}`, bootId };
}

export const send = (to: Address, message: Message): Send => ({ type: "send", to, message });

export function podAppendOf(shard: Shard, changes: Partial<PodAppend> = {}): PodAppend {
  return {
    type: "pod.append",
    shard,
    purpose: "put",
    isDurable: false,
    condition: { type: "none" },
    bootId: 1,
    stashDeviceId: null,
    ...changes,
  };
}

export function stashAppendOf(shard: Shard, podBootId = 1): Extract<StashMessage, { type: "stash.append" }> {
  return { type: "stash.append", shard, podBootId };
}

export function purgeEntryOf({ upload, shardIndex, payloadCrc }: Shard): PurgeEntry {
  return { uploadId: upload.uploadId, shardIndex, payloadCrc };
}

/** Creates a purge from pod `podIndex` on which these shards are durable. */
export function purgeOf(
  podIndex: number,
  shards: readonly Shard[],
): Extract<StashMessage, { type: "stash.purge" }> {
  return { type: "stash.purge", pod: identityOf(podIndex), epoch: 1, entries: shards.map(purgeEntryOf) };
}

export function putOf(number: number, scheme: Scheme, changes: Partial<PutRequest> = {}): PutRequest {
  const shards = countTo(quorumsOf(scheme).shardCount).map((shardIndex) =>
    shardOf(uploadOf(number), shardIndex),
  );
  return {
    type: "put",
    token: number,
    uploadId: uploadIdOf(number),
    kind: "object",
    bucket: "photos",
    key: "cat",
    sizeBytes: 2,
    etag: `etag-${number}`,
    contentType: "image/png",
    userMetadata: {},
    condition: { type: "none" },
    payloads: shards.map(({ payload }) => payload),
    payloadCrcs: shards.map(({ payloadCrc }) => payloadCrc),
    ...changes,
  };
}

/** Fields of a hello besides the pod's identity, if nothing is final and there is space for everything. */
export const withRoom = {
  finalBelow: LOWEST_ORDER,
  closedBelow: LOWEST_ORDER,
  floor: LOWEST_ORDER,
  room: { freeBytes: Number.MAX_SAFE_INTEGER, isShort: false },
} as const;
