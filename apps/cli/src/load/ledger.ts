/**
 * What must hold of the objects of a load. Each key is written by one writer, one step after the other, and each step
 * is noted before it is asked for and again when it was acknowledged:
 *
 *     putting E --> the key may hold E or what it held      put E --> it holds E
 *     deleting  --> it may hold nothing or what it held     deleted --> it holds nothing
 */
export type LedgerEntry =
  | {
      readonly type: "putting" | "put";
      readonly bucket: string;
      readonly key: string;
      readonly etag: string;
    }
  | { readonly type: "deleting" | "deleted"; readonly bucket: string; readonly key: string };

export interface Expectation {
  readonly bucket: string;
  readonly key: string;
  /** ETags that the object may have; null stands for no object. */
  readonly allowed: ReadonlySet<string | null>;
}

export class Ledger {
  readonly #expectations = new Map<string, { bucket: string; key: string; allowed: Set<string | null> }>();

  note(entry: LedgerEntry): void {
    const { type, bucket, key } = entry;
    const name = `${bucket}/${key}`;
    const etag = "etag" in entry ? entry.etag : null;
    const known = this.#expectations.get(name);
    if (type === "put" || type === "deleted" || known === undefined) {
      const before = known === undefined && (type === "putting" || type === "deleting") ? [null] : [];
      this.#expectations.set(name, { bucket, key, allowed: new Set([...before, etag]) });
    } else known.allowed.add(etag);
  }

  /** Undefined for an object that nothing is known of. */
  find(bucket: string, key: string): Expectation | undefined {
    return this.#expectations.get(`${bucket}/${key}`);
  }

  all(): Iterable<Expectation> {
    return this.#expectations.values();
  }

  /** Objects that must be there. */
  get acknowledgedCount(): number {
    let count = 0;
    for (const { allowed } of this.#expectations.values()) if (!allowed.has(null)) count += 1;
    return count;
  }
}
