/**
 * Posts one batch over HTTP to the ingest:
 *
 *     POST /v1/batches
 *     Authorization: Bearer KEY
 *     Content-Type: application/vnd.stashlight.batch   Content-Encoding: zstd
 *     X-Stashlight-Sent-Ms: local clock, milliseconds since 1970
 *
 *     200 {"receivedMs": its clock}      committed; with "rejectedCount" and "message" if values were dropped or not
 *                                        stored as sent
 *     429, 503  Retry-After: seconds     retry later
 *     other 4xx {"message": why}         do not retry
 *
 * A network error or any other answer counts as unreachable: the batch is kept.
 */
import { zstdCompressSync } from "node:zlib";
import {
  type Answer,
  readMember,
  refusalMessage,
  retryAfterMs,
  sendRequest,
} from "../http/ingest-request.ts";
import type { PostResult } from "./delivery.ts";

export const BATCH_CONTENT_TYPE = "application/vnd.stashlight.batch";
export const SENT_HEADER = "x-stashlight-sent-ms";

export interface PostOptions {
  /** Origin of the ingest, without a path. */
  readonly origin: string;
  /** Read for each request, because the key may be rotated. */
  readonly key: () => string;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
}

/** Never rejects. */
export async function postBatch(options: PostOptions, batch: Uint8Array): Promise<PostResult> {
  const sentMs = options.nowMs();
  try {
    const answer = await post(options, zstdCompressSync(batch), sentMs);
    return postResult(answer, sentMs, options.nowMs());
  } catch (error) {
    return {
      type: "unreachable",
      reason: `${options.origin} cannot be reached: ${(error as Error).message}.`,
    };
  }
}

function post(
  { origin, key, ca, timeoutMs }: PostOptions,
  body: Uint8Array,
  sentMs: number,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key()}`,
    "content-type": BATCH_CONTENT_TYPE,
    "content-encoding": "zstd",
    [SENT_HEADER]: String(sentMs),
  };
  return sendRequest({ method: "POST", url: new URL("/v1/batches", origin), headers, body, ca, timeoutMs });
}

function postResult(answer: Answer, sentMs: number, answeredMs: number): PostResult {
  const { status, retryAfter, text } = answer;
  if (status === 200) {
    const receivedMs = readMember(text, "receivedMs");
    if (typeof receivedMs === "number") {
      const remark = readMember(text, "message");
      const told = typeof remark === "string" ? { remark } : {};
      return { type: "accepted", skewMs: receivedMs - (sentMs + answeredMs) / 2, ...told };
    }
    return { type: "unreachable", reason: "A server that is not an ingest answered 200." };
  }
  if (status === 429 || status === 503) return { type: "again", afterMs: retryAfterMs(retryAfter) };
  if (status >= 400 && status < 500) return { type: "refused", reason: refusalMessage(answer) };
  return { type: "unreachable", reason: `The ingest answered ${status}.` };
}
