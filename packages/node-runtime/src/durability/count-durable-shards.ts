/** Counts the distinct shards of an upload that would survive a power cut. */
import type { ReportedShard } from "../uploads-page.ts";

/** Counts shards of one upload; a shard that is both on its pod and on the stash counts once. */
export function countDurableShards(shards: readonly ReportedShard[]): number {
  return new Set(shards.filter(({ isDurable }) => isDurable).map(({ shardIndex }) => shardIndex)).size;
}

/** Counts shards of one object's upload. Null if a newer version, or a deletion, may have replaced the upload. */
export function countDurableOfUpload(
  shards: readonly ReportedShard[],
  upload: { readonly uploadId: string; readonly order: string },
): number | null {
  if (shards.some(({ order }) => order > upload.order)) return null;
  return countDurableShards(shards.filter(({ uploadId }) => uploadId === upload.uploadId));
}
