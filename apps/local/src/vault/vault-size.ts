/**
 * Size and growth of a vault on one machine. Kept apart from the vault's other modules, so that the supervisor stays
 * small.
 */
import type { VaultFile } from "@stashlight/node-runtime/config";

const MIB = 1_048_576;

export interface VolumeShape {
  readonly segmentBytes: number;
  readonly segmentCount: number;
}

/** The properties of a vault that determine its size on the disk. */
export interface VaultShape {
  readonly scheme: VaultFile["scheme"];
  readonly podVolume: VolumeShape;
  readonly stashVolume: VolumeShape;
  readonly stashDeviceCount: number;
}

export interface VaultGeometry extends Omit<VaultShape, "stashDeviceCount"> {
  readonly podNodeCount: number;
  readonly stashNodeCount: number;
  readonly drivesPerStashNode: number;
  readonly pieceBytes: number;
}

/** The values of `--scheme` and `--vault-size`; undefined if not given. */
export interface ShapeWanted {
  readonly scheme?: SchemeName | undefined;
  /** Size of all drives together on the disk. */
  readonly sizeBytes?: number | undefined;
}

/**
 * Each vault has 20 pods. A stash node holds at most q - k shards of an upload, so that the upload is still readable
 * after a power cut and the loss of that node: 3 with 16+4, 2 with 17+3, 4 with 15+5. The devices must hold 19 shards
 * even if one of them is missing.
 */
const stashPools = {
  "16+4": { stashNodeCount: 7, drivesPerStashNode: 3 },
  "17+3": { stashNodeCount: 11, drivesPerStashNode: 2 },
  "15+5": { stashNodeCount: 7, drivesPerStashNode: 3 },
} as const;

export type SchemeName = keyof typeof stashPools;
export const schemeNames = Object.keys(stashPools) as SchemeName[];

const defaultScheme: SchemeName = "16+4";
const podNodeCount = 2;
const defaultPodVolume = { segmentBytes: 8 * MIB, segmentCount: 12 };
/** The stash holds only what the pods have not made durable yet, so it does not grow with the vault. */
const stashVolume = { segmentBytes: 4 * MIB, segmentCount: 20 };
const pieceBytes = 8 * MIB;

/** Two segments of a pod are reserved, so fewer segments would leave hardly any space for data. */
const segmentCountMin = 6;
/** Beyond this number a new vault gets larger segments, so that it can grow and its processes hold few files open. */
const segmentCountWanted = 256;
/** Each segment takes two of the pod's open files. */
const segmentCountMax = 1024;
const segmentBytesMax = 1024 * MIB;

const schemeName = ({ dataShardCount, parityShardCount }: VaultFile["scheme"]): string =>
  `${dataShardCount}+${parityShardCount}`;

export function countPods({ scheme }: Pick<VaultShape, "scheme">): number {
  return scheme.dataShardCount + scheme.parityShardCount;
}

/** Bytes that the segments take on the disk. */
export function vaultCapacityBytes(shape: VaultShape): number {
  return countPods(shape) * volumeBytes(shape.podVolume) + stashCapacityBytes(shape);
}

function stashCapacityBytes(shape: VaultShape): number {
  return shape.stashDeviceCount * volumeBytes(shape.stashVolume);
}

const volumeBytes = ({ segmentBytes, segmentCount }: VolumeShape): number => segmentBytes * segmentCount;

export function vaultShape(geometry: VaultGeometry): VaultShape {
  const { scheme, podVolume, stashNodeCount, drivesPerStashNode } = geometry;
  const stashDeviceCount = stashNodeCount * drivesPerStashNode;
  return { scheme, podVolume, stashVolume: geometry.stashVolume, stashDeviceCount };
}

/** The reason why a vault cannot get the requested shape, in a sentence for the user. */
export class ShapeRefused extends Error {
  override readonly name = "ShapeRefused";
}

/** The geometry of a new vault. Throws a ShapeRefused for an impossible size. */
export function newVault({ scheme: name = defaultScheme, sizeBytes }: ShapeWanted): VaultGeometry {
  const [dataShardCount, parityShardCount] = name.split("+").map(Number) as [number, number];
  const scheme = { dataShardCount, parityShardCount };
  const pool = stashPools[name];
  const geometry = { scheme, podNodeCount, ...pool, podVolume: defaultPodVolume, stashVolume, pieceBytes };
  if (sizeBytes === undefined) return geometry;
  const shape = vaultShape(geometry);
  let { segmentBytes } = defaultPodVolume;
  while (
    segmentCountFor(shape, segmentBytes, sizeBytes) > segmentCountWanted &&
    segmentBytes < segmentBytesMax
  )
    segmentBytes *= 2;
  const segmentCount = segmentCountFor(shape, segmentBytes, sizeBytes);
  if (segmentCount < segmentCountMin || segmentCount > segmentCountMax) {
    const [least, most] = [
      { segmentBytes: defaultPodVolume.segmentBytes, segmentCount: segmentCountMin },
      { segmentBytes: segmentBytesMax, segmentCount: segmentCountMax },
    ].map((podVolume) => vaultCapacityBytes({ ...shape, podVolume })) as [number, number];
    throw new ShapeRefused(
      `--vault-size must be from ${sizeText(least, Math.ceil)} to ${sizeText(most, Math.floor)}; got ${sizeText(sizeBytes)}.`,
    );
  }
  return { ...geometry, podVolume: { segmentBytes, segmentCount } };
}

/** Geometry of a further vault, like that of the given file. */
export function geometryLike(file: VaultFile): VaultGeometry {
  const { scheme, podVolume, stashVolume, pieceBytes, nodes } = file;
  const podNodeCount = nodes.filter(({ role }) => role === "pod").length;
  const stashDrives = nodes.flatMap((node) => (node.role === "stash" ? [node.drives.length] : []));
  const drivesPerStashNode = Math.max(...stashDrives);
  const stash = { stashVolume, stashNodeCount: stashDrives.length, drivesPerStashNode };
  return { scheme, podVolume, pieceBytes, podNodeCount, ...stash };
}

/**
 * Pod volume of an existing vault, which can only grow. Throws a ShapeRefused for a smaller size, another scheme, or
 * more segments than possible.
 */
export function grownPodVolume(present: VaultShape, wanted: ShapeWanted): VolumeShape {
  const { podVolume } = present;
  const scheme = schemeName(present.scheme);
  if (wanted.scheme !== undefined && wanted.scheme !== scheme) {
    throw new ShapeRefused(
      `This vault stores every object as ${scheme} and cannot become ${wanted.scheme}; leave --scheme out, or create another vault with --data.`,
    );
  }
  if (wanted.sizeBytes === undefined) return podVolume;
  const segmentCount = segmentCountFor(present, podVolume.segmentBytes, wanted.sizeBytes);
  const presentBytes = vaultCapacityBytes(present);
  if (segmentCount < podVolume.segmentCount && wanted.sizeBytes < presentBytes) {
    throw new ShapeRefused(
      `The drives of this vault take ${sizeText(presentBytes)} and cannot shrink to ${sizeText(wanted.sizeBytes)}; leave --vault-size out, or give a larger size.`,
    );
  }
  if (segmentCount > segmentCountMax) {
    const most = vaultCapacityBytes({
      ...present,
      podVolume: { ...podVolume, segmentCount: segmentCountMax },
    });
    throw new ShapeRefused(
      `This vault can grow to ${sizeText(most, Math.floor)}, not to ${sizeText(wanted.sizeBytes)}; create a larger one with --data.`,
    );
  }
  return { ...podVolume, segmentCount: Math.max(segmentCount, podVolume.segmentCount) };
}

/** Number of segments that fit beside the stash. */
function segmentCountFor(shape: VaultShape, segmentBytes: number, sizeBytes: number): number {
  return Math.floor((sizeBytes - stashCapacityBytes(shape)) / (countPods(shape) * segmentBytes));
}

/** The format of `--vault-size`. */
function sizeText(bytes: number, round: (value: number) => number = Math.round): string {
  const [unitBytes, unit] = bytes >= 1e12 ? [1e12, "TB"] : [1e9, "GB"];
  return `${round((bytes / unitBytes) * 10) / 10}${unit}`;
}

/** Catalogue drives that this vault's drives imitate when it is modelled. */
export const driveModels = { pod: "seagate-exos-x16-16tb", stash: "micron-7450-max-3.2tb" } as const;
