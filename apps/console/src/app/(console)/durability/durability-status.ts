/** The state of a vault's durability, by the marks of the built-in rules. */
import { durabilityMarks } from "@stashlight/contracts/thresholds";
import type { VaultDurability } from "@stashlight/contracts/vault-state/durability";
import type { Status } from "@stashlight/ui";

/** Missing pods are a warning before a rule fires: the next failure is nearer than usual. */
export function durabilityStatus({ nines, missingCount, spareShare }: VaultDurability): Status {
  if (nines === null || spareShare === null || missingCount === null) return "unknown";
  if (spareShare < durabilityMarks.thinSpareShare) return "bad";
  return missingCount > 0 || nines.high < durabilityMarks.ninesTarget ? "warning" : "good";
}

/** "8.6 nines a year (6.7 to 11.6)"; a dash while unknown. */
export function formatNines({ nines }: Pick<VaultDurability, "nines">): string {
  if (nines === null) return "–";
  const [value, low, high] = [nines.value, nines.low, nines.high].map((each) => each.toFixed(1));
  return `${value} nines a year (${low} to ${high})`;
}
