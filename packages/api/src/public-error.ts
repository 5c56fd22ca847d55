import { type StashlightError, toStashlightError } from "@stashlight/contracts";

/** What of a failure may leave the server: our own sentences, but none that is about an inner failure. */
export function publicError(thrown: unknown): StashlightError {
  const known = toStashlightError(thrown);
  return known.code === "internal" ? toStashlightError(new Error("internal", { cause: thrown })) : known;
}
