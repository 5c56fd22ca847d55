/**
 * A backup's bytes. Every integer is big-endian, every MAC is an HMAC-SHA256 with a key derived from the installation's
 * secret.
 *
 *   prelude   "STASHLIGHTBACKUP", u32 format version, u32 length of the manifest
 *   manifest  JSON, then its MAC over (0, prelude, manifest)
 *   frames    u8 type, u32 length of the payload, the payload, then its MAC over
 *             (type, MAC before it, u64 index of the frame, length, payload)
 *
 * A frame of type 1 holds a compressed chunk of lines; one of type 2 holds the counts and ends the file. Because each
 * MAC covers the previous one, and the manifest has a random id, a frame is valid only at its position in its own
 * backup.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

export const MAGIC = Buffer.from("STASHLIGHTBACKUP");
/** Format 1 was lines of JSON in one gzip stream, without a MAC (gzip-format.ts). */
export const FORMAT_VERSION = 2;
export const PRELUDE_BYTES = MAGIC.length + 8;
export const FRAME_HEAD_BYTES = 5;
export const MAC_BYTES = 32;
/** Size before compression: large enough to compress well, small enough to hold several in memory. */
export const CHUNK_BYTES = 1_048_576;
/** Deflate adds at most 5 bytes per incompressible block, and a few more. */
export const PAYLOAD_BYTES_MAX = CHUNK_BYTES + 4096;
/** A manifest lists the migrations, a few dozen bytes each. */
export const MANIFEST_BYTES_MAX = 1_048_576;

export const frameTypes = { manifest: 0, chunk: 1, end: 2 } as const;

/** Key of one installation, which authenticates its backups. */
export interface BackupKey {
  /** Identifies the secret from which the key is derived, without revealing it. */
  readonly keyId: string;
  readonly key: Uint8Array;
}

export const headerSchema = z.object({
  createdAt: z.iso.datetime(),
  profile: z.enum(["plain", "timescale", "citus"]),
  migrations: z.array(z.string()),
});
export const manifestSchema = headerSchema.extend({
  backupId: z.string().regex(/^[0-9a-f]{32}$/),
  keyId: z.string().regex(/^[0-9a-f]{12}$/),
});
export const endSchema = z.object({
  rowCount: z.int(),
  keyIds: z.array(z.string()),
  /** Rows of the metric store; null for a backup without it. */
  metricRowCount: z.int().nullable().default(null),
});

export type BackupHeader = z.output<typeof headerSchema>;
export type BackupManifest = z.output<typeof manifestSchema>;
export type BackupEnd = z.output<typeof endSchema>;

export interface FrameHead {
  readonly type: number;
  readonly length: number;
}

export function encodePrelude(manifestLength: number): Buffer {
  const prelude = Buffer.alloc(PRELUDE_BYTES);
  MAGIC.copy(prelude);
  prelude.writeUInt32BE(FORMAT_VERSION, MAGIC.length);
  prelude.writeUInt32BE(manifestLength, MAGIC.length + 4);
  return prelude;
}

export function decodePrelude(prelude: Buffer): { formatVersion: number; manifestLength: number } {
  return {
    formatVersion: prelude.readUInt32BE(MAGIC.length),
    manifestLength: prelude.readUInt32BE(MAGIC.length + 4),
  };
}

export function encodeFrameHead({ type, length }: FrameHead): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt8(type);
  head.writeUInt32BE(length, 1);
  return head;
}

export function decodeFrameHead(head: Buffer): FrameHead {
  return { type: head.readUInt8(), length: head.readUInt32BE(1) };
}

/** Computes the MACs of one backup in the order of its bytes. */
export interface MacChain {
  manifest(prelude: Uint8Array, manifest: Uint8Array): Buffer;
  frame(head: FrameHead, payload: Uint8Array): Buffer;
  /** The last MAC, which covers everything before it. */
  digest(): Buffer;
}

export function createMacChain(key: Uint8Array): MacChain {
  let last: Buffer = Buffer.alloc(MAC_BYTES);
  let index = 0n;
  return {
    manifest(prelude, manifest) {
      const domain = Buffer.from([frameTypes.manifest]);
      last = createHmac("sha256", key).update(domain).update(prelude).update(manifest).digest();
      return last;
    },
    frame({ type, length }, payload) {
      const bound = Buffer.alloc(12);
      bound.writeBigUInt64BE(index);
      bound.writeUInt32BE(length, 8);
      index += 1n;
      const mac = createHmac("sha256", key)
        .update(Buffer.from([type]))
        .update(last)
        .update(bound);
      last = mac.update(payload).digest();
      return last;
    },
    digest: () => last,
  };
}

export const isSameMac = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
