import { occurrenceFrom, type SilenceWindow } from "@stashlight/contracts/alert";
import type { Prisma, Transaction } from "@stashlight/db";
import { alertSilenceColumns } from "@stashlight/db/columns/alert";
import type { Core } from "../core.ts";

export type StoredSilence = Prisma.AlertSilenceGetPayload<object>;

export interface ActiveSilence {
  readonly ruleId: string | null;
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly reason: string;
  readonly createdBy: string;
  readonly isMaintenance: boolean;
  readonly endsAt: Date;
}

export const silenceWindow = (silence: StoredSilence): SilenceWindow => ({
  startMs: (silence.startsAt ?? silence.createdAt).getTime(),
  endMs: silence.endsAt.getTime(),
  isWeekly: silence.isWeekly,
  endedMs: silence.endedAt?.getTime() ?? null,
});

/** Matches current and future silences. */
export const notOver = (now: Date): Prisma.AlertSilenceWhereInput => ({
  AND: [
    { OR: [{ endedAt: null }, { endedAt: { gt: now } }] },
    { OR: [{ isWeekly: true }, { endsAt: { gt: now } }] },
  ],
});

export async function activeSilences(db: Core["db"] | Transaction, now: Date): Promise<ActiveSilence[]> {
  const rows = await db.alertSilence.findMany({ where: notOver(now) });
  return rows.flatMap((row) => {
    const occurrence = occurrenceFrom(silenceWindow(row), now.getTime());
    if (occurrence === null || occurrence.startMs > now.getTime()) return [];
    return [
      {
        ruleId: row.ruleId,
        labels: alertSilenceColumns.labels.read(row.labels, row.id),
        reason: row.reason,
        createdBy: row.createdByName,
        isMaintenance: row.isMaintenance,
        endsAt: new Date(occurrence.endMs),
      },
    ];
  });
}

/** Returns the silence of a group that ends last; null if there is none. */
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
