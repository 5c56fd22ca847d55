/**
 * Digest of a page of a list. Pods know nearly the same, so of those that a list asks, one sends the page and the
 * others its digest; a pod with another digest is asked for the page itself. Nodes of the vault draw upload ids at
 * random, so two pages collide by accident once in 2^52 comparisons. The digest leaves out which shard a pod holds,
 * since a list does not need that.
 */

import { DIGEST_LIMIT, fingerprintOf } from "./digest.ts";
import type { VersionView } from "./messages/index.ts";

export interface ListPage {
  readonly versions: readonly VersionView[];
  readonly truncatedAfter: string | null;
}

/** Digest of the uploads, their committed flags, and the flag for omitted keys. Their order follows from that. */
export function digestOfPage({ versions, truncatedAfter }: ListPage): number {
  let digest = truncatedAfter === null ? 0 : 1;
  for (const { upload, isCommitted } of versions) {
    const { value } = fingerprintOf(upload.uploadId);
    digest = (digest + (isCommitted ? value : DIGEST_LIMIT - value)) % DIGEST_LIMIT;
  }
  return digest;
}
