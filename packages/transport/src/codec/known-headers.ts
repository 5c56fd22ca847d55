/**
 * Headers of recently read uploads. The shards of an upload arrive with the same header, and a process that serves ten
 * pods or all devices of the stash would otherwise decode and store it for each of them.
 */
import type { UploadHeader } from "@stashlight/write-path";
import type { FieldReader } from "./reader.ts";

/** Far more than the uploads in progress at a time; the ends of ids are random, so few uploads share a slot. */
const SLOT_COUNT = 512;
/** A header begins with the 16 bytes of its id. */
const END_OF_ID_AT = 14;
const BYTES_MAX = 1024;

interface Known {
  readonly bytes: Uint8Array;
  readonly upload: UploadHeader;
}

const slots: (Known | undefined)[] = new Array(SLOT_COUNT).fill(undefined);

/** Reads a header by `read`, or returns the same object again if exactly the same bytes were read before. */
export function readKnown(reader: FieldReader, read: (reader: FieldReader) => UploadHeader): UploadHeader {
  const slot = reader.peekU16(END_OF_ID_AT) % SLOT_COUNT;
  const known = slots[slot];
  if (known !== undefined && reader.skipIfSame(known.bytes)) return known.upload;
  const start = reader.at;
  const upload = read(reader);
  if (reader.at - start <= BYTES_MAX) slots[slot] = { bytes: reader.copySince(start), upload };
  return upload;
}
