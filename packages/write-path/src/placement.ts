/**
 * Assigns shards to nodes within one placement epoch. Pod i holds shard i. On the stash an object has at most one shard
 * per device, and as few per server as the number of servers allows.
 */
import { quorumsOf, type Scheme, shardsPerServerMax } from "./quorums.ts";
import type { UploadId } from "./shard.ts";

export interface VaultConfig {
  /** Rises with every change of drives or devices; nodes refuse messages that name an older one. */
  readonly epoch: number;
  readonly scheme: Scheme;
  /** Drive of each pod; a swapped or reformatted drive has another id. */
  readonly podDriveIds: readonly string[];
  readonly stashDevices: readonly StashDevice[];
  readonly coordinatorCount: number;
  /** Rate at which a pod asks for shards that it lacks; `REBUILD_BYTES_PER_SECOND` if not given. */
  readonly rebuildBytesPerSecond?: number | undefined;
}

export interface StashDevice {
  readonly deviceId: number;
  readonly serverId: number;
  /** If true, the device gets no new shards; its existing shards are read, handed over and purged as usual. */
  readonly isDraining?: boolean;
  /** Slow, and treated like a draining device until an operator releases it. */
  readonly isQuarantined?: boolean;
}

/** False for a device that new uploads skip. */
export function takesNewShards({ isDraining, isQuarantined }: StashDevice): boolean {
  return isDraining !== true && isQuarantined !== true;
}

/** A seventh of a hard disk's write rate. For each rebuilt byte, coordinators read k bytes from the other pods. */
export const REBUILD_BYTES_PER_SECOND = 32_000_000;

/** Device of each shard; null if fewer devices than shards are up. */
export type StashPlacement = readonly (number | null)[];

/**
 * Places the shards of an upload. The same upload, epoch and set of devices give the same placement; uploads are spread
 * evenly.
 */
export function placeOnStash(
  config: VaultConfig,
  uploadId: UploadId,
  isUsable: (deviceId: number) => boolean,
): StashPlacement {
  const { shardCount } = quorumsOf(config.scheme);
  const seed = hash(uploadId);
  const byServer = new Map<number, number[]>();
  for (const device of config.stashDevices) {
    const { deviceId, serverId } = device;
    if (!takesNewShards(device) || !isUsable(deviceId)) continue;
    const devices = byServer.get(serverId);
    if (devices) devices.push(deviceId);
    else byServer.set(serverId, [deviceId]);
  }
  // Takes one device of every server per round: no server gets a second shard before all have one.
  const servers = rotate([...byServer.values()], mix(seed, 1));
  const order: number[] = [];
  for (let round = 0; order.length < shardCount; round += 1) {
    const before = order.length;
    for (const devices of servers) {
      const device = devices[((mix(seed, 2) % devices.length) + round) % devices.length];
      if (round < devices.length && device !== undefined && order.length < shardCount) order.push(device);
    }
    if (order.length === before) break;
  }
  const shift = mix(seed, 3) % shardCount;
  return Array.from({ length: shardCount }, (_, index) => order[(index + shift) % shardCount] ?? null);
}

export interface PlacementLimits {
  /** Maximum number of an object's shards on one server. */
  readonly shardsPerServer: number;
  readonly shardsPerServerAllowed: number;
  /** True if a power cut together with one dead stash server loses nothing. */
  readonly survivesServerLoss: boolean;
  /** True if every shard has a separate device, except the one that the quorum spares. */
  readonly hasStashPath: boolean;
}

/** Failures that a pool of stash servers would and would not survive. */
export function placementLimits(config: VaultConfig): PlacementLimits {
  const placement = placeOnStash(config, "0".repeat(32), () => true);
  const serverOf = new Map(config.stashDevices.map(({ deviceId, serverId }) => [deviceId, serverId]));
  const counts = new Map<number, number>();
  for (const device of placement) {
    const server = device === null ? undefined : serverOf.get(device);
    if (server !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  const shardsPerServer = Math.max(0, ...counts.values());
  const shardsPerServerAllowed = shardsPerServerMax(config.scheme, 1);
  const { acknowledge, decode } = quorumsOf(config.scheme);
  const placed = placement.filter((device) => device !== null).length;
  return {
    shardsPerServer,
    shardsPerServerAllowed,
    survivesServerLoss: acknowledge - shardsPerServer >= decode && placed >= acknowledge,
    hasStashPath: placed >= acknowledge,
  };
}

function rotate<T>(list: T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** Computes FNV-1a over the id's text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

/** Derives independent draws from one hash, by the last step of MurmurHash3. */
function mix(seed: number, draw: number): number {
  let value = seed ^ Math.imul(draw, 0x9e3779b9);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
