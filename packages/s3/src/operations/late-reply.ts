/** Answers of copies and completions, which can take longer than clients wait for the first byte. */
import type { S3Limits } from "../limits.ts";
import type { S3Reply } from "./call.ts";

/**
 * Returns the reply itself if it is ready soon, so that a failure has its own status. Otherwise returns a late reply
 * with status 200, as AWS does, whose document is the result or an error. It has only `headersKnown`, because the others
 * depend on the result.
 */
export async function replyInTime(
  work: Promise<S3Reply>,
  { silentMsMax }: Pick<S3Limits, "silentMsMax">,
  headersKnown: Readonly<Record<string, string>> = {},
): Promise<S3Reply> {
  const { promise: isLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), silentMsMax);
  try {
    const reply = await Promise.race([work, isLate]);
    if (reply !== null) return reply;
  } finally {
    clearTimeout(timer);
  }
  const text = work.then(({ body }) => (body.kind === "text" ? body.text : ""));
  const headers = { ...headersKnown, "content-type": "application/xml" };
  return { status: 200, headers, body: { kind: "late", text } };
}
