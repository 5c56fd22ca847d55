import { StashlightError, toStashlightError } from "@stashlight/contracts/errors";
import { isDatabaseUnavailable, isStorageFull, storageFullError } from "@stashlight/services/database-error";

/** Anything thrown, as one of our errors: a full disk is named, a database out of reach is worth another try, the unknown is `internal`. */
export function knownError(thrown: unknown): StashlightError {
  if (!(thrown instanceof StashlightError) && isStorageFull(thrown)) return storageFullError(thrown);
  if (thrown instanceof StashlightError || !isDatabaseUnavailable(thrown)) return toStashlightError(thrown);
  const sentence = "The database does not answer; try again in a moment.";
  return new StashlightError("unavailable", sentence, { cause: thrown });
}

/** What of a failure may leave the server: our own sentences, but none that is about an inner failure. */
export function publicError(thrown: unknown): StashlightError {
  const known = knownError(thrown);
  return known.code === "internal" ? toStashlightError(new Error("internal", { cause: thrown })) : known;
}
