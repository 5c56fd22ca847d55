/**
 * A page of a list in one number. Pods know nearly the same, so of those that a list asks, one says the page and the
 * others its digest; who has another digest is asked for the page itself. Upload ids are drawn at random by nodes of the
 * vault, so two pages look alike by accident once in 2^52 comparisons. Which shard a pod holds is left out: a list does
 * not ask for that.
 */

import { DIGEST_LIMIT, fingerprintOf } from "./digest.ts";
import type { VersionView } from "./messages/index.ts";

export interface ListPage {
  readonly versions: readonly VersionView[];
  readonly truncatedAfter: string | null;
}

/**
 * The digest of the uploads, which of them are called committed, and whether keys were left out. Their order follows
 * from that.
 */
export function digestOfPage({ versions, truncatedAfter }: ListPage): number {
  let digest = truncatedAfter === null ? 0 : 1;
  for (const { upload, isCommitted } of versions) {
    const { value } = fingerprintOf(upload.uploadId);
    digest = (digest + (isCommitted ? value : DIGEST_LIMIT - value)) % DIGEST_LIMIT;
  }
  return digest;
}
