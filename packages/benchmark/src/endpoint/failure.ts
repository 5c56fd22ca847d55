/** Why an endpoint did not do what it was asked, without a word of what it chose to say beyond codes. */
import { readXml } from "@stashlight/s3/client";
import type { Exchange } from "../wire/connection.ts";

export interface EndpointFailure {
  readonly kind: "answered" | "timed-out" | "broken";
  /** S3's code, such as NoSuchBucket; otherwise the system's, such as ECONNREFUSED. */
  readonly code: string;
  readonly status?: number;
  /** The region that the server asks for. */
  readonly region?: string;
  /** How far this machine's clock is ahead of the server's. */
  readonly clockAheadMs?: number;
  /** A redirect led elsewhere; it was not followed. */
  readonly isRedirect?: boolean;
}

/** HEAD has no document that could name the code. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  403: "AccessDenied",
  404: "NotFound",
  412: "PreconditionFailed",
  503: "SlowDown",
};

/** What an exchange failed of; null if it was answered with success. `nowMs` is UTC. */
export function failureOf({ result, responseBody }: Exchange, nowMs: number): EndpointFailure | null {
  if (result.kind === "timed-out") return { kind: "timed-out", code: "Timeout" };
  if (result.kind === "broken") return { kind: "broken", code: result.error.code ?? "ConnectionFailed" };
  const { status, headers } = result;
  if (status >= 200 && status <= 299) return null;
  const document = documentOf(responseBody);
  const region = regionIn(document.region) ?? regionIn(headers.get("x-amz-bucket-region"));
  const serverMs = instantIn(document.serverTime) ?? instantIn(headers.get("date"));
  return {
    kind: "answered",
    code: codeIn(document.code) ?? CODE_OF_STATUS[status] ?? `Http${status}`,
    status,
    ...(region === undefined ? {} : { region }),
    ...(serverMs === undefined ? {} : { clockAheadMs: nowMs - serverMs }),
    ...(status >= 300 && status <= 399 ? { isRedirect: true } : {}),
  };
}

/** The same request may succeed at another time. */
export function isTransient({ kind, code, status }: EndpointFailure): boolean {
  // What is not implemented will not be a moment later either.
  if (kind === "answered")
    return ((status ?? 0) >= 500 && status !== 501) || status === 429 || status === 408;
  return kind === "timed-out" || code === "ECONNRESET" || code === "EPIPE";
}

interface ErrorDocument {
  readonly code?: string | undefined;
  readonly region?: string | undefined;
  readonly serverTime?: string | undefined;
}

function documentOf(body: Buffer): ErrorDocument {
  if (body.length === 0) return {};
  try {
    const xml = readXml(body.toString("utf8"), "Error");
    return { code: xml.text("Code"), region: xml.text("Region"), serverTime: xml.text("ServerTime") };
  } catch {
    return {};
  }
}

/** What the server chose to say is shown only where it can be nothing but a code, a region, a time. */
function codeIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z][A-Za-z0-9.]{1,63}$/.test(text) ? text : undefined;
}

function regionIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[a-z0-9-]{2,60}$/i.test(text) ? text : undefined;
}

function instantIn(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
