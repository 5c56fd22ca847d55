/**
 * Sends a coordinator's answers about buckets to the ingest, and fetches questions. Contracts' bucket.ts describes the
 * protocol.
 */
import {
  type BucketReport,
  bucketQuestionsSchema,
  type TakenBucketQuestion,
} from "@stashlight/contracts/bucket";
import { exchangeQuestions, type QuestionsAnswer } from "./exchange-questions.ts";
import type { PostOptions } from "./http-post.ts";

export type BucketQuestionsAnswer = QuestionsAnswer<TakenBucketQuestion>;

/** Never rejects. */
export const askBucketQuestions = (
  options: PostOptions,
  report: BucketReport,
): Promise<BucketQuestionsAnswer> =>
  exchangeQuestions(options, "/v1/bucket-questions", report, bucketQuestionsSchema);
