/** Status of a vault's durability, from the thresholds of the built-in rules. */

import { describeSilentFor, isWhollySilent, type VaultSilence } from "@stashlight/contracts/node";
import { durabilityMarks } from "@stashlight/contracts/thresholds";
import type { VaultDurability } from "@stashlight/contracts/vault-state";
import type { Status } from "@stashlight/ui";

/** Status of the durability; a good one becomes unknown while some of the vault's nodes are silent. */
export function durabilityStatus(durability: VaultDurability, silence: VaultSilence | null = null): Status {
  const status = reportedStatus(durability);
  return silence !== null && status === "good" ? "unknown" : status;
}

/**
 * Describes the durability, in the past tense while the whole vault is silent, or if it was reported before the nodes
 * that are silent fell silent: "No data for 25 s; before that: All 20 pods ...". A report since then, which another
 * query brought, ends the silence of the whole vault. `nowMs` is null where the time is not known.
 */
export function describeDurability(
  { sentence, reportedAt }: VaultDurability,
  silence: VaultSilence | null,
  nowMs: number | null,
): string {
  if (silence === null) return sentence;
  const ageSeconds = reportedAt === null || nowMs === null ? null : (nowMs - reportedAt.getTime()) / 1000;
  const isReportedBefore = ageSeconds === null ? isWhollySilent(silence) : ageSeconds >= silence.seconds;
  if (!isReportedBefore) return sentence;
  return isWhollySilent(silence)
    ? `N${describeSilentFor(silence.seconds).slice(1)}; before that: ${sentence}`
    : `Before ${silence.silentCount} of ${silence.nodeCount} nodes fell silent: ${sentence}`;
}

/** Warns of missing pods before a rule fires, because the next failure is nearer than usual. */
function reportedStatus({ nines, missingCount, spareShare }: VaultDurability): Status {
  if (nines === null || spareShare === null || missingCount === null) return "unknown";
  if (spareShare < durabilityMarks.thinSpareShare) return "bad";
  return missingCount > 0 || nines.high < durabilityMarks.ninesTarget ? "warning" : "good";
}

/** False while more pods are away than the scheme tolerates: nines of data that cannot be read would mean nothing. */
export const hasNines = ({ nines }: Pick<VaultDurability, "nines">): boolean =>
  nines !== null && nines.high >= NINES_SHOWN_MIN;

/** Smaller values would round to 0.0. */
const NINES_SHOWN_MIN = 0.05;

/** "8.6 nines a year (6.7 to 11.6)"; a dash if unknown. */
export function formatNines({ nines }: Pick<VaultDurability, "nines">): string {
  if (nines === null) return "–";
  const [value, low, high] = [nines.value, nines.low, nines.high].map((each) => each.toFixed(1));
  return `${value} nines a year (${low} to ${high})`;
}
