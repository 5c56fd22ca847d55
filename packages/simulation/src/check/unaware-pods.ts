/**
 * The condition that reads depend on: at most one counted pod does not know of an acknowledged upload. A pod that is
 * down or has not settled does not count, since it learns of the upload before it settles.
 */
import type { UploadHeader, UploadId } from "@stashlight/write-path";
import type { Violation } from "./oracle.ts";
import { readOrNull } from "./read-entries.ts";

interface JudgedPod {
  readonly podIndex: number;
  readonly state: {
    readonly lifecycle: string;
    readonly entries: KnownUploads;
  } | null;
}

interface KnownUploads {
  has(uploadId: UploadId): boolean;
  values(): Iterable<{ readonly upload: UploadHeader }>;
}

/** Returns null if at most one settled pod knows neither the upload nor a later version of its key. */
export function judgeUnawarePods(pods: readonly JudgedPod[], upload: UploadHeader): Violation | null {
  const unaware = pods.filter(
    ({ state }) => state?.lifecycle === "settled" && !isAware(state.entries, upload),
  );
  if (unaware.length <= 1) return null;
  const names = unaware.map(({ podIndex }) => podIndex).join(", ");
  const sentence = `Upload ${upload.uploadId} was acknowledged, and the settled pods ${names} do not know of it.`;
  return { property: "S2", sentence };
}

function isAware(entries: KnownUploads, { uploadId, bucket, key, order }: UploadHeader): boolean {
  const isKnown = readOrNull(() => {
    if (entries.has(uploadId)) return true;
    return [...entries.values()].some(({ upload }) => {
      return upload.bucket === bucket && upload.key === key && upload.order > order;
    });
  });
  return isKnown ?? true;
}
