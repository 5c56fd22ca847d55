/**
 * Sends HTTP to a configured address. The console and the worker use it for all addresses except those of object
 * stores, which endpoint/target.ts judges.
 */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { pinDestination } from "@stashlight/outbound";

export interface OutboundRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly allowedCidrs: readonly string[];
  readonly timeoutMs: number;
  /** With 0 only the status of the answer is read. */
  readonly answerBytesMax: number;
  /** Advice if the address is denied; by default the usual advice to admins. */
  readonly remedy?: string;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Connects to exactly the address that was judged; rejects with a StashlightError if it is denied. A redirect is
 * returned like any other answer, and not followed.
 */
export async function requestOutbound(outbound: OutboundRequest): Promise<OutboundAnswer> {
  const { url, method, headers, body, allowedCidrs, timeoutMs, answerBytesMax, remedy } = outbound;
  const target = new URL(url);
  const pinned = await pinDestination(
    target.hostname,
    allowedCidrs,
    remedy === undefined ? undefined : { remedy },
  );
  const pinnedLookup: LookupFunction = (_host, options, callback) => {
    if (options.all === true) callback(null, [pinned]);
    else callback(null, pinned.address, pinned.family);
  };
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request(
      target,
      {
        method,
        agent: false,
        lookup: pinnedLookup,
        headers: { ...headers, ...length },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer) => {
        readAnswer(answer, answerBytesMax).then(resolve, reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

async function readAnswer(answer: IncomingMessage, bytesMax: number): Promise<OutboundAnswer> {
  const status = answer.statusCode ?? 0;
  if (bytesMax === 0) {
    answer.destroy();
    return { status, body: "" };
  }
  const parts: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of answer) {
    const part: Buffer = chunk;
    byteCount += part.length;
    if (byteCount > bytesMax) throw new Error(`the answer has more than ${bytesMax} bytes`);
    parts.push(part);
  }
  return { status, body: Buffer.concat(parts).toString("utf8") };
}
