/** Sends one request to the ingest over HTTP or TLS, and reads the whole answer. */
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";

export interface Question {
  readonly method: "GET" | "POST";
  /** Address with origin and path. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
  /** Limit on the answer; defaults to 64 KiB. */
  readonly answerBytesMax?: number;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

const ANSWER_BYTES_MAX = 65_536;
const RETRY_AFTER_MS_DEFAULT = 10_000;
const RETRY_AFTER_MS_MAX = 600_000;

export function sendRequest({
  method,
  url,
  headers,
  body,
  ca,
  timeoutMs,
  answerBytesMax,
}: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const length = body === undefined ? {} : { "content-length": body.length };
    const settings = { method, headers: { ...headers, ...length }, signal };
    const request =
      url.protocol === "https:"
        ? requestTls(url, ca === undefined ? settings : { ...settings, ca })
        : requestPlain(url, settings);
    const fail = (error: Error): void =>
      reject(signal.aborted ? new Error(`no answer within ${timeoutMs / 1000} s`) : error);
    request.on("error", fail);
    request.on("response", (response) => void readAnswer(response, answerBytesMax).then(resolve, fail));
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage, bytesMax = ANSWER_BYTES_MAX): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) {
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

/** Returns a member of a JSON object; undefined for any other text. */
export function readMember(text: string, name: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

export function retryAfterMs(retryAfter: string | undefined): number {
  const ms = Number(retryAfter ?? Number.NaN) * 1000;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, RETRY_AFTER_MS_MAX) : RETRY_AFTER_MS_DEFAULT;
}

/** Returns the reason for a refusal in the ingest's words. */
export function refusalMessage({ status, text }: Answer): string {
  const message = readMember(text, "message");
  return typeof message === "string" ? message : `The ingest answered ${status}.`;
}
