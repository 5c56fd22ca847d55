/**
 * Packs an S3 object's attributes into its upload's metadata. Names that a client chose are unchanged; internal ones
 * begin with a colon, which no header name contains.
 */
import { sizeOf } from "@stashlight/node-runtime/objects";
import type { ObjectAttributes, ObjectChecksum, ObjectInfo, Tag } from "@stashlight/s3";
import { parseOrder, type UploadHeader } from "@stashlight/write-path";
import type { ObjectSeal } from "../encryption/object-seal.ts";
import { describeEncryption } from "../records/encryption-record.ts";
import { CHECKSUM, COMPLETION, HEADER } from "../records/metadata-names.ts";

/** Metadata of an object with tags: pairs of key and value. */
const TAGS = ":tags";
/** Metadata of an object whose tags were replaced: when its content was written, in milliseconds. */
const MODIFIED = ":modified";

export type Metadata = Record<string, string>;

export function packAttributes(attributes: ObjectAttributes, checksum: ObjectChecksum | null): Metadata {
  const metadata: Metadata = { ...attributes.userMetadata };
  for (const [name, value] of Object.entries(attributes.contentHeaders)) metadata[HEADER + name] = value;
  return { ...metadata, ...packTags(attributes.tags), ...packChecksum(checksum) };
}

function packTags(tags: readonly Tag[]): Metadata {
  return tags.length === 0 ? {} : { [TAGS]: JSON.stringify(tags.map(({ key, value }) => [key, value])) };
}

export function unpackTags({ userMetadata }: Pick<UploadHeader, "userMetadata">): readonly Tag[] {
  const packed = userMetadata[TAGS];
  if (packed === undefined) return [];
  return (JSON.parse(packed) as [string, string][]).map(([key, value]) => ({ key, value }));
}

/** Returns the metadata of the object with other tags. */
export function withTags(upload: UploadHeader, tags: readonly Tag[]): Metadata {
  const { [TAGS]: _replaced, ...kept } = upload.userMetadata;
  return { ...kept, ...packTags(tags), [MODIFIED]: String(modifiedMsOf(upload)) };
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

/** Leaves out encrypted attributes if there is no seal. Throws an S3Error. */
export function unpackAttributes(upload: UploadHeader, seal: ObjectSeal | null): ObjectAttributes {
  // Without a prototype, a name such as __proto__ is an own property.
  const userMetadata: Metadata = Object.create(null);
  const contentHeaders: Metadata = {};
  const metadata = seal?.openMetadata(upload.userMetadata) ?? upload.userMetadata;
  for (const [name, value] of Object.entries(metadata)) {
    if (name.startsWith(HEADER)) contentHeaders[name.slice(HEADER.length)] = value;
    else if (!name.startsWith(":")) userMetadata[name] = value;
  }
  return { contentType: upload.contentType, contentHeaders, userMetadata, tags: unpackTags(upload) };
}

export function infoOf(upload: UploadHeader, seal: ObjectSeal | null): ObjectInfo {
  return {
    sizeBytes: sizeOf(upload),
    etag: upload.etag,
    modifiedMs: modifiedMsOf(upload),
    attributes: unpackAttributes(upload, seal),
    checksum: unpackChecksum(upload),
    completion: unpackCompletion(upload),
    encryption: seal?.applied ?? describeEncryption(upload.userMetadata),
  };
}

/**
 * Returns when the content was written, as of the version order, whose time may be ahead of the coordinator's clock. A
 * version whose tags alone were replaced keeps the earlier time.
 */
export function modifiedMsOf({ order, userMetadata }: Pick<UploadHeader, "order" | "userMetadata">): number {
  const modified = userMetadata[MODIFIED];
  return modified === undefined ? parseOrder(order).timeMs : Number(modified);
}
