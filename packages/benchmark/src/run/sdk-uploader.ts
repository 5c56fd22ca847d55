/**
 * Uploads through the AWS SDK, with settings that make it comparable: one connection (an agent's instance, and no
 * `Expect`, which opens another per request), no checksums that some stores refuse, one attempt, and the address that
 * was checked.
 */
import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import type { EndpointFailure } from "../endpoint/failure.ts";
import { type EndpointTarget, toWireTarget } from "../endpoint/target.ts";
import type { Upload } from "./operations.ts";

export interface SdkUploader {
  /** Resolves even if the upload fails; the answer then has the failure. Rejects when aborted. */
  put(upload: Upload, signal: AbortSignal): Promise<SdkAnswer>;
  /** TCP connections opened so far. */
  readonly openedCount: number;
  close(): void;
}

export interface SdkAnswer {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly etag: string;
  readonly failure: EndpointFailure | null;
}

export async function createSdkUploader(
  target: EndpointTarget,
  { accessKeyId, secretAccessKey }: EndpointCredentials,
  timeoutMs: number,
): Promise<SdkUploader> {
  // Loads the SDK only for runs that measure it.
  const { S3Client, PutObjectCommand } = await import("@aws-sdk/client-s3");
  const { agent, openedCount } = createAgent(target);
  const client = new S3Client({
    endpoint: target.url,
    region: target.region,
    forcePathStyle: target.addressing === "path",
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
    expectContinueHeader: false,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(
    (next) => (given) => {
      Object.assign((given.request as { headers: Record<string, string> }).headers, target.putHeaders);
      return next(given);
    },
    { step: "build", name: "headersOfTheEndpoint" },
  );
  return {
    get openedCount() {
      return openedCount();
    },
    put: async ({ key, body }, signal) => {
      const command = new PutObjectCommand({ Bucket: target.bucket, Key: key, Body: body.bytes });
      const startedAt = performance.now();
      try {
        const { ETag = "" } = await client.send(command, { abortSignal: signal });
        return { startedAt, endedAt: performance.now(), etag: ETag, failure: null };
      } catch (error) {
        const endedAt = performance.now();
        signal.throwIfAborted();
        return { startedAt, endedAt, etag: "", failure: failureOfSdk(error) };
      }
    },
    close: () => client.destroy(),
  };
}

/** Keeps at most one connection, always to the address that was checked, even if the name now resolves elsewhere. */
function createAgent(target: EndpointTarget): { agent: Agent; openedCount: () => number } {
  const { address, isTls, caPem } = toWireTarget(target);
  const family = isIP(address);
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const usual = { keepAlive: true, maxSockets: 1, lookup };
  const agent = isTls ? new TlsAgent({ ...usual, ...(caPem === "" ? {} : { ca: caPem }) }) : new Agent(usual);
  let opened = 0;
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (...given: Parameters<Agent["createConnection"]>) => {
    opened += 1;
    return create(...given);
  };
  return { agent, openedCount: () => opened };
}

/** The SDK also calls a lost connection a TimeoutError. */
const LOST_CONNECTION_CODES: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"]);

function failureOfSdk(error: unknown): EndpointFailure {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  if (name === "TimeoutError" && !LOST_CONNECTION_CODES.has(code))
    return { kind: "timed-out", code: "Timeout" };
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return { kind: "answered", code: wordIn(name) ?? `Http${status}`, status };
  return { kind: "broken", code: wordIn(code) ?? wordIn(name) ?? "ConnectionFailed" };
}

/** Returns only codes, because no other text that a server chose may go into samples. */
function wordIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z][A-Za-z0-9_.]{1,63}$/.test(text) ? text : undefined;
}
