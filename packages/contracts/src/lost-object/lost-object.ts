/**
 * Objects that exist and cannot be read, because fewer of their shards can be read than are needed. Coordinators list
 * those that they have met, on an admin page and to the ingest. Their names are private.
 */
import { z } from "zod";

/** The ingest is sent these first; the rest is counted. A list of a hundred is no more read than one of a thousand. */
export const reportedLostObjectsMax = 100;
/** A coordinator reports again after this time, and sooner when the number has changed. */
export const lostObjectsReportedEveryMs = 60_000;
/** A report older than this, with no later one of its coordinator, does not describe the present. */
export const lostObjectsCurrentMs = 5 * lostObjectsReportedEveryMs;

const count = z.int().min(0);
const podCountMax = 256;
const pods = z.array(count).max(podCountMax);

const shortageSchema = z.object({
  readableCount: count,
  neededCount: count,
  shardCount: count,
  /** Pods whose shard fails its checksum, whose drive cannot read it, who do not have it, and who did not answer. */
  damagedPods: pods,
  unreadablePods: pods,
  missingPods: pods,
  silentPods: pods,
});
export type ShardShortage = z.infer<typeof shortageSchema>;

export const lostObjectSchema = shortageSchema.extend({
  uploadId: z.string().max(64),
  /** A large object is stored in pieces, and its list of pieces is an object by itself. */
  part: z.enum(["object", "piece", "record"]),
  /** The object that it is, or belongs to; null where that is not known. */
  bucket: z.string().max(255).nullable(),
  key: z.string().max(4096).nullable(),
  /** Pieces of one object are one entry; this is how many there are. */
  pieceCount: count,
  sizeBytes: count,
  etag: z.string().max(255),
  /** Time at which the coordinator first met it in this state since it started. */
  sinceMs: count,
});
export type LostObject = z.infer<typeof lostObjectSchema>;

export const lostObjectsSchema = z.object({ total: count, objects: z.array(lostObjectSchema) });
export type LostObjects = z.infer<typeof lostObjectsSchema>;

export const lostObjectsReportSchema = lostObjectsSchema.extend({
  objects: z.array(lostObjectSchema).max(reportedLostObjectsMax),
});

/** Two coordinators that have met the same object have entries with this in common. */
function lostObjectId({ part, bucket, key, uploadId }: LostObject): string {
  return part === "piece" && key !== null ? `piece ${bucket}/${key}` : uploadId;
}

/** Entries of several coordinators as one list, newest first; of an object that several have met, the oldest. */
export function uniteLostObjects(lists: readonly LostObjects[]): LostObjects {
  const found = new Map<string, LostObject>();
  for (const object of lists.flatMap(({ objects }) => objects)) {
    const known = found.get(lostObjectId(object));
    if (known === undefined || object.sinceMs < known.sinceMs) found.set(lostObjectId(object), object);
  }
  const objects = [...found.values()].sort((a, b) => b.sinceMs - a.sinceMs);
  // An object that one coordinator has left out may be one that another has listed.
  return { total: Math.max(objects.length, ...lists.map(({ total }) => total)), objects };
}

export const listLostObjectsInput = z.object({ vault: z.string().min(1).max(63) });

/** Lost objects of a vault, as its coordinators report them. */
export interface VaultLostObjects {
  /** Null while none has reported. */
  readonly reportedAt: Date | null;
  /** False where every report is too old to describe the present. */
  readonly isCurrent: boolean;
  readonly total: number;
  /** Null for users who may not see the names of objects. */
  readonly objects: readonly LostObject[] | null;
}
