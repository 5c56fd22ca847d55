/** The versions of each object among the open entries of a pod, by bucket and key. */
import { addName, deleteName, namesFrom, type OrderedNames, orderNames } from "../key-order.ts";
import type { UploadHeader } from "../shard.ts";
import type { ObjectName } from "./settled-entries.ts";

interface Version {
  readonly upload: UploadHeader;
}

interface Bucket<Entry> {
  /** The single version of an object, the usual case, or all of them with the lowest version order first. */
  readonly byKey: Map<string, Entry | Entry[]>;
  /** Sorted at the first list request, so that startup need not wait for sorting. */
  keysInOrder: OrderedNames | null;
}

export type Objects<Entry> = Map<string, Bucket<Entry>>;

/** Lowest version order first. */
export function versionsOf<Entry extends Version>(
  objects: Objects<Entry>,
  { bucket, key }: ObjectName,
): readonly Entry[] {
  const versions = objects.get(bucket)?.byKey.get(key);
  if (versions === undefined) return [];
  return Array.isArray(versions) ? versions : [versions];
}

export function addVersion<Entry extends Version>(objects: Objects<Entry>, entry: Entry): void {
  const { upload } = entry;
  const { bucket, key } = upload;
  let known = objects.get(bucket);
  if (known === undefined) {
    known = { byKey: new Map(), keysInOrder: null };
    objects.set(bucket, known);
  }
  const versions = known.byKey.get(key);
  if (versions === undefined) {
    known.byKey.set(key, entry);
    if (known.keysInOrder !== null) addName(known.keysInOrder, key);
    return;
  }
  const all = Array.isArray(versions) ? versions : [versions];
  const higher = all.findIndex((other) => other.upload.order > upload.order);
  all.splice(higher === -1 ? all.length : higher, 0, entry);
  known.byKey.set(key, all);
}

export function removeVersion<Entry extends Version>(objects: Objects<Entry>, entry: Entry): void {
  const { bucket, key } = entry.upload;
  const left = versionsOf(objects, entry.upload).filter((other) => other !== entry);
  const known = objects.get(bucket);
  if (known === undefined) return;
  const [first] = left;
  if (first !== undefined) {
    known.byKey.set(key, left.length === 1 ? first : left);
    return;
  }
  known.byKey.delete(key);
  if (known.keysInOrder !== null) deleteName(known.keysInOrder, key);
  if (known.byKey.size === 0) objects.delete(bucket);
}

/** Iterates over the keys in the order of their UTF-8 bytes, from this one on. */
export function keysFrom<Entry extends Version>(
  objects: Objects<Entry>,
  bucket: string,
  start: string,
): Iterable<string> {
  const known = objects.get(bucket);
  if (known === undefined) return [];
  known.keysInOrder ??= orderNames(known.byKey.keys());
  return namesFrom(known.keysInOrder, start);
}
