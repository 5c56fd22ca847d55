import { StashlightError } from "@stashlight/contracts";

const RETRY_AFTER_SECONDS = 5;

/** A row for which no partition is there, and what passes: a lock, a deadlock, a disk that is full, a server that ends. */
const passing = /^(23514|08...|40...|53...|55...|57...|58...)$/;

/**
 * What went wrong between us and the database, as an error that says to come again where that may help: when the
 * database did not answer at all, or refused for a reason that passes.
 */
export function asComeAgain(thrown: unknown): unknown {
  if (thrown instanceof StashlightError) return thrown;
  const { code } = (thrown ?? {}) as { code?: unknown };
  const isSqlState = typeof code === "string" && /^[0-9A-Z]{5}$/.test(code);
  if (isSqlState && !passing.test(code)) return thrown;
  if (!isSqlState && !isOfConnection(thrown)) return thrown;
  const sentence =
    code === "23514"
      ? "The metric store has no partition for this time; the worker makes it."
      : "The database does not answer or has no room; what was sent is not stored.";
  return new StashlightError("unavailable", sentence, {
    cause: thrown,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Errors of sockets carry the system's code; those of node-postgres and its pool only their words. */
function isOfConnection(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code } = thrown as NodeJS.ErrnoException;
  return (
    (typeof code === "string" && /^E[A-Z]+$/.test(code)) ||
    /connect|terminated|not queryable/i.test(thrown.message)
  );
}
