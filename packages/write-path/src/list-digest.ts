/**
 * Digest of a page of a list. Pods know nearly the same uploads, so of the pods that a list asks, one sends its page
 * and the others only the digest of theirs; a pod with another digest is asked for its page. Nodes of the vault draw
 * 96 bits of an upload id at random, so two pages collide by accident once in 2^52 comparisons. The digest excludes the
 * index of a pod's shard, which a list does not need.
 */

import { DIGEST_LIMIT, fingerprintOf } from "./digest.ts";
import type { VersionView } from "./messages/index.ts";

export interface ListPage {
  readonly versions: readonly VersionView[];
  readonly truncatedAfter: string | null;
  /** Not empty if keys of common prefixes of this delimiter are left out (common-prefix.ts). */
  readonly delimiter: string;
}

/**
 * Digest of the uploads, their committed flags, and the rules by which keys were omitted. The set of uploads determines
 * their order.
 */
export function digestOfPage({ versions, truncatedAfter, delimiter }: ListPage): number {
  let digest = delimiter === "" ? 0 : fingerprintOf(delimiter).value;
  if (truncatedAfter !== null) digest += 1;
  for (const { upload, isCommitted } of versions) {
    const { value } = fingerprintOf(upload.uploadId);
    digest = (digest + (isCommitted ? value : DIGEST_LIMIT - value)) % DIGEST_LIMIT;
  }
  return digest;
}
