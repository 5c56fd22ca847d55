/** Names lost objects as clients know them: internal buckets hold parts and records of their objects. */
import type { LostObject } from "@stashlight/contracts/lost-object";
import { sizeOf } from "@stashlight/node-runtime/objects";
import type { LostObject as LostUpload, Shortage } from "@stashlight/write-path";
import { z } from "zod";
import { PARTS, SEPARATOR, UPLOADS } from "../records/multipart-records.ts";
import { OWNER, PIECES } from "../records/pieces.ts";

export type Name = Pick<LostObject, "part" | "bucket" | "key">;

const ownerSchema = z.object({ bucket: z.string(), key: z.string() });

export function clientName({
  bucket,
  key,
  userMetadata,
}: Pick<Shortage["upload"], "bucket" | "key" | "userMetadata">): Name {
  if (!bucket.startsWith(".")) return { part: "object", bucket, key };
  if (bucket === PIECES || bucket === PARTS) return { part: "piece", ...parseOwner(userMetadata[OWNER]) };
  if (bucket !== UPLOADS) return { part: "record", bucket: null, key: null };
  const [ofBucket = null, ofKey = null] = key.split(SEPARATOR);
  return { part: "record", bucket: ofBucket, key: ofKey };
}

/** Returns null for a record of the vault itself, which is not a client's upload. */
export function clientBucketOf(stored: Parameters<typeof clientName>[0]): string | null {
  const { part, bucket } = clientName(stored);
  return part === "record" ? null : bucket;
}

/** Parses the name of the object for which a piece was stored. */
function parseOwner(text: string | undefined): Pick<Name, "bucket" | "key"> {
  try {
    const owner = ownerSchema.safeParse(JSON.parse(text ?? "null"));
    if (owner.success) return { bucket: owner.data.bucket, key: owner.data.key };
  } catch {}
  return { bucket: null, key: null };
}

/** `sinceMs` is on the wall clock. */
export function describeLost(
  { upload, ...shortage }: Shortage,
  sinceMs: number,
  name: Name = clientName(upload),
): LostObject {
  return {
    ...shortage,
    damagedPods: [...shortage.damagedPods],
    unreadablePods: [...shortage.unreadablePods],
    missingPods: [...shortage.missingPods],
    silentPods: [...shortage.silentPods],
    ...name,
    uploadId: upload.uploadId,
    pieceCount: name.part === "piece" ? 1 : 0,
    sizeBytes: sizeOf(upload),
    etag: upload.etag,
    sinceMs,
  };
}

/** Combines the pieces of an object into one entry, with the shards of the worst piece. */
export function describeAll(lost: readonly LostUpload[], toWallMs: (ms: number) => number): LostObject[] {
  const all = new Map<string, LostObject>();
  for (const { shortage, sinceMs } of lost) {
    const object = describeLost(shortage, toWallMs(sinceMs));
    const isPieceOfKnown = object.part === "piece" && object.key !== null;
    const id = isPieceOfKnown ? `${object.bucket}/${object.key}` : ` ${object.uploadId}`;
    const known = all.get(id);
    all.set(id, known === undefined ? object : joined(known, object));
  }
  return [...all.values()];
}

function joined(one: LostObject, other: LostObject): LostObject {
  const weaker = other.readableCount < one.readableCount ? other : one;
  return {
    ...weaker,
    pieceCount: one.pieceCount + other.pieceCount,
    sizeBytes: one.sizeBytes + other.sizeBytes,
    sinceMs: Math.min(one.sinceMs, other.sinceMs),
  };
}
