/** Counts the different shards of an upload that would survive a power cut. */
import type { ReportedShard } from "../uploads-page.ts";

/** The shards are of one upload; one that is on its pod and on the stash counts once. */
export function countDurableShards(shards: readonly ReportedShard[]): number {
  return new Set(shards.filter(({ isDurable }) => isDurable).map(({ shardIndex }) => shardIndex)).size;
}

/** The shards are of one object. Null when a newer version, or a deletion, may have taken the upload's place. */
export function countDurableOfUpload(
  shards: readonly ReportedShard[],
  upload: { readonly uploadId: string; readonly order: string },
): number | null {
  if (shards.some(({ order }) => order > upload.order)) return null;
  return countDurableShards(shards.filter(({ uploadId }) => uploadId === upload.uploadId));
}
