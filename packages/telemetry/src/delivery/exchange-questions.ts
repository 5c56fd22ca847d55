import { refusalMessage, sendRequest } from "../http/ingest-request.ts";
import { type PostOptions, SENT_HEADER } from "./http-post.ts";

export type QuestionsAnswer<Question> =
  | { readonly type: "questions"; readonly questions: readonly Question[] }
  | { readonly type: "failed"; readonly reason: string };

interface QuestionsSchema<Question> {
  parse(answer: unknown): { readonly questions: readonly Question[] };
}

/** Posts a coordinator's report as JSON to the ingest and returns the ingest's questions for it. Never rejects. */
export async function exchangeQuestions<Question>(
  { origin, key, ca, timeoutMs, nowMs }: PostOptions,
  path: string,
  report: object,
  schema: QuestionsSchema<Question>,
): Promise<QuestionsAnswer<Question>> {
  try {
    const answer = await sendRequest({
      method: "POST",
      url: new URL(path, origin),
      headers: {
        authorization: `Bearer ${key()}`,
        "content-type": "application/json",
        [SENT_HEADER]: String(nowMs()),
      },
      body: Buffer.from(JSON.stringify(report)),
      ca,
      timeoutMs,
    });
    if (answer.status !== 200) return { type: "failed", reason: refusalMessage(answer) };
    return { type: "questions", ...schema.parse(JSON.parse(answer.text)) };
  } catch (error) {
    return { type: "failed", reason: `The exchange with ${origin} failed: ${(error as Error).message}.` };
  }
}
