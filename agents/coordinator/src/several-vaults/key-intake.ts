/** Reports whether a vault behind the endpoint gets new keys, and if not, why it is passed over. */
import type { EndpointVaultState } from "@stashlight/contracts/metrics";
import { currentEpoch, type EpochLedger, hasTakenKeys } from "./epoch-ledger.ts";

export interface KeyIntake {
  readonly isReachable: boolean;
  /** Reason why the vault cannot be behind this endpoint; null if none is known. */
  readonly trouble: string | null;
}

/** `vault` is its index in the ledger; without a ledger the state of every vault is unknown. */
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
  // A vault that is back waits for the next epoch, which not every return causes.
  return book.passedOver[vault] ?? "full";
}
