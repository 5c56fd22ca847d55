/**
 * Lifecycle rules: which objects expire and which multipart uploads are aborted, and when. Days are rounded up to the
 * next midnight UTC, as on AWS.
 */
import type { Tag } from "../store.ts";

export type Expiration =
  | { readonly kind: "days"; readonly days: number }
  | { readonly kind: "date"; readonly dateMs: number }
  /** Removes delete markers; there are none without versions. */
  | { readonly kind: "delete markers"; readonly isWanted: boolean };

/** An object must meet all its conditions. */
export interface LifecycleFilter {
  readonly prefix: string | null;
  readonly tags: readonly Tag[];
  readonly sizeBytesAbove: number | null;
  readonly sizeBytesBelow: number | null;
}

export interface LifecycleRule {
  readonly id: string;
  readonly isEnabled: boolean;
  /** The element in which the filter was given, since tools compare what they read with what they wrote. */
  readonly form: "prefix" | "filter" | "and";
  readonly filter: LifecycleFilter;
  readonly expiration: Expiration | null;
  readonly abortAfterDays: number | null;
}

export interface RuledObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly tags: readonly Tag[];
  readonly modifiedMs: number;
}

/** Action of a rule, and the time from which it may run. */
export interface DueAction {
  readonly ruleId: string;
  readonly dueMs: number;
}

const DAY_MS = 86_400_000;

/**
 * Uploads that no rule covers are aborted after a week, because no object list shows the space that their parts take.
 */
export const DEFAULT_ABORT = { ruleId: "stashlight-default-abort-after-7-days", days: 7 } as const;

export function matchesFilter(filter: LifecycleFilter, { key, sizeBytes, tags }: RuledObject): boolean {
  return (
    key.startsWith(filter.prefix ?? "") &&
    (filter.sizeBytesAbove === null || sizeBytes > filter.sizeBytesAbove) &&
    (filter.sizeBytesBelow === null || sizeBytes < filter.sizeBytesBelow) &&
    filter.tags.every((wanted) =>
      tags.some(({ key: name, value }) => name === wanted.key && value === wanted.value),
    )
  );
}

/** Returns the first midnight UTC after this number of days has passed. */
export function midnightAfter(startMs: number, days: number): number {
  return (Math.floor(startMs / DAY_MS) + days + 1) * DAY_MS;
}

/** Finds the enabled rule by which an object expires first; null if none applies. */
export function findExpiration(rules: readonly LifecycleRule[], object: RuledObject): DueAction | null {
  return earliest(
    rules.flatMap(({ id, isEnabled, filter, expiration }) => {
      if (!isEnabled || expiration === null || expiration.kind === "delete markers") return [];
      if (!matchesFilter(filter, object)) return [];
      const dueMs =
        expiration.kind === "date" ? expiration.dateMs : midnightAfter(object.modifiedMs, expiration.days);
      return [{ ruleId: id, dueMs }];
    }),
  );
}

/** Finds the rule by which a multipart upload is aborted first; the default if no enabled rule covers its key. */
export function findAbort(
  rules: readonly LifecycleRule[],
  { key, initiatedMs }: { readonly key: string; readonly initiatedMs: number },
): DueAction {
  const due = rules.flatMap(({ id, isEnabled, filter, abortAfterDays }) =>
    isEnabled && abortAfterDays !== null && key.startsWith(filter.prefix ?? "")
      ? [{ ruleId: id, dueMs: midnightAfter(initiatedMs, abortAfterDays) }]
      : [],
  );
  const { ruleId, days } = DEFAULT_ABORT;
  return earliest(due) ?? { ruleId, dueMs: midnightAfter(initiatedMs, days) };
}

function earliest(due: readonly DueAction[]): DueAction | null {
  return due.reduce<DueAction | null>(
    (first, next) => (first === null || next.dueMs < first.dueMs ? next : first),
    null,
  );
}

/** Longest prefix common to all objects that these rules may expire; null if they expire none. */
export function expiringPrefix(rules: readonly LifecycleRule[]): string | null {
  return sharedPrefix(
    rules.filter(({ expiration }) => expiration !== null && expiration.kind !== "delete markers"),
  );
}

/** Longest prefix common to all uploads that these rules may abort; null if they abort none. */
export function abortingPrefix(rules: readonly LifecycleRule[]): string | null {
  return sharedPrefix(rules.filter(({ abortAfterDays }) => abortAfterDays !== null));
}

function sharedPrefix(rules: readonly LifecycleRule[]): string | null {
  const enabled = rules.filter(({ isEnabled }) => isEnabled);
  const [first, ...others] = enabled.map(({ filter }) => filter.prefix ?? "");
  return first === undefined ? null : others.reduce(commonPrefix, first);
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  // Compares characters and not UTF-16 units, because half a character cannot be the prefix of a key.
  for (const character of one) {
    if (!other.startsWith(character, length)) break;
    length += character.length;
  }
  return one.slice(0, length);
}
