import { until } from "./wait-until.ts";

const AGAIN_WITHIN_MS = 60_000;

/** Retries while the vault asks for it or does not answer; passes on any other error. */
export function retryWhileUnavailable<Value>(
  what: string,
  look: () => Promise<Value>,
  { isPassing = isBusyOrAway, withinMs = AGAIN_WITHIN_MS } = {},
): Promise<{ value: Value }> {
  let last: unknown = null;
  const tryOnce = async () => {
    try {
      return { value: await look() };
    } catch (error) {
      last = (error as Error).message;
      if (isPassing(error as Error)) return null;
      throw error;
    }
  };
  return until(what, tryOnce, withinMs, () => last);
}

const isBusyOrAway = (error: Error): boolean => error.name === "SlowDown" || isConnectionError(error);

/**
 * True if the vault cannot serve the request now, or does not answer. After a step of its clock the SDK dates the next
 * request by that clock; the answer to a HEAD has no body with a reason, only the status.
 */
export function isUnavailable(error: Error & { $metadata?: { httpStatusCode?: number } }): boolean {
  const status = error.$metadata?.httpStatusCode;
  const isSkewed = error.name === "RequestTimeTooSkewed" || (status === 403 && error.name === "Unknown");
  return isSkewed || status === 503 || isConnectionError(error);
}

const CONNECTION_ERRORS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);

export function isConnectionError(error: Error & { code?: string }): boolean {
  return (
    CONNECTION_ERRORS.has(error.code ?? "") ||
    error.name === "TimeoutError" ||
    /socket hang up|aborted/.test(error.message)
  );
}
