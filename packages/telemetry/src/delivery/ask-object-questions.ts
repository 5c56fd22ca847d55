/**
 * Requests the objects that a coordinator should look for from the ingest, and sends its results, together with the
 * unreadable objects it encountered. Contracts' object-location.ts describes the protocol.
 */
import type { LostObjects } from "@stashlight/contracts/lost-object";
import {
  type ObjectAnswer,
  type ObjectQuestion,
  objectQuestionsSchema,
} from "@stashlight/contracts/object-location";
import { exchangeQuestions, type QuestionsAnswer } from "./exchange-questions.ts";
import type { PostOptions } from "./http-post.ts";

export type ObjectQuestionsAnswer = QuestionsAnswer<ObjectQuestion>;

/** Never rejects. */
export const askObjectQuestions = (
  options: PostOptions,
  answers: readonly ObjectAnswer[],
  lost: LostObjects | null = null,
): Promise<ObjectQuestionsAnswer> =>
  exchangeQuestions(
    options,
    "/v1/object-questions",
    { answers, ...(lost && { lost }) },
    objectQuestionsSchema,
  );
