import { StashlightError, toStashlightError } from "@stashlight/contracts/errors";
import { isDatabaseUnavailable, isStorageFull, storageFullError } from "@stashlight/services/database-error";

/**
 * Converts any thrown value into a StashlightError: a full disk is named, an unreachable database asks for a retry, and
 * anything unknown is `internal`.
 */
export function knownError(thrown: unknown): StashlightError {
  if (!(thrown instanceof StashlightError) && isStorageFull(thrown)) return storageFullError(thrown);
  if (thrown instanceof StashlightError || !isDatabaseUnavailable(thrown)) return toStashlightError(thrown);
  const sentence = "The database does not answer; try again in a moment.";
  return new StashlightError("unavailable", sentence, { cause: thrown });
}

/** Returns the part of a failure that may leave the server: our own messages, except those about internal failures. */
export function publicError(thrown: unknown): StashlightError {
  const known = knownError(thrown);
  return known.code === "internal" ? toStashlightError(new Error("internal", { cause: thrown })) : known;
}
