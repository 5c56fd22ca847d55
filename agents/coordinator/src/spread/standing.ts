/** Tells whether a vault behind the endpoint takes new keys, and why it is passed over if it does not. */
import type { EndpointVaultState } from "@stashlight/contracts/metrics";
import type { Book } from "./book.ts";

export interface Standing {
  readonly isReachable: boolean;
  /** Why the vault cannot be behind this endpoint; null if nothing is known against it. */
  readonly trouble: string | null;
}

/** `vault` is its index in the book; before there is a book nothing is known of any. */
export function standingOf(
  book: Book | null,
  vault: number,
  { isReachable, trouble }: Standing,
): EndpointVaultState | null {
  if (trouble !== null) return "refused";
  if (book === null) return null;
  const weights = book.epochs.map((epoch) => epoch.weights[vault] ?? 0);
  const lastOpen = weights.findLastIndex((weight) => weight > 0);
  if (lastOpen === weights.length - 1) return "open";
  if (!isReachable) return "unreachable";
  if (lastOpen === -1) return "joining";
  // One that is back waits for an epoch, which is not made with every return.
  return book.epochs[lastOpen + 1]?.reason === "unreachable" ? "unreachable" : "full";
}
