/** Metadata of an upload and its shards. There is no other directory of objects. */
import type { Scheme } from "./quorums.ts";
import type { VersionOrder } from "./version-order.ts";

/**
 * 128 bits as 32 hex digits, unique to one attempt at one upload. The first 32 bits may be the time, so that uploads which
 * arrive together have similar ids; nothing else may rely on that.
 */
export type UploadId = string;

export interface UploadHeader {
  readonly uploadId: UploadId;
  /** A tombstone is a version that marks the object as deleted; its shards have no bytes. */
  readonly kind: "object" | "tombstone";
  readonly bucket: string;
  readonly key: string;
  readonly order: VersionOrder;
  readonly scheme: Scheme;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly contentType: string;
  readonly userMetadata: Readonly<Record<string, string>>;
  /** Placement epoch in which the attempt began. */
  readonly epoch: number;
}

export interface Shard {
  readonly upload: UploadHeader;
  readonly shardIndex: number;
  readonly payload: Uint8Array;
  readonly payloadCrc: number;
}

/** A shard without its bytes. */
export type ShardHeader = Omit<Shard, "payload">;

/** A bucket's name has no slash, so that no two objects share this text. */
export function objectNameOf({ bucket, key }: { bucket: string; key: string }): string {
  return `${bucket}/${key}`;
}
