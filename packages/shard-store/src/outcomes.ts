/**
 * Outcomes of the uploads whose shards a log holds. Without them, a starting pod would have to ask for the outcome of
 * every upload again. So one record of the log, replaced now and then, states: *each shard record with a log sequence
 * number below L is of a committed upload, except for these uploads*; and the same for complete ones.
 *
 * It can be trusted for these reasons. A committed upload stays committed, so an old statement is as true as a new one,
 * and a lost statement only loses knowledge. It covers records appended before it and no others: a shard that arrives
 * later, even of an older version, has a higher number. Records killed before it, perhaps of an upload that was proved
 * dead, are not named, so they must not be able to come back: no statement is made while a kill has no place in the log
 * yet, and since a recovered log reflects the calls up to some point, a reader of the statement also sees those kills.
 * A log that was found damaged guarantees no such thing, and its statement is ignored.
 */
import type { Outcome } from "@stashlight/write-path";

/** Records with a number below `belowLsn` are committed, or complete, unless their upload is among these exceptions. */
export interface Extent {
  readonly belowLsn: number;
  readonly exceptUploadIds: readonly string[];
}

export interface Statement {
  readonly committed: Extent;
  readonly complete: Extent;
}

/** Number of exceptions beyond which a statement covers no further records; a record of this size fits in any log. */
export const EXCEPTION_COUNT_MAX = 128;

export const NO_STATEMENT: Statement = {
  committed: { belowLsn: 0, exceptUploadIds: [] },
  complete: { belowLsn: 0, exceptUploadIds: [] },
};

/** Content of a statement, indexed for lookups. */
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

/** Checks the size first: most statements have no exceptions, and there are millions of lookups. */
function isIn(ids: ReadonlySet<string>, id: string): boolean {
  return ids.size > 0 && ids.has(id);
}

interface Open {
  readonly uploadId: string;
  /** Lowest log sequence number that a copy of the record may have, except copies that were complete when written. */
  readonly lsnMin: number;
  isCommitted: boolean;
}

export interface SavedOutcomes {
  readonly open: ReadonlyMap<string, Open>;
  readonly hasNews: boolean;
}

/** The shards of a log that are not known to be complete. */
export class Outcomes {
  readonly #open = new Map<string, Open>();
  /** True if a statement would differ from the last one. */
  hasNews = false;

  save(): SavedOutcomes {
    return { open: this.#open, hasNews: this.hasNews };
  }

  restore({ open, hasNews }: SavedOutcomes): void {
    for (const [key, outcome] of open) this.#open.set(key, { ...outcome });
    this.hasNews = hasNews;
  }

  /** Adds a shard that was recovered, or that is about to be appended. */
  add(key: string, uploadId: string, lsnMin: number, outcome: Outcome | null): void {
    if (outcome === "complete" || this.#open.has(key)) return;
    this.#open.set(key, { uploadId, lsnMin, isCommitted: outcome === "committed" });
  }

  note(key: string, outcome: Outcome): void {
    if (!this.#open.has(key)) return;
    this.hasNews = true;
    this.learn(key, outcome);
  }

  /** Takes an outcome that the last statement has. */
  learn(key: string, outcome: Outcome): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    if (outcome === "complete") this.#open.delete(key);
    else open.isCommitted = true;
  }

  remove(key: string): void {
    this.#open.delete(key);
  }

  /** Creates a statement; `nextLsn` is above the number of every existing record. */
  statement(nextLsn: number): Statement {
    const all = [...this.#open.values()];
    const notCommitted = all.filter(({ isCommitted }) => !isCommitted);
    return { committed: coveringExtent(notCommitted, nextLsn), complete: coveringExtent(all, nextLsn) };
  }
}

function coveringExtent(exceptions: Open[], nextLsn: number): Extent {
  const sorted =
    exceptions.length > EXCEPTION_COUNT_MAX ? exceptions.sort((a, b) => a.lsnMin - b.lsnMin) : exceptions;
  return {
    belowLsn: Math.min(nextLsn, sorted[EXCEPTION_COUNT_MAX]?.lsnMin ?? nextLsn),
    exceptUploadIds: sorted.slice(0, EXCEPTION_COUNT_MAX).map(({ uploadId }) => uploadId),
  };
}
