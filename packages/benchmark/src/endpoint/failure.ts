/** Reason why an endpoint refused or failed a request, without text chosen by the server except codes. */
import type { Exchange } from "../wire/connection.ts";

export interface EndpointFailure {
  readonly kind: "answered" | "timed-out" | "broken";
  /** The store's code, such as NoSuchBucket; otherwise the system's, such as ECONNREFUSED. */
  readonly code: string;
  readonly status?: number;
  /** Region that the server requires. */
  readonly region?: string;
  /** This machine's clock minus the server's; positive if this machine is ahead. */
  readonly clockAheadMs?: number;
  /** A redirect to another host; it was not followed. */
  readonly isRedirect?: boolean;
}

/** Unsuccessful answer, as passed to a driver. */
export interface Refusal {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Refusal as a driver understands it. */
export interface ReadRefusal {
  readonly code: string | undefined;
  readonly region?: string | undefined;
  /** The server's clock, if it reports it beside the Date header. */
  readonly serverMs?: number | undefined;
}

/** Returns why an exchange failed, or null if it succeeded. `nowMs` is UTC. */
export function failureOfStatus(
  { result, responseBody }: Exchange,
  nowMs: number,
  read: (refusal: Refusal) => ReadRefusal,
): EndpointFailure | null {
  if (result.kind === "timed-out") return { kind: "timed-out", code: "Timeout" };
  if (result.kind === "broken") return { kind: "broken", code: result.error.code ?? "ConnectionFailed" };
  const { status, headers } = result;
  if (status >= 200 && status <= 299) return null;
  const {
    code,
    region,
    serverMs = instantIn(headers.get("date")),
  } = read({
    status,
    headers,
    body: responseBody,
  });
  return {
    kind: "answered",
    code: code ?? `Http${status}`,
    status,
    ...(region === undefined ? {} : { region }),
    ...(serverMs === undefined ? {} : { clockAheadMs: nowMs - serverMs }),
    ...(status >= 300 && status <= 399 ? { isRedirect: true } : {}),
  };
}

/** True if the same request may succeed later. */
export function isTransient({ kind, code, status }: EndpointFailure): boolean {
  // Retrying does not help if a feature is not implemented.
  if (kind === "answered")
    return ((status ?? 0) >= 500 && status !== 501) || status === 429 || status === 408;
  return kind === "timed-out" || code === "ECONNRESET" || code === "EPIPE";
}

/** Returns text chosen by the server only if it is a code, a region or a time. */
export function codeIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z][A-Za-z0-9.]{1,63}$/.test(text) ? text : undefined;
}

export function regionIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[a-z0-9-]{2,60}$/i.test(text) ? text : undefined;
}

export function instantIn(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
