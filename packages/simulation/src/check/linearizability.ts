/**
 * Decides whether a key's history is linearizable: whether some order of its operations, each taking effect at one
 * moment between its call and its answer, explains every answer. Uses the search of Wing and Gong with Lowe's cache of
 * visited configurations.
 */

/** Value of a key: its name, or null for "no object". */
export type Value = string | null;

export type Operation =
  | { readonly type: "read"; readonly value: Value }
  | { readonly type: "write"; readonly value: Value; readonly condition: WriteCondition };

export type WriteCondition =
  | { readonly type: "none" }
  | { readonly type: "absent" }
  | { readonly type: "value"; readonly value: string };

export interface HistoryEntry {
  readonly operation: Operation;
  /**
   * `met`: the operation took effect. `unmet`: its condition did not hold. `unknown`: it may take effect at any later
   * time, or never.
   */
  readonly outcome: "met" | "unmet" | "unknown";
  readonly calledUs: number;
  readonly answeredUs: number;
}

/** Limit on the length of a history: visited configurations are bit sets in one number. */
export const HISTORY_LENGTH_MAX = 30;

export function isLinearizable(history: readonly HistoryEntry[], initial: Value = null): boolean {
  if (history.length > HISTORY_LENGTH_MAX) {
    throw new RangeError(`A history has at most ${HISTORY_LENGTH_MAX} operations, not ${history.length}.`);
  }
  const entries = withUnseenValues([...history].sort((a, b) => a.calledUs - b.calledUs));
  const kinds = entryKinds(entries);
  const likeBefore = indexOfLikeBefore(entries, kinds);
  // Tries operations that must have happened before those with an unknown outcome.
  const order = [...entries.keys()].sort(
    (a, b) => Number(entries[a]?.outcome === "unknown") - Number(entries[b]?.outcome === "unknown") || a - b,
  );
  const required = entries.reduce(
    (bits, entry, i) => (entry.outcome === "unknown" ? bits : bits | (1 << i)),
    0,
  );
  const visited = new Set<string>();
  /**
   * Among equivalent operations that must happen, tries only the one with the earliest answer: if a later one takes
   * effect before it, the two can be swapped.
   */
  const isSooner = (a: number, b: number) =>
    kinds[a] === kinds[b] &&
    (entries[a] as HistoryEntry).answeredUs < (entries[b] as HistoryEntry).answeredUs;
  const search = (done: number, value: Value): boolean => {
    if ((done & required) === required) return true;
    const configuration = `${done}:${value ?? ""}:${value === null}`;
    if (visited.has(configuration)) return false;
    visited.add(configuration);
    // No operation may take effect after an operation that was answered before it was called.
    let earliestAnswerUs = Number.POSITIVE_INFINITY;
    entries.forEach((entry, i) => {
      if (!(done & (1 << i)) && entry.outcome !== "unknown" && entry.answeredUs < earliestAnswerUs) {
        earliestAnswerUs = entry.answeredUs;
      }
    });
    const isOpen = (entry: HistoryEntry, i: number) =>
      !(done & (1 << i)) && entry.calledUs <= earliestAnswerUs;
    // Applies an operation that changes nothing as soon as possible, because it blocks no other operation.
    const idle = entries.findIndex((entry, i) => isOpen(entry, i) && isIdle(entry, value));
    if (idle !== -1) return search(done | (1 << idle), value);
    return order.some((i) => {
      const entry = entries[i] as HistoryEntry;
      const like = likeBefore[i] ?? -1;
      if (!isOpen(entry, i) || (like !== -1 && !(done & (1 << like)))) return false;
      if (required & (1 << i) && entries.some((other, j) => isOpen(other, j) && isSooner(j, i))) return false;
      const after = apply(entry, value);
      return after !== undefined && search(done | (1 << i), after);
    });
  };
  return search(0, initial);
}

const UNSEEN = "a value that no read saw";

/** Treats writes whose value no read returned and no condition names as interchangeable. */
function withUnseenValues(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const seen = new Set<Value>();
  for (const { operation } of entries) {
    if (operation.type === "read") seen.add(operation.value);
    else if (operation.condition.type === "value") seen.add(operation.condition.value);
  }
  return entries.map((entry) => {
    const { operation } = entry;
    const isUnseen = operation.type === "write" && operation.value !== null && !seen.has(operation.value);
    return isUnseen ? { ...entry, operation: { ...operation, value: UNSEEN } } : entry;
  });
}

/** Returns the kind of each entry: entries of one kind have the same operation and the same outcome. */
const entryKinds = (entries: readonly HistoryEntry[]): string[] =>
  entries.map(({ operation, outcome }) => JSON.stringify([operation, outcome]));

/**
 * Tries equivalent unknown writes only in the order of their calls, because the one called first may happen whenever a
 * later one may. Trying a dozen of them in all orders takes minutes. -1: no earlier entry is equivalent.
 */
function indexOfLikeBefore(entries: readonly HistoryEntry[], kinds: readonly string[]): number[] {
  const last = new Map<string, number>();
  return entries.map(({ outcome }, i) => {
    if (outcome !== "unknown") return -1;
    const kind = kinds[i] as string;
    const before = last.get(kind) ?? -1;
    last.set(kind, i);
    return before;
  });
}

function isIdle(entry: HistoryEntry, value: Value): boolean {
  const isWrite = entry.operation.type === "write" && entry.outcome !== "unmet";
  return !isWrite && apply(entry, value) !== undefined;
}

/** Value after the operation; undefined if the answer rules out that it takes effect here. */
function apply({ operation, outcome }: HistoryEntry, value: Value): Value | undefined {
  if (operation.type === "read") return operation.value === value ? value : undefined;
  const { condition } = operation;
  const holds =
    condition.type === "none" || (condition.type === "absent" ? value === null : value === condition.value);
  if (outcome === "unmet") return holds ? undefined : value;
  return holds ? operation.value : undefined;
}
