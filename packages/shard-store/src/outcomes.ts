/**
 * How the uploads ended whose shards a log holds. A pod that starts would else have to ask for the end of every upload
 * again. So one record of the log, replaced now and then, says: *each shard record with a log sequence number below L is
 * of a committed upload, but for these uploads*; and the same of complete ones.
 *
 * Why it can be trusted. That an upload is committed never changes, so an old statement is as true as a new one, and one
 * that is lost is only a loss of knowledge. It speaks of records that had been appended before it and of no others: a
 * shard that comes later, be it of an older version, has a higher number. What had been killed before it, an upload that
 * was proved dead perhaps, is not named, so it must not be able to come back: no statement is made while a kill has no
 * place in the log yet, and since a recovered log is what the calls had built up to some point, whoever reads the
 * statement sees those kills too. A log that was found damaged promises no such thing, and its statement is ignored.
 */
import type { Outcome } from "@stashlight/write-path";

/** Committed, or complete, are records with a number below `belowLsn`, unless their upload is among these. */
export interface Extent {
  readonly belowLsn: number;
  readonly exceptUploadIds: readonly string[];
}

export interface Statement {
  readonly committed: Extent;
  readonly complete: Extent;
}

/** Beyond so many exceptions the statement ends before the next one; a record has room for them in any log. */
export const EXCEPTION_COUNT_MAX = 128;

export const NO_STATEMENT: Statement = {
  committed: { belowLsn: 0, exceptUploadIds: [] },
  complete: { belowLsn: 0, exceptUploadIds: [] },
};

/** What a statement says, quick to ask. */
export class StatementReader {
  readonly #statement: Statement;
  readonly #notCommitted: ReadonlySet<string>;
  readonly #notComplete: ReadonlySet<string>;

  constructor(statement: Statement) {
    this.#statement = statement;
    this.#notCommitted = new Set(statement.committed.exceptUploadIds);
    this.#notComplete = new Set(statement.complete.exceptUploadIds);
  }

  outcomeOf(uploadId: string, lsn: number): Outcome | null {
    const { committed, complete } = this.#statement;
    if (lsn < complete.belowLsn && !isIn(this.#notComplete, uploadId)) return "complete";
    return lsn < committed.belowLsn && !isIn(this.#notCommitted, uploadId) ? "committed" : null;
  }
}

/** Most statements have no exceptions, and are asked a million times. */
function isIn(ids: ReadonlySet<string>, id: string): boolean {
  return ids.size > 0 && ids.has(id);
}

interface Open {
  readonly uploadId: string;
  /** No copy of the record has a lower number, unless it was known to be complete when that was written. */
  readonly lsnMin: number;
  isCommitted: boolean;
}

/** The shards of a log that are not known to be complete. */
export class Outcomes {
  readonly #open = new Map<string, Open>();
  /** Whether a statement would say something else than the last one. */
  hasNews = false;

  /** A shard was recovered, or is about to be appended. */
  add(key: string, uploadId: string, lsnMin: number, outcome: Outcome | null): void {
    if (outcome === "complete" || this.#open.has(key)) return;
    this.#open.set(key, { uploadId, lsnMin, isCommitted: outcome === "committed" });
  }

  note(key: string, outcome: Outcome): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.hasNews = true;
    if (outcome === "complete") this.#open.delete(key);
    else open.isCommitted = true;
  }

  remove(key: string): void {
    this.#open.delete(key);
  }

  /** `nextLsn`: above every record there is. */
  statement(nextLsn: number): Statement {
    const all = [...this.#open.values()];
    const notCommitted = all.filter(({ isCommitted }) => !isCommitted);
    return { committed: extentOf(notCommitted, nextLsn), complete: extentOf(all, nextLsn) };
  }
}

function extentOf(exceptions: Open[], nextLsn: number): Extent {
  const sorted =
    exceptions.length > EXCEPTION_COUNT_MAX ? exceptions.sort((a, b) => a.lsnMin - b.lsnMin) : exceptions;
  return {
    belowLsn: Math.min(nextLsn, sorted[EXCEPTION_COUNT_MAX]?.lsnMin ?? nextLsn),
    exceptUploadIds: sorted.slice(0, EXCEPTION_COUNT_MAX).map(({ uploadId }) => uploadId),
  };
}
