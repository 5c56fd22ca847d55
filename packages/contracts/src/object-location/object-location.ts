/**
 * Finds an object's shards. An operator asks in the console, and a coordinator of the vault answers, because only nodes
 * of a vault may query each other:
 *
 *     POST /v1/object-questions
 *     Authorization: Bearer KEY of an approved coordinator
 *     {"answers": [{"questionId": ..., "location": ...}],       answers found since its last request
 *      "lost": {"total": ..., "objects": [...]}}                 from time to time, the unreadable objects
 *
 *     200  {"questions": [{"questionId": ..., "bucket": ..., "key": ...}]}
 *
 * Names of objects are private, so this is served over TLS or loopback only. A question is sent again until it is
 * answered, or until no user waits for its answer.
 */
import { z } from "zod";
import { lostObjectsReportSchema } from "../lost-object/lost-object.ts";
import { bucketPattern, isKey, keyBytesMax } from "./name.ts";

/** Interval between a coordinator's requests, and its time limit for the ingest. */
export const objectQuestionsAskedEveryMs = 2_000;
export const objectQuestionsAnswerWithinMs = 5_000;
/** Limit on questions that a coordinator gets at a time, which limits the requests to its nodes. */
export const objectQuestionsAtOnceMax = 8;
/** Limit on vaults to which one question goes. */
export const objectQuestionVaultsMax = 50;
/** Pieces of a large object whose shards are requested; the others are counted. */
export const locatedPiecesMax = 200;

const name = z.string().min(1).max(255);
const count = z.int().min(0);

const locatedShard = z.object({
  index: z.int().min(0).max(255),
  tier: z.enum(["pod", "stash"]),
  node: name,
  device: name,
  /** True if it would survive a power cut. */
  isDurable: z.boolean(),
});
export type LocatedShard = z.infer<typeof locatedShard>;

const found = z.object({
  type: z.literal("found"),
  sizeBytes: count,
  /** Number of shards that restore the object, and number of all shards. */
  dataShardCount: count,
  shardCount: count,
  /**
   * Number of distinct shards that are durable anywhere; for an object in pieces, the lowest number among its parts.
   */
  durableShardCount: count,
  /**
   * Null for an object that is one upload. `weakest` is the piece whose shards are listed; null for the list of pieces.
   */
  pieces: z.object({ count, askedCount: count, weakest: count.nullable() }).nullable(),
  shards: z.array(locatedShard).max(1024),
  /** Nodes that did not answer; their shards are not listed. */
  silentNodes: z.array(name).max(10_000),
});
export type FoundObject = z.infer<typeof found>;

export const objectLocationSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("absent") }),
  /** Currently unknown; the reason is a sentence. */
  z.object({ type: z.literal("unknown"), reason: z.string().min(1).max(500) }),
  found,
]);
export type ObjectLocation = z.infer<typeof objectLocationSchema>;

export const objectAnswersSchema = z.object({
  answers: z
    .array(z.object({ questionId: z.uuid(), location: objectLocationSchema }))
    .max(objectQuestionsAtOnceMax),
  /** Absent if unchanged, and from older agents. */
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
