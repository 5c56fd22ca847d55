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
import { ask, refusalOf } from "../http/ask.ts";
import { type PostOptions, SENT_HEADER } from "./http-post.ts";

export type ObjectQuestionsAnswer =
  | { readonly type: "questions"; readonly questions: readonly ObjectQuestion[] }
  | { readonly type: "failed"; readonly reason: string };

/** Does not reject. */
export async function askObjectQuestions(
  { origin, key, ca, timeoutMs, nowMs }: PostOptions,
  answers: readonly ObjectAnswer[],
  lost: LostObjects | null = null,
): Promise<ObjectQuestionsAnswer> {
  try {
    const answer = await ask({
      method: "POST",
      url: new URL("/v1/object-questions", origin),
      headers: {
        authorization: `Bearer ${key()}`,
        "content-type": "application/json",
        [SENT_HEADER]: String(nowMs()),
      },
      body: Buffer.from(JSON.stringify({ answers, ...(lost && { lost }) })),
      ca,
      timeoutMs,
    });
    if (answer.status !== 200) return { type: "failed", reason: refusalOf(answer) };
    return { type: "questions", ...objectQuestionsSchema.parse(JSON.parse(answer.text)) };
  } catch (error) {
    return { type: "failed", reason: `${origin} cannot be asked: ${(error as Error).message}.` };
  }
}
