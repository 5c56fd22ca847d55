/** The 4 KiB page with which a segment and the volume file begin and end: owner, slot, generation, marks. */
import { isBlank, isSame } from "./bytes.ts";
import { dataView, FORMAT_VERSION, getU64, type Identity, PAGE_BYTES, setU64 } from "./format.ts";

export type LogPolicy = "ring" | "extents";

const MAGIC = new TextEncoder().encode("STASHLOG");
const policyCodes = { ring: 1, extents: 2 } as const;

/** Slot number of the volume file. */
export const VOLUME_SLOT = 0xffff_ffff;

/** High-water marks, which never go back, even when the segments that raised them are recycled. */
export interface Marks {
  /** Highest generation ever given to a segment. */
  generation: number;
  /** Number of times that this volume was opened. */
  volumeEpoch: number;
  epochFirstSequence: number;
  /** Last frame sequence known to be durable. */
  sequence: number;
  nextLsn: number;
  /** Highest version order of any record, 16 bytes. */
  readonly versionOrder: Uint8Array;
}

export interface HeaderPage {
  readonly slot: number;
  readonly generation: number;
  readonly segmentBytes: number;
  readonly segmentCount: number;
  readonly policy: LogPolicy;
  /** Offset of the checkpoint frame that lists a sealed segment's records; 0 while there is none. */
  readonly checkpointOffset: number;
  readonly marks: Marks;
}

export function encodeHeaderPage(identity: Identity, page: HeaderPage): Uint8Array {
  const bytes = new Uint8Array(PAGE_BYTES);
  const view = dataView(bytes);
  bytes.set(MAGIC, 0);
  view.setUint32(12, FORMAT_VERSION, true);
  bytes.set(identity.clusterId, 16);
  bytes.set(identity.deviceId, 32);
  view.setUint32(48, page.slot, true);
  view.setUint32(52, page.segmentBytes / PAGE_BYTES, true);
  setU64(view, 56, page.generation);
  setU64(view, 64, page.marks.volumeEpoch);
  setU64(view, 72, page.marks.sequence);
  setU64(view, 80, page.marks.nextLsn);
  bytes.set(page.marks.versionOrder, 88);
  setU64(view, 104, page.checkpointOffset);
  view.setUint32(112, page.segmentCount, true);
  view.setUint32(116, policyCodes[page.policy], true);
  setU64(view, 120, page.marks.epochFirstSequence);
  setU64(view, 128, page.marks.generation);
  view.setUint32(8, identity.crc32c(bytes.subarray(12)), true);
  return bytes;
}

/** Distinguishes a page of another volume from a damaged one: only the former makes opening refuse the whole volume. */
export type ReadHeaderPage =
  | { readonly state: "good"; readonly page: HeaderPage }
  | { readonly state: "blank" | "corrupt" | "unsupported_format" | "foreign_cluster" | "foreign_device" };

export function decodeHeaderPage(identity: Identity, bytes: Uint8Array): ReadHeaderPage {
  if (bytes.length !== PAGE_BYTES) return { state: "corrupt" };
  const view = dataView(bytes);
  if (!isSame(bytes.subarray(0, 8), MAGIC)) {
    return { state: isBlank(bytes) ? "blank" : "corrupt" };
  }
  // This CRC is checked first, because its place and range are the same in every format version.
  if (identity.crc32c(bytes.subarray(12)) !== view.getUint32(8, true)) return { state: "corrupt" };
  if (view.getUint32(12, true) !== FORMAT_VERSION) return { state: "unsupported_format" };
  if (!isSame(bytes.subarray(16, 32), identity.clusterId)) return { state: "foreign_cluster" };
  if (!isSame(bytes.subarray(32, 48), identity.deviceId)) return { state: "foreign_device" };
  const policyCode = view.getUint32(116, true);
  if (policyCode !== policyCodes.ring && policyCode !== policyCodes.extents) return { state: "corrupt" };
  const page: HeaderPage = {
    slot: view.getUint32(48, true),
    generation: getU64(view, 56),
    segmentBytes: view.getUint32(52, true) * PAGE_BYTES,
    segmentCount: view.getUint32(112, true),
    policy: policyCode === policyCodes.ring ? "ring" : "extents",
    checkpointOffset: getU64(view, 104),
    marks: {
      generation: getU64(view, 128),
      volumeEpoch: getU64(view, 64),
      epochFirstSequence: getU64(view, 120),
      sequence: getU64(view, 72),
      nextLsn: getU64(view, 80),
      versionOrder: bytes.slice(88, 104),
    },
  };
  return { state: "good", page };
}

/** Raises `marks` to the values in `seen` where those are higher. */
export function raiseMarks(marks: Marks, seen: Marks): void {
  marks.generation = Math.max(marks.generation, seen.generation);
  marks.volumeEpoch = Math.max(marks.volumeEpoch, seen.volumeEpoch);
  marks.sequence = Math.max(marks.sequence, seen.sequence);
  marks.nextLsn = Math.max(marks.nextLsn, seen.nextLsn);
  raiseVersionOrder(marks.versionOrder, seen.versionOrder);
}

/** Raises the highest order to the one that begins at `start` of these bytes, if that is higher. */
export function raiseVersionOrder(highest: Uint8Array, bytes: Uint8Array, start = 0): void {
  for (let at = 0; at < highest.length; at++) {
    const difference = (bytes[start + at] as number) - (highest[at] as number);
    if (difference < 0) return;
    if (difference > 0) {
      highest.set(bytes.subarray(start, start + highest.length));
      return;
    }
  }
}
