import type { Transaction } from "@stashlight/db";
import { alertSilenceColumns } from "@stashlight/db/columns/alert";
import type { Core } from "../core.ts";

export interface ActiveSilence {
  readonly ruleId: string | null;
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly reason: string;
  readonly createdBy: string;
  readonly endsAt: Date;
}

export async function activeSilences(db: Core["db"] | Transaction, now: Date): Promise<ActiveSilence[]> {
  const rows = await db.alertSilence.findMany({ where: { endsAt: { gt: now } } });
  return rows.map(({ id, ruleId, labels, reason, createdByName, endsAt }) => ({
    ruleId,
    labels: alertSilenceColumns.labels.read(labels, id),
    reason,
    createdBy: createdByName,
    endsAt,
  }));
}

/** The silence of a group that ends last; null when it has none. */
export function findSilence(
  silences: readonly ActiveSilence[],
  ruleId: string,
  labels: Readonly<Record<string, string>>,
): ActiveSilence | null {
  const matching = silences
    .filter((silence) => silence.ruleId === null || silence.ruleId === ruleId)
    .filter((silence) =>
      Object.entries(silence.labels).every(([label, values]) => values.includes(labels[label] ?? "")),
    );
  matching.sort((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  return matching[0] ?? null;
}
