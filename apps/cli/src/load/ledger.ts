/**
 * Invariants of a load's objects. Each key has a single writer that works step by step, and each step is noted before
 * its request and again after its acknowledgement:
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
  /** Possible ETags of the object; null means no object. */
  readonly allowed: ReadonlySet<string | null>;
}

interface Known {
  readonly bucket: string;
  readonly key: string;
  /** Null until a write was acknowledged: the key's previous content is unknown. */
  readonly allowed: Set<string | null> | null;
}

export class Ledger {
  readonly #known = new Map<string, Known>();

  note(entry: LedgerEntry): void {
    const { type, bucket, key } = entry;
    const name = `${bucket}/${key}`;
    const etag = "etag" in entry ? entry.etag : null;
    if (type === "put" || type === "deleted") {
      this.#known.set(name, { bucket, key, allowed: new Set([etag]) });
    } else {
      const known = this.#known.get(name);
      if (known === undefined) this.#known.set(name, { bucket, key, allowed: null });
      else known.allowed?.add(etag);
    }
  }

  /** Undefined for an object without an acknowledged write. */
  find(bucket: string, key: string): Expectation | undefined {
    const known = this.#known.get(`${bucket}/${key}`);
    return known === undefined ? undefined : toExpectation(known);
  }

  expectations(): Expectation[] {
    return [...this.#known.values()].flatMap((known) => toExpectation(known) ?? []);
  }

  /** All requested writes, acknowledged or not. */
  names(): { readonly bucket: string; readonly key: string }[] {
    return [...this.#known.values()].map(({ bucket, key }) => ({ bucket, key }));
  }

  /** Objects that must exist. */
  get acknowledgedCount(): number {
    return this.expectations().filter(({ allowed }) => !allowed.has(null)).length;
  }
}

function toExpectation({ bucket, key, allowed }: Known): Expectation | undefined {
  return allowed === null ? undefined : { bucket, key, allowed };
}
