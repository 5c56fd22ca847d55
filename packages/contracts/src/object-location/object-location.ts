/**
 * Where the shards of an object are. An operator asks in the console, and the answer comes from a coordinator of the
 * vault, because only nodes of a vault may ask each other:
 *
 *     POST /v1/object-questions
 *     Authorization: Bearer KEY of an approved coordinator
 *     {"answers": [{"questionId": ..., "location": ...}],       what it found since it asked last
 *      "lost": {"total": ..., "objects": [...]}}                 now and then, the objects that cannot be read
 *
 *     200  {"questions": [{"questionId": ..., "bucket": ..., "key": ...}]}
 *
 * Names of objects are private, so this is served over TLS or loopback only. A question is given out again until it is
 * answered, or until nobody waits for its answer any more.
 */
import { z } from "zod";
import { lostObjectsReportSchema } from "../lost-object/lost-object.ts";
import { bucketPattern, isKey, keyBytesMax } from "./name.ts";

/** A coordinator waits this long between two requests, and this long for the ingest. */
export const objectQuestionsAskedEveryMs = 2_000;
export const objectQuestionsAnswerWithinMs = 5_000;
/** A coordinator is given so many questions at a time, which bounds how much it asks its nodes. */
export const objectQuestionsAtOnceMax = 8;
/** Vaults that one question goes to. */
export const objectQuestionVaultsMax = 50;
/** Pieces of a large object whose shards are asked for; the others are counted. */
export const locatedPiecesMax = 200;

const name = z.string().min(1).max(255);
const count = z.int().min(0);

const locatedShard = z.object({
  index: z.int().min(0).max(255),
  tier: z.enum(["pod", "stash"]),
  node: name,
  device: name,
  /** It would be there after a power cut. */
  isDurable: z.boolean(),
});
export type LocatedShard = z.infer<typeof locatedShard>;

const found = z.object({
  type: z.literal("found"),
  sizeBytes: count,
  /** How many shards restore the object, and how many there are. */
  dataShardCount: count,
  shardCount: count,
  /** Different shards that are durable somewhere. Of an object in pieces it is the least of its parts. */
  durableShardCount: count,
  /** Null for an object that is one upload. `weakest` is the piece whose shards are listed; null for the list of pieces. */
  pieces: z.object({ count, askedCount: count, weakest: count.nullable() }).nullable(),
  shards: z.array(locatedShard).max(1024),
  /** Nodes that did not answer; what they hold is not listed. */
  silentNodes: z.array(name).max(10_000),
});
export type FoundObject = z.infer<typeof found>;

export const objectLocationSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("absent") }),
  /** Nobody can say now; the reason is a sentence. */
  z.object({ type: z.literal("unknown"), reason: z.string().min(1).max(500) }),
  found,
]);
export type ObjectLocation = z.infer<typeof objectLocationSchema>;

export const objectAnswersSchema = z.object({
  answers: z
    .array(z.object({ questionId: z.uuid(), location: objectLocationSchema }))
    .max(objectQuestionsAtOnceMax),
  /** Missing while nothing has changed, and from agents that are older. */
  lost: lostObjectsReportSchema.optional(),
});
export type ObjectAnswer = z.infer<typeof objectAnswersSchema>["answers"][number];

export const objectQuestionsSchema = z.object({
  questions: z.array(z.object({ questionId: z.uuid(), bucket: z.string(), key: z.string() })),
});
export type ObjectQuestion = z.infer<typeof objectQuestionsSchema>["questions"][number];

export const locateObjectInput = z.object({
  bucket: z
    .string()
    .regex(bucketPattern, 'A bucket name has 3 to 63 lower-case letters, digits, "-" and ".".'),
  key: z.string().refine(isKey, `A key has 1 to ${keyBytesMax} bytes.`),
});

export const readLocationsInput = z.object({ askId: z.uuid("There is no such question.") });

export interface VaultLocation {
  vault: string;
  /** Null while no coordinator of the vault has answered. */
  location: ObjectLocation | null;
}
