/** A coordinator brings its answers about buckets to the ingest and takes questions. Contracts' bucket.ts has the protocol. */
import {
  type BucketReport,
  bucketQuestionsSchema,
  type TakenBucketQuestion,
} from "@stashlight/contracts/bucket";
import { ask, refusalOf } from "../http/ask.ts";
import { type PostOptions, SENT_HEADER } from "./http-post.ts";

export type BucketQuestionsAnswer =
  | { readonly type: "questions"; readonly questions: readonly TakenBucketQuestion[] }
  | { readonly type: "failed"; readonly reason: string };

/** Does not reject. */
export async function askBucketQuestions(
  { origin, key, ca, timeoutMs, nowMs }: PostOptions,
  report: BucketReport,
): Promise<BucketQuestionsAnswer> {
  try {
    const answer = await ask({
      method: "POST",
      url: new URL("/v1/bucket-questions", origin),
      headers: {
        authorization: `Bearer ${key()}`,
        "content-type": "application/json",
        [SENT_HEADER]: String(nowMs()),
      },
      body: Buffer.from(JSON.stringify(report)),
      ca,
      timeoutMs,
    });
    if (answer.status !== 200) return { type: "failed", reason: refusalOf(answer) };
    return { type: "questions", ...bucketQuestionsSchema.parse(JSON.parse(answer.text)) };
  } catch (error) {
    return { type: "failed", reason: `${origin} cannot be asked: ${(error as Error).message}.` };
  }
}
