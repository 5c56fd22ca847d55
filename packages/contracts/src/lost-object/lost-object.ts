/**
 * Objects that exist but cannot be read, because too few of their shards are readable. A coordinator lists those that
 * it has found on its admin page, and reports them to the ingest. Their names are private.
 */
import { z } from "zod";

/** Limit on entries sent to the ingest; the rest is only counted, because longer lists are not read. */
export const reportedLostObjectsMax = 100;
/** Interval between a coordinator's reports, which come sooner if the number has changed. */
export const lostObjectsReportedEveryMs = 60_000;
/** Age after which a coordinator's last report no longer describes the present. */
export const lostObjectsCurrentMs = 5 * lostObjectsReportedEveryMs;

const count = z.int().min(0);
const podCountMax = 256;
const pods = z.array(count).max(podCountMax);

const shortageSchema = z.object({
  readableCount: count,
  neededCount: count,
  shardCount: count,
  /** Pods whose shard fails its checksum, whose drive cannot read it, that do not have it, and that did not answer. */
  damagedPods: pods,
  unreadablePods: pods,
  missingPods: pods,
  silentPods: pods,
});
export type ShardShortage = z.infer<typeof shortageSchema>;

export const lostObjectSchema = shortageSchema.extend({
  uploadId: z.string().max(64),
  /** A large object is stored in pieces, and its list of pieces is itself an object. */
  part: z.enum(["object", "piece", "record"]),
  /** The object itself, or the one to which it belongs; null if unknown. */
  bucket: z.string().max(255).nullable(),
  key: z.string().max(4096).nullable(),
  /** Number of lost pieces; pieces of one object share an entry. */
  pieceCount: count,
  sizeBytes: count,
  etag: z.string().max(255),
  /** Time when the coordinator, since its restart, first found it in this state. */
  sinceMs: count,
});
export type LostObject = z.infer<typeof lostObjectSchema>;

export const lostObjectsSchema = z.object({ total: count, objects: z.array(lostObjectSchema) });
export type LostObjects = z.infer<typeof lostObjectsSchema>;

export const lostObjectsReportSchema = lostObjectsSchema.extend({
  objects: z.array(lostObjectSchema).max(reportedLostObjectsMax),
});

/** Key of an object that is the same in the entries of all coordinators. */
function lostObjectId({ part, bucket, key, uploadId }: LostObject): string {
  return part === "piece" && key !== null ? `piece ${bucket}/${key}` : uploadId;
}

/**
 * Merges the entries of several coordinators into one list, newest first; keeps the oldest entry of an object that
 * several have found.
 */
export function uniteLostObjects(lists: readonly LostObjects[]): LostObjects {
  const found = new Map<string, LostObject>();
  for (const object of lists.flatMap(({ objects }) => objects)) {
    const known = found.get(lostObjectId(object));
    if (known === undefined || object.sinceMs < known.sinceMs) found.set(lostObjectId(object), object);
  }
  const objects = [...found.values()].sort((a, b) => b.sinceMs - a.sinceMs);
  // An object that one coordinator left out may be in another's list.
  return { total: Math.max(objects.length, ...lists.map(({ total }) => total)), objects };
}

export const listLostObjectsInput = z.object({ vault: z.string().min(1).max(63) });

/** Lost objects of a vault, as its coordinators report them. */
export interface VaultLostObjects {
  /** Null while no coordinator has reported. */
  readonly reportedAt: Date | null;
  /** False if every report is too old to describe the present. */
  readonly isCurrent: boolean;
  readonly total: number;
  /** Null for users who may not see the names of objects. */
  readonly objects: readonly LostObject[] | null;
}
