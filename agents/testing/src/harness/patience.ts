import { until } from "./until.ts";

const AGAIN_WITHIN_MS = 30_000;

/** Repeats it while the vault asks for that or does not answer; any other error is passed on. */
export function patiently<Value>(
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
 * The vault cannot do it at present, for whichever reason it gives, or does not answer. After a step of its clock the SDK
 * dates the next request by that clock.
 */
export function isUnavailable(error: Error & { $metadata?: { httpStatusCode?: number } }): boolean {
  const isLate = error.name === "RequestTimeTooSkewed" || error.$metadata?.httpStatusCode === 503;
  return isLate || isConnectionError(error);
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
