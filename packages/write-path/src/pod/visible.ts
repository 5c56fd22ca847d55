/** The objects that a client can read, from the view of one pod. */
import type { UploadHeader } from "../shard.ts";
import type { PodState } from "./state.ts";

/**
 * Iterates over the headers of the highest committed version of each object, except deleted ones. The pod may change
 * meanwhile: changes behind the iterator are not seen.
 */
export function* visibleObjects<Position>({
  objects,
}: Pick<PodState<Position>, "objects">): Generator<UploadHeader> {
  for (const { byKey } of objects.values()) {
    for (const versions of byKey.values()) {
      const top = Array.isArray(versions)
        ? versions.findLast(({ outcome }) => outcome !== null)
        : versions.outcome === null
          ? undefined
          : versions;
      if (top?.upload.kind === "object") yield top.upload;
    }
  }
}
