import type { ListOutcome, UploadHeader } from "@stashlight/write-path";

/** Keys that begin with `prefix` and sort after `after`. */
export interface ListRange {
  readonly prefix: string;
  readonly after: string;
  readonly keyCountMax: number;
  /** Set if one object per common prefix is enough; the vault then leaves out the others where it can. */
  readonly delimiter?: string;
}

export type RoundOutcome = Exclude<ListOutcome, { type: "unavailable" }>;

/** Asks for pages until `keyCountMax` objects are found or the range ends. */
export async function listInRounds(
  { prefix, delimiter = "", after: start, keyCountMax }: ListRange,
  ask: (round: Required<ListRange>) => Promise<RoundOutcome>,
): Promise<{ uploads: UploadHeader[]; isTruncated: boolean }> {
  const uploads: UploadHeader[] = [];
  let after = start;
  // Disagreement between pods about the objects of a common prefix ends a page at the first of those objects. After an
  // empty page the next round therefore omits the delimiter, which costs one page per thousand keys.
  let isPageEmpty = false;
  for (;;) {
    const outcome = await ask({
      prefix,
      delimiter: isPageEmpty ? "" : delimiter,
      after,
      keyCountMax: keyCountMax - uploads.length,
    });
    uploads.push(...outcome.uploads);
    if (outcome.truncatedAfter === null) return { uploads, isTruncated: false };
    if (uploads.length >= keyCountMax) return { uploads, isTruncated: true };
    isPageEmpty = outcome.uploads.length === 0;
    after = outcome.truncatedAfter;
  }
}
