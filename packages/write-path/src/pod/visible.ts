/** The objects that a client can read, from the view of one pod. */
import type { UploadHeader } from "../shard.ts";
import type { EntryView } from "./entry.ts";
import type { EntryIndex } from "./entry-index.ts";
import { versionsOf } from "./objects.ts";
import type { PodState } from "./state.ts";

/**
 * Iterates over the headers of the highest committed version of each object, except deleted ones. The pod may change
 * meanwhile: changes to objects that the iterator has passed are not seen.
 */
export function* visibleObjects<Position>({
  entries,
}: Pick<PodState<Position>, "entries">): Generator<UploadHeader> {
  let last: EntryView<Position> | null = null;
  for (const entry of entries.settled?.values() ?? []) {
    if (last !== null && !isOneObject(last.upload, entry.upload)) yield* visibleVersion(entries, last);
    last = entry;
  }
  if (last !== null) yield* visibleVersion(entries, last);
  for (const { byKey } of entries.objects.values()) {
    for (const versions of byKey.values()) {
      const [first] = Array.isArray(versions) ? versions : [versions];
      if (first !== undefined) yield* highestCommitted(entries, first.upload);
    }
  }
}

const isOneObject = (one: UploadHeader, other: UploadHeader): boolean =>
  one.key === other.key && one.bucket === other.bucket;

/** An object that also has open versions follows later, with them. */
function* visibleVersion<Position>(
  { objects }: EntryIndex<Position>,
  { upload }: EntryView<Position>,
): Generator<UploadHeader> {
  if (versionsOf(objects, upload).length === 0) yield upload;
}

function* highestCommitted<Position>(
  entries: EntryIndex<Position>,
  object: UploadHeader,
): Generator<UploadHeader> {
  const top = entries.versionsOf(object).findLast(({ outcome }) => outcome !== null);
  if (top?.upload.kind === "object") yield top.upload;
}
