/**
 * Requests a vault's access keys from the ingest, for a coordinator. Contracts' access-key.ts describes the protocol.
 */
import { type ServedAccessKeys, servedAccessKeysSchema } from "@stashlight/contracts/access-key";
import { type Answer, refusalMessage, sendRequest } from "../http/ingest-request.ts";
import { type PostOptions, SENT_HEADER } from "./http-post.ts";

export type AccessKeysAnswer =
  | { readonly type: "list"; readonly list: ServedAccessKeys }
  | { readonly type: "unchanged" }
  | { readonly type: "refused" | "unreachable"; readonly reason: string };

/** Enough for a thousand keys, each limited to a hundred buckets. */
const ANSWER_BYTES_MAX = 8 * 1_048_576;

/** Never rejects. `revision` is that of the list already known. */
export async function askAccessKeys(
  { origin, key, ca, timeoutMs, nowMs }: PostOptions,
  revision: string | null,
): Promise<AccessKeysAnswer> {
  try {
    const answer = await sendRequest({
      method: "GET",
      url: new URL("/v1/access-keys", origin),
      headers: {
        authorization: `Bearer ${key()}`,
        [SENT_HEADER]: String(nowMs()),
        ...(revision === null ? {} : { "if-none-match": `"${revision}"` }),
      },
      ca,
      timeoutMs,
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    return read(answer, revision);
  } catch (error) {
    return { type: "unreachable", reason: `${origin} cannot be reached: ${(error as Error).message}.` };
  }
}

function read(answer: Answer, revision: string | null): AccessKeysAnswer {
  const { status, text } = answer;
  if (status === 304 && revision !== null) return { type: "unchanged" };
  if (status !== 200) {
    const isRefused = status >= 400 && status < 500 && status !== 429;
    return { type: isRefused ? "refused" : "unreachable", reason: refusalMessage(answer) };
  }
  const parsed = servedAccessKeysSchema.safeParse(JSON.parse(text));
  if (parsed.success) return { type: "list", list: parsed.data };
  return { type: "unreachable", reason: "The answer has status 200 but is not a list of access keys." };
}
