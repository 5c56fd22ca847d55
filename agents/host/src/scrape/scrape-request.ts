/**
 * Requests metrics from one address. The file that names it belongs to the agent's operator, so private networks and
 * the machine itself are usual and allowed. Addresses that never have an exporter stay refused, above all the metadata
 * services of clouds: a name that resolves there would receive the bearer token.
 */
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { StashlightError } from "@stashlight/contracts/errors";
import { pinDestination, type Resolve } from "@stashlight/outbound";
import { ExpositionReader, type Samples } from "./exposition.ts";
import { ScrapeError } from "./scrape-error.ts";

export interface ScrapeQuestion {
  readonly url: URL;
  /** Read for every request, so that a token or a certificate may be replaced while the agent runs. */
  readonly tokenFile: string | null;
  readonly caFile: string | null;
  readonly wanted: ReadonlySet<string>;
  /** Deadline of the whole answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  readonly resolve?: Resolve;
}

const ALLOWED_NETWORKS = [
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
  ...["127.0.0.0/8", "::1/128", "100.64.0.0/10", "198.18.0.0/15"],
];
const REMEDY = "Nothing that a host agent reads has such an address.";
const CREDENTIAL_BYTES_MAX = 1_048_576;

/** Rejects with a ScrapeError. */
export async function askForMetrics(question: ScrapeQuestion): Promise<Samples> {
  const { url, tokenFile, caFile, timeoutMs, signal } = question;
  const token = tokenFile === null ? null : (await readCredential(tokenFile)).trim();
  const ca = caFile === null ? null : await readCredential(caFile);
  const inTime = AbortSignal.timeout(timeoutMs);
  try {
    const response = await open(question, token, ca, AbortSignal.any([signal, inTime]));
    return await readBody(response, question);
  } catch (error) {
    if (error instanceof ScrapeError) throw error;
    if (inTime.aborted)
      throw new ScrapeError("timeout", `${url.host} did not answer within ${timeoutMs / 1000} s.`);
    throw new ScrapeError("unreachable", `${url.host} cannot be reached: ${(error as Error).message}.`);
  }
}

async function readCredential(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length <= CREDENTIAL_BYTES_MAX) return bytes.toString("utf8");
    throw new Error(`it has more than ${CREDENTIAL_BYTES_MAX} bytes`);
  } catch (error) {
    throw new ScrapeError("credentials", `${path} cannot be read: ${(error as Error).message}.`);
  }
}

async function open(
  { url, resolve }: ScrapeQuestion,
  token: string | null,
  ca: string | null,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const pinning = pinDestination(url.hostname, ALLOWED_NETWORKS, {
    remedy: REMEDY,
    ...(resolve === undefined ? {} : { resolve }),
  }).catch((error: Error) => {
    const isDenied = error instanceof StashlightError && error.code === "precondition_failed";
    throw new ScrapeError(isDenied ? "address" : "unreachable", error.message);
  });
  // A hanging resolver cannot be cancelled, only abandoned.
  const pinned = await Promise.race([pinning, rejectedOn(signal)]);
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all === true) callback(null, [pinned]);
    else callback(null, pinned.address, pinned.family);
  };
  const headers = {
    accept: "text/plain;version=0.0.4",
    "accept-encoding": "identity",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const isTls = url.protocol === "https:";
  const options = { agent: false, lookup, headers, signal, ...(isTls && ca !== null ? { ca } : {}) };
  return await new Promise((answered, reject) => {
    const sent = (isTls ? requestHttps : requestHttp)(url, options, answered);
    sent.once("error", reject).end();
  });
}

const rejectedOn = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** Treats a redirect like any answer other than 200. */
async function readBody(response: IncomingMessage, { wanted, nowMs, url }: ScrapeQuestion): Promise<Samples> {
  try {
    const { statusCode, headers } = response;
    if (statusCode !== 200) throw new ScrapeError("status", `${url.host} answered ${statusCode}.`);
    const type = headers["content-type"] ?? "";
    if (!/^text\/plain\b/i.test(type) || headers["content-encoding"] !== undefined) {
      const form = [type, headers["content-encoding"]].filter((part) => part).join(", ");
      throw new ScrapeError(
        "wrong-type",
        `${url.host} answered with ${form || "no type"}, not with text/plain.`,
      );
    }
    const reader = new ExpositionReader(wanted, nowMs);
    for await (const chunk of response as AsyncIterable<Buffer>) reader.push(chunk);
    return reader.end();
  } finally {
    response.destroy();
  }
}
