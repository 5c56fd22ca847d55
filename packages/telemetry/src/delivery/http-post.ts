/**
 * One batch over HTTP to the ingest:
 *
 *     POST /v1/batches
 *     Authorization: Bearer KEY
 *     Content-Type: application/vnd.stashlight.batch   Content-Encoding: zstd
 *     X-Stashlight-Sent-Ms: our clock, milliseconds since 1970
 *
 *     200 {"receivedMs": its clock}      committed
 *     429, 503  Retry-After: seconds     come again
 *     other 4xx {"message": why}         never
 *
 * Everything else, an error of the network or an answer that is none of these, counts as not reached: the batch is kept.
 */
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { zstdCompressSync } from "node:zlib";
import type { PostResult } from "./delivery.ts";

export const BATCH_CONTENT_TYPE = "application/vnd.stashlight.batch";
export const SENT_HEADER = "x-stashlight-sent-ms";

export interface PostOptions {
  /** Of the ingest, without a path. */
  readonly origin: string;
  /** Read for each request, since it may be rotated. */
  readonly key: () => string;
  /** PEM certificates that are trusted beside none other; without it, those of the system. */
  readonly ca?: string;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
}

const ANSWER_BYTES_MAX = 65_536;
const RETRY_AFTER_MS_DEFAULT = 10_000;
const RETRY_AFTER_MS_MAX = 600_000;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Does not reject. */
export async function postBatch(options: PostOptions, batch: Uint8Array): Promise<PostResult> {
  const sentMs = options.nowMs();
  try {
    const answer = await ask(options, zstdCompressSync(batch), sentMs);
    return resultOf(answer, sentMs, options.nowMs());
  } catch (error) {
    return {
      type: "unreachable",
      reason: `${options.origin} cannot be reached: ${(error as Error).message}.`,
    };
  }
}

function ask({ origin, key, ca, timeoutMs }: PostOptions, body: Uint8Array, sentMs: number): Promise<Answer> {
  const url = new URL("/v1/batches", origin);
  const headers = {
    authorization: `Bearer ${key()}`,
    "content-type": BATCH_CONTENT_TYPE,
    "content-encoding": "zstd",
    "content-length": body.length,
    [SENT_HEADER]: String(sentMs),
  };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const settings = { method: "POST", headers, signal };
    const request =
      url.protocol === "https:"
        ? requestTls(url, ca === undefined ? settings : { ...settings, ca })
        : requestPlain(url, settings);
    const fail = (error: Error): void =>
      reject(signal.aborted ? new Error(`no answer within ${timeoutMs / 1000} s`) : error);
    request.on("error", fail);
    request.on("response", (response) => void readAnswer(response).then(resolve, fail));
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) {
      response.destroy();
      throw new Error("the answer is longer than an ingest's");
    }
    chunks.push(chunk);
  }
  const { statusCode = 0, headers } = response;
  return {
    status: statusCode,
    retryAfter: headers["retry-after"],
    text: Buffer.concat(chunks).toString("utf8"),
  };
}

function resultOf({ status, retryAfter, text }: Answer, sentMs: number, answeredMs: number): PostResult {
  if (status === 200) {
    const receivedMs = memberOf(text, "receivedMs");
    if (typeof receivedMs === "number") {
      return { type: "accepted", skewMs: receivedMs - (sentMs + answeredMs) / 2 };
    }
    return { type: "unreachable", reason: "Something answered 200 that is no ingest." };
  }
  if (status === 429 || status === 503) return { type: "again", afterMs: waitOf(retryAfter) };
  if (status >= 400 && status < 500) {
    const message = memberOf(text, "message");
    return {
      type: "refused",
      reason: typeof message === "string" ? message : `The ingest answered ${status}.`,
    };
  }
  return { type: "unreachable", reason: `The ingest answered ${status}.` };
}

function memberOf(text: string, name: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

function waitOf(retryAfter: string | undefined): number {
  const ms = Number(retryAfter ?? Number.NaN) * 1000;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, RETRY_AFTER_MS_MAX) : RETRY_AFTER_MS_DEFAULT;
}
