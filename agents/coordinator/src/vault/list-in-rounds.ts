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
  // Pods that disagree about the objects of a common prefix end a page at the first of them. So after a page without
  // objects all keys are asked for, which costs one page for a thousand of them.
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
