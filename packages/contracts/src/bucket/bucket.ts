/**
 * The buckets of a vault, as the console shows and changes them. A coordinator polls the ingest for questions and
 * delivers its answers, because the console cannot reach a vault's nodes:
 *
 *     POST /v1/bucket-questions
 *     Authorization: Bearer KEY of an approved coordinator
 *     {"room": 4,                                                 questions that it can take now
 *      "answers": [{"questionId": ..., "answer": ...}],
 *      "deletions": [{"at": ..., "bucket": ..., "ruleId": ...}]}  new lines of its audit log
 *
 *     200  {"questions": [{"questionId": ..., "question": ...}]}
 *
 * A question is given to one coordinator, once, and only while it is fresh. So a change is carried out at most once,
 * and never if it was not taken in time.
 */
import { z } from "zod";
import { bucketPattern, keyBytesMax } from "../object-location/name.ts";
import {
  bucketQuestionsAtOnceMax,
  bucketsPerAnswerMax,
  deletionsPerReportMax,
  lifecycleRulesShownMax,
} from "./limits.ts";

const count = z.int().min(0);
const bucketName = z
  .string()
  .regex(bucketPattern, 'A bucket name has 3 to 63 lower-case letters, digits, "-" and ".".');
/** AWS's limit. */
const daysMax = 2 ** 31 - 1;
const days = z.int("Days are a whole number.").min(1, "Days are at least 1.").max(daysMax);
const dayMs = 86_400_000;

const tagSchema = z.object({ key: z.string().min(1).max(128), value: z.string().max(256) });
export type BucketTag = z.infer<typeof tagSchema>;

/** A rule as the S3 edge reads it; `form` is the element of its filter, which tools compare. */
const lifecycleRuleSchema = z.object({
  id: z.string().min(1, "Enter a name.").max(255, "A name can have at most 255 characters."),
  isEnabled: z.boolean(),
  form: z.enum(["prefix", "filter", "and"]),
  filter: z.object({
    prefix: z.string().max(keyBytesMax).nullable(),
    tags: z.array(tagSchema).max(50),
    sizeBytesAbove: count.nullable(),
    sizeBytesBelow: count.nullable(),
  }),
  expiration: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("days"), days }),
      z.object({ kind: z.literal("date"), dateMs: z.int().multipleOf(dayMs, "A date is a day in UTC.") }),
      z.object({ kind: z.literal("delete markers"), isWanted: z.boolean() }),
    ])
    .nullable(),
  abortAfterDays: days.nullable(),
});
export type LifecycleRule = z.infer<typeof lifecycleRuleSchema>;

const rulesSchema = z.array(lifecycleRuleSchema).max(lifecycleRulesShownMax);
/** Identifies the rules that were shown; "none" if there are no rules. */
const revision = z.string().min(1).max(64);

const listQuestion = z.object({
  type: z.literal("list"),
  prefix: z.string().max(63),
  /** Last name of the previous page. */
  after: z.string().max(63),
});
const viewQuestion = z.object({ type: z.literal("view"), bucket: bucketName });
const previewQuestion = z.object({
  type: z.literal("preview"),
  bucket: bucketName,
  rules: rulesSchema.min(1),
});
const saveQuestion = z.object({
  type: z.literal("save"),
  bucket: bucketName,
  /** All rules of the bucket; an empty list removes the configuration. */
  rules: rulesSchema,
  /** Rules that have changed since they were read are not replaced. */
  revision,
});

export const bucketQuestionSchema = z.discriminatedUnion("type", [
  listQuestion,
  viewQuestion,
  previewQuestion,
  saveQuestion.extend({ operator: z.string().min(1).max(400) }),
]);
export type BucketQuestion = z.infer<typeof bucketQuestionSchema>;

/** Objects counted so far; all of them if `isWhole`. */
const objectCountSchema = z.object({ count, bytes: count, isWhole: z.boolean() });
export type ObjectCount = z.infer<typeof objectCountSchema>;

const encryptionSchema = z.object({
  isDefault: z.boolean(),
  key: z.discriminatedUnion("type", [
    z.object({ type: z.literal("none") }),
    z.object({
      type: z.literal("wrapped"),
      version: z.int(),
      /** Creation time of the version of the vault's key; null while the coordinator does not have it. */
      versionMadeAt: z.string().max(40).nullable(),
      isNewest: z.boolean(),
    }),
    z.object({ type: z.literal("destroyed"), at: z.string().max(40) }),
    z.object({ type: z.literal("unknown") }),
  ]),
});
export type BucketEncryption = z.infer<typeof encryptionSchema>;

const bucketSummarySchema = z.object({
  name: z.string().min(1).max(255),
  owner: z.string().max(255),
  createdMs: z.number(),
  /** Null if there was no time to count. */
  objects: objectCountSchema.nullable(),
  /** A list has only the first few. */
  tags: z.array(tagSchema).max(50),
  /** Null if they are unreadable, for example written by a later version; the same applies to rules. */
  tagCount: count.nullable(),
  lifecycleRuleCount: count.nullable(),
  encryption: encryptionSchema,
});
export type BucketSummary = z.infer<typeof bucketSummarySchema>;

const dueSchema = z.object({ count, bytes: count, oldestMs: z.number().nullable() });
const rulePreviewSchema = z.object({
  id: z.string().max(255),
  isEnabled: z.boolean(),
  /** Objects and multipart uploads that the rule would delete now. */
  objects: dueSchema,
  uploads: dueSchema,
});
export type RulePreview = z.infer<typeof rulePreviewSchema>;

const listAnswer = z.object({
  type: z.literal("list"),
  buckets: z.array(bucketSummarySchema).max(bucketsPerAnswerMax),
  isTruncated: z.boolean(),
});
const viewAnswer = z.object({
  type: z.literal("view"),
  bucket: bucketSummarySchema,
  /** Null if there are more rules than the console shows, or they are unreadable. */
  rules: rulesSchema.nullable(),
  revision,
});
const previewAnswer = z.object({
  type: z.literal("preview"),
  rules: z.array(rulePreviewSchema).max(lifecycleRulesShownMax),
  seenCount: count,
  isWhole: z.boolean(),
  areAllUploadsSeen: z.boolean(),
});
const savedAnswer = z.object({ type: z.literal("saved") });
/** Sentence for the operator. */
const refusedAnswer = z.object({ type: z.literal("refused"), reason: z.string().min(1).max(500) });

export const bucketAnswerSchema = z.discriminatedUnion("type", [
  listAnswer,
  viewAnswer,
  previewAnswer,
  savedAnswer,
  refusedAnswer,
]);
export type BucketAnswer = z.infer<typeof bucketAnswerSchema>;
export type BucketView = z.infer<typeof viewAnswer>;
export type LifecyclePreview = z.infer<typeof previewAnswer>;

/** A line of a coordinator's audit log: the deletions of a rule in one page of a pass. */
export const lifecycleDeletionSchema = z.object({
  at: z.iso.datetime(),
  action: z.enum(["expire", "abort"]),
  bucket: z.string().min(1).max(255),
  ruleId: z.string().min(1).max(255),
  count,
  bytes: count,
});
export type LifecycleDeletion = z.infer<typeof lifecycleDeletionSchema>;

export const bucketReportSchema = z.object({
  room: z.int().min(0).max(bucketQuestionsAtOnceMax),
  answers: z
    .array(z.object({ questionId: z.uuid(), answer: bucketAnswerSchema }))
    .max(bucketQuestionsAtOnceMax),
  deletions: z.array(lifecycleDeletionSchema).max(deletionsPerReportMax),
});
export type BucketReport = z.infer<typeof bucketReportSchema>;
export type GivenBucketAnswer = BucketReport["answers"][number];

export const bucketQuestionsSchema = z.object({
  questions: z.array(z.object({ questionId: z.uuid(), question: bucketQuestionSchema })),
});
export type TakenBucketQuestion = z.infer<typeof bucketQuestionsSchema>["questions"][number];

const vault = z.string().min(1).max(255);
export const askBucketsInput = z.object({
  vault,
  question: z.discriminatedUnion("type", [listQuestion, viewQuestion]),
});
export const previewRulesInput = previewQuestion.omit({ type: true }).extend({ vault });
export const saveRulesInput = saveQuestion.omit({ type: true }).extend({ vault });
export const readBucketAnswerInput = z.object({ questionId: z.uuid("There is no such question.") });
export const listDeletionsInput = z.object({ vault, bucket: bucketName });

/** "waiting" for a coordinator, "taken" by one, or answered. */
export type BucketQuestionState =
  | { state: "waiting" }
  | { state: "taken"; coordinator: string }
  | { state: "answered"; answer: BucketAnswer };

/** Deletions by a rule on one day. */
export interface DailyDeletions {
  /** In UTC. */
  day: string;
  ruleId: string;
  action: LifecycleDeletion["action"];
  count: number;
  bytes: number;
  lastAt: Date;
}
