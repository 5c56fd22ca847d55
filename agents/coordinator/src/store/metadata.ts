/**
 * What an upload's header says of an S3 object, packed into its metadata. Names that a client chose are kept as they
 * are; ours begin with a colon, which no header name contains.
 */
import { sizeOf } from "@stashlight/node-runtime/objects";
import type { ObjectAttributes, ObjectChecksum, ObjectInfo } from "@stashlight/s3";
import { parseOrder, type UploadHeader } from "@stashlight/write-path";

const CHECKSUM = ":checksum";
const HEADER = ":header:";
/**
 * Metadata of an object made by a multipart upload: it identifies the upload and the list of its parts
 * (CompleteUpload).
 */
const COMPLETION = ":completion";

export type Metadata = Record<string, string>;

export function packAttributes(attributes: ObjectAttributes, checksum: ObjectChecksum | null): Metadata {
  const metadata: Metadata = { ...attributes.userMetadata };
  for (const [name, value] of Object.entries(attributes.contentHeaders)) metadata[HEADER + name] = value;
  return { ...metadata, ...packChecksum(checksum) };
}

export function packChecksum(checksum: ObjectChecksum | null): Metadata {
  return checksum === null ? {} : { [CHECKSUM]: `${checksum.algorithm} ${checksum.type} ${checksum.value}` };
}

export function packCompletion(completion: string): Metadata {
  return { [COMPLETION]: completion };
}

export function unpackCompletion({ userMetadata }: UploadHeader): string | null {
  return userMetadata[COMPLETION] ?? null;
}

export function unpackChecksum({ userMetadata }: UploadHeader): ObjectChecksum | null {
  const packed = userMetadata[CHECKSUM];
  if (packed === undefined) return null;
  const [algorithm, type, value] = packed.split(" ");
  return { algorithm, type, value } as ObjectChecksum;
}

export function unpackAttributes(upload: UploadHeader): ObjectAttributes {
  // Without a prototype, a name such as __proto__ is a property of its own.
  const userMetadata: Metadata = Object.create(null);
  const contentHeaders: Metadata = {};
  for (const [name, value] of Object.entries(upload.userMetadata)) {
    if (name.startsWith(HEADER)) contentHeaders[name.slice(HEADER.length)] = value;
    else if (!name.startsWith(":")) userMetadata[name] = value;
  }
  return { contentType: upload.contentType, contentHeaders, userMetadata };
}

export function infoOf(upload: UploadHeader): ObjectInfo {
  return {
    sizeBytes: sizeOf(upload),
    etag: upload.etag,
    modifiedMs: modifiedMsOf(upload),
    attributes: unpackAttributes(upload),
    checksum: unpackChecksum(upload),
    completion: unpackCompletion(upload),
  };
}

/** The time in its version order: that of the coordinator's clock, moved on where the key's order demanded it. */
export function modifiedMsOf(upload: UploadHeader): number {
  return parseOrder(upload.order).timeMs;
}
