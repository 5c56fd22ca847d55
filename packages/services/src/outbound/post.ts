import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { StashlightError } from "@stashlight/contracts";
import { pinDestination } from "@stashlight/outbound";

const timeoutMs = 10_000;

export interface OutboundPost {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowedCidrs: readonly string[];
}

/**
 * Posts to an address that an admin gave. It connects to the address that was checked, follows no redirect, and reads
 * nothing of the answer but its status.
 */
export async function postOutbound({ url, body, headers, allowedCidrs }: OutboundPost): Promise<void> {
  const target = new URL(url);
  const pinned = await pinDestination(target.hostname, allowedCidrs);
  const pinnedLookup: LookupFunction = (_host, options, callback) => {
    if (options.all === true) callback(null, [pinned]);
    else callback(null, pinned.address, pinned.family);
  };
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  const status = await new Promise<number>((resolve, reject) => {
    const sent = request(
      target,
      {
        method: "POST",
        agent: false,
        lookup: pinnedLookup,
        headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer: IncomingMessage) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    sent.on("error", reject);
    sent.end(body);
  }).catch((cause: unknown) => {
    throw new StashlightError("unavailable", `${target.host} cannot be reached: ${codeOf(cause)}.`, {
      cause,
    });
  });
  if (status >= 200 && status < 300) return;
  throw refusal(target.host, status);
}

/** What a person can act on, and nothing that the other side chose to say. */
function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `no answer within ${timeoutMs / 1000} s`;
  return (error as NodeJS.ErrnoException).code ?? "the connection failed";
}

function refusal(host: string, status: number): StashlightError {
  if (status >= 300 && status < 400) {
    return new StashlightError(
      "precondition_failed",
      `${host} answered ${status}: redirects are not followed, so give the address that it leads to.`,
    );
  }
  const mayHelp = status >= 500 || status === 408 || status === 429;
  return new StashlightError(mayHelp ? "unavailable" : "precondition_failed", `${host} answered ${status}.`);
}
