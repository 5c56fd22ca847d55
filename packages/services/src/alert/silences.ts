import type { Transaction } from "@stashlight/db";
import { alertSilenceColumns } from "@stashlight/db/columns/alert";
import type { Core } from "../core.ts";

export interface ActiveSilence {
  readonly ruleId: string | null;
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly endsAt: Date;
}

export async function activeSilences(db: Core["db"] | Transaction, now: Date): Promise<ActiveSilence[]> {
  const rows = await db.alertSilence.findMany({ where: { endsAt: { gt: now } } });
  return rows.map(({ id, ruleId, labels, endsAt }) => ({
    ruleId,
    labels: alertSilenceColumns.labels.read(labels, id),
    endsAt,
  }));
}

/** Until when a group is silenced; null when it is not. */
export function silencedUntil(
  silences: readonly ActiveSilence[],
  ruleId: string,
  labels: Readonly<Record<string, string>>,
): Date | null {
  const ends = silences
    .filter((silence) => silence.ruleId === null || silence.ruleId === ruleId)
    .filter((silence) =>
      Object.entries(silence.labels).every(([label, values]) => values.includes(labels[label] ?? "")),
    )
    .map(({ endsAt }) => endsAt.getTime());
  return ends.length === 0 ? null : new Date(Math.max(...ends));
}
