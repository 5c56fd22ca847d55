/**
 * Posts sampled uploads over HTTP to the ingest:
 *
 *     POST /v1/traces
 *     Authorization: Bearer KEY
 *     Content-Type: application/vnd.stashlight.traces+json   Content-Encoding: zstd
 *
 *     {"traces": [trace, ...]}     at most 64
 *
 *     200      stored, each once even if repeated; invalid traces are left out and counted
 *     others   as for batches
 *
 * Traces are samples, so those that are not stored at the first attempt are dropped.
 */
import { zstdCompressSync } from "node:zlib";
import { refusalMessage, sendRequest } from "../http/ingest-request.ts";
import type { TraceSnapshot } from "../traces/upload-trace.ts";
import { type PostOptions, SENT_HEADER } from "./http-post.ts";

export const TRACES_CONTENT_TYPE = "application/vnd.stashlight.traces+json";

export type PostTracesResult =
  | { readonly type: "accepted" }
  | { readonly type: "again" | "refused" | "unreachable"; readonly reason: string };

/** Never rejects. */
export async function postTraces(
  { origin, key, ca, timeoutMs, nowMs }: PostOptions,
  traces: readonly TraceSnapshot[],
): Promise<PostTracesResult> {
  try {
    const answer = await sendRequest({
      method: "POST",
      url: new URL("/v1/traces", origin),
      headers: {
        authorization: `Bearer ${key()}`,
        "content-type": TRACES_CONTENT_TYPE,
        "content-encoding": "zstd",
        [SENT_HEADER]: String(nowMs()),
      },
      body: zstdCompressSync(Buffer.from(JSON.stringify({ traces }))),
      ca,
      timeoutMs,
    });
    const { status } = answer;
    if (status === 200) return { type: "accepted" };
    const reason = refusalMessage(answer);
    if (status === 429 || status === 503) return { type: "again", reason };
    return { type: status >= 400 && status < 500 ? "refused" : "unreachable", reason };
  } catch (error) {
    return { type: "unreachable", reason: `${origin} cannot be reached: ${(error as Error).message}.` };
  }
}
