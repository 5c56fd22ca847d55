import { StashlightError } from "@stashlight/contracts/errors";
import { isStorageFull, storageFullError } from "./database-error.ts";
import { thrownCode } from "./thrown.ts";

const RETRY_AFTER_SECONDS = 5;

/** A missing partition, and temporary conditions: a lock, a deadlock, a full disk, a stopping server. */
const passing = /^(23514|08...|40...|53...|55...|57...|58...)$/;
/** System code of a socket failure. */
const systemCode = /^E[A-Z]+$/;

/**
 * Converts a database failure into an error that asks the sender to retry if that may help: the database did not answer
 * at all, or refused for a temporary reason.
 */
export function asUnavailable(thrown: unknown): unknown {
  if (thrown instanceof StashlightError) return thrown;
  if (isStorageFull(thrown)) return storageFullError(thrown);
  const code = thrownCode(thrown);
  if (code === undefined || !(passing.test(code) || systemCode.test(code))) return thrown;
  const sentence =
    code === "23514"
      ? "The metric store has no partition for this time; the worker creates it."
      : "The database does not answer or has no space; the data was not stored.";
  return new StashlightError("unavailable", sentence, {
    cause: thrown,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
