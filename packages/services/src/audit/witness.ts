/**
 * Records outside the audit log that identify its end: the head in the database, which only triggers move, and the
 * lines of the seal file. A truncated, rolled back or recomputed log disagrees with at least one of them.
 */
import type { Database } from "@stashlight/db";

export interface Head {
  /** Distinguishes the logs of two databases. */
  readonly logId: string;
  /** Number and hash of the last event; 0 and zeros for an empty log. */
  readonly sequence: number;
  readonly eventHash: string;
  /** Number of sealed days, and hash of the last seal. */
  readonly sealCount: number;
  readonly sealHash: string;
}

export interface Witness extends Head {
  /** Noun phrase for a sentence, such as "line 3 of the seal file, of 2026-11-28T10:00:00.000Z,". */
  readonly name: string;
}

/** Returns null if the head has been removed. */
export async function readHead(db: Pick<Database, "$queryRaw">): Promise<Witness | null> {
  const tables = await db.$queryRaw<{ isThere: boolean }[]>`
    SELECT to_regclass('audit_guard.head') IS NOT NULL AS "isThere"`;
  if (!tables[0]?.isThere) return null;
  const rows = await db.$queryRaw<(Omit<Head, "sequence"> & { sequence: bigint })[]>`
    SELECT log_id::text AS "logId", sequence, event_hash AS "eventHash", seal_count AS "sealCount",
           seal_hash AS "sealHash" FROM audit_guard.head`;
  const [head] = rows;
  return head === undefined
    ? null
    : { ...head, sequence: Number(head.sequence), name: "the head that the database keeps separately" };
}
