/**
 * Requests the objects that a coordinator should look for from the ingest, and sends what it found, together with the
 * unreadable objects that it has met. The protocol is described in contracts' object-location.ts.
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

/** Does not reject. */
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
