/**
 * Headers of recently read rows. A get reads its upload from each pod of the process, and twice from most of them. If all
 * answers share one header object, the transport encodes it once.
 */
import type { UploadHeader } from "../../shard.ts";
import type { ObjectName } from "../settled-entries.ts";

/** Far more than the uploads being read at a time; ids are random, so few uploads share a slot. */
const SLOT_COUNT = 512;
/** Id and order of the upload. */
const VERSION_BYTES = 28;
/** Rows with longer metadata are decoded each time. */
const SLOT_BYTES = 256;

const uploads: (UploadHeader | null)[] = new Array(SLOT_COUNT).fill(null);
/** Each slot holds the version, then the row from the size on. */
const slots = new Uint8Array(SLOT_COUNT * SLOT_BYTES);
const lengths = new Uint16Array(SLOT_COUNT);

/** Bytes of a row that its header is made from, apart from its name. */
export interface HeaderBytes {
  readonly bytes: Buffer;
  readonly versionAt: number;
  readonly restAt: number;
  readonly end: number;
}

/** Returns the header if the same bytes were read before. The flags need no comparison: an upload has one header. */
export function findKnownHeader(row: HeaderBytes, object: ObjectName): UploadHeader | null {
  const { bytes, versionAt, restAt, end } = row;
  const slot = slotOf(row);
  const upload = uploads[slot] as UploadHeader | null;
  if (upload === null || lengths[slot] !== VERSION_BYTES + end - restAt) return null;
  const start = slot * SLOT_BYTES;
  for (let at = 0; at < VERSION_BYTES; at += 1) if (slots[start + at] !== bytes[versionAt + at]) return null;
  const offset = start + VERSION_BYTES - restAt;
  for (let at = restAt; at < end; at += 1) if (slots[offset + at] !== bytes[at]) return null;
  return upload.key === object.key && upload.bucket === object.bucket ? upload : null;
}

export function keepHeader(row: HeaderBytes, upload: UploadHeader): void {
  const { bytes, versionAt, restAt, end } = row;
  const length = VERSION_BYTES + end - restAt;
  if (length > SLOT_BYTES) return;
  const slot = slotOf(row);
  const start = slot * SLOT_BYTES;
  bytes.copy(slots, start, versionAt, versionAt + VERSION_BYTES);
  bytes.copy(slots, start + VERSION_BYTES, restAt, end);
  uploads[slot] = upload;
  lengths[slot] = length;
}

const slotOf = ({ bytes, versionAt }: HeaderBytes): number =>
  ((bytes[versionAt] as number) | ((bytes[versionAt + 1] as number) << 8)) % SLOT_COUNT;
