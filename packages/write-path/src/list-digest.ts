/**
 * Digest of a page of a list. Pods know nearly the same uploads, so one of those that a list asks sends the page and
 * the others its digest; a pod with another digest is asked for the page itself. Nodes of the vault draw upload ids at
 * random, so two pages collide by accident once in 2^52 comparisons. The digest excludes the index of a pod's shard,
 * which a list does not need.
 */

import { DIGEST_LIMIT, fingerprintOf } from "./digest.ts";
import type { VersionView } from "./messages/index.ts";

export interface ListPage {
  readonly versions: readonly VersionView[];
  readonly truncatedAfter: string | null;
}

/**
 * Digest of the uploads, their committed flags, and the flag for omitted keys. The set of uploads determines their
 * order.
 */
export function digestOfPage({ versions, truncatedAfter }: ListPage): number {
  let digest = truncatedAfter === null ? 0 : 1;
  for (const { upload, isCommitted } of versions) {
    const { value } = fingerprintOf(upload.uploadId);
    digest = (digest + (isCommitted ? value : DIGEST_LIMIT - value)) % DIGEST_LIMIT;
  }
  return digest;
}
