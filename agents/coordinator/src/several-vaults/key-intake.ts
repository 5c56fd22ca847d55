/** Reports if a vault behind the endpoint takes new keys, and why it is passed over if it does not. */
import type { EndpointVaultState } from "@stashlight/contracts/metrics";
import { currentEpoch, type EpochLedger, hasTakenKeys } from "./epoch-ledger.ts";

export interface KeyIntake {
  readonly isReachable: boolean;
  /** Why the vault cannot be behind this endpoint; null if nothing is known against it. */
  readonly trouble: string | null;
}

/** `vault` is its index in the book; before there is a book nothing is known of any. */
export function keyIntake(
  book: EpochLedger | null,
  vault: number,
  { isReachable, trouble }: KeyIntake,
): EndpointVaultState | null {
  if (trouble !== null) return "refused";
  if (book === null) return null;
  if ((currentEpoch(book).weights[vault] ?? 0) > 0) return "open";
  if (!isReachable) return "unreachable";
  if (!hasTakenKeys(book, vault)) return "joining";
  // One that is back waits for an epoch, which is not made with every return.
  return book.passedOver[vault] ?? "full";
}
