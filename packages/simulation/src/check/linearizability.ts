/**
 * Is there an order of a key's operations, each taking effect at one moment between its call and its answer, that
 * explains every answer? The search of Wing and Gong with Lowe's memory of visited configurations.
 */

/** What a key holds: the name of the value, or null for "no object". */
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
  /** `met`: it happened. `unmet`: its condition did not hold. `unknown`: it may happen at any later time, or never. */
  readonly outcome: "met" | "unmet" | "unknown";
  readonly calledUs: number;
  readonly answeredUs: number;
}

/** Entries are at most 30: the configurations visited are kept as bit sets in a number. */
export const HISTORY_LENGTH_MAX = 30;

export function isLinearizable(history: readonly HistoryEntry[], initial: Value = null): boolean {
  if (history.length > HISTORY_LENGTH_MAX) {
    throw new RangeError(`A history has at most ${HISTORY_LENGTH_MAX} operations, not ${history.length}.`);
  }
  const entries = withUnseenValues([...history].sort((a, b) => a.calledUs - b.calledUs));
  const kinds = kindsOf(entries);
  const likeBefore = indexOfLikeBefore(entries, kinds);
  // What must happen is tried before what may have.
  const order = [...entries.keys()].sort(
    (a, b) => Number(entries[a]?.outcome === "unknown") - Number(entries[b]?.outcome === "unknown") || a - b,
  );
  const required = entries.reduce(
    (bits, entry, i) => (entry.outcome === "unknown" ? bits : bits | (1 << i)),
    0,
  );
  const visited = new Set<string>();
  /**
   * Where several do the same and must happen, only the one with the earliest answer is tried: where a later one takes
   * effect before it, the two can change places.
   */
  const isSooner = (a: number, b: number) =>
    kinds[a] === kinds[b] &&
    (entries[a] as HistoryEntry).answeredUs < (entries[b] as HistoryEntry).answeredUs;
  const search = (done: number, value: Value): boolean => {
    if ((done & required) === required) return true;
    const configuration = `${done}:${value ?? ""}:${value === null}`;
    if (visited.has(configuration)) return false;
    visited.add(configuration);
    // Nothing may take effect after an operation that was answered before it was called.
    let earliestAnswerUs = Number.POSITIVE_INFINITY;
    entries.forEach((entry, i) => {
      if (!(done & (1 << i)) && entry.outcome !== "unknown" && entry.answeredUs < earliestAnswerUs) {
        earliestAnswerUs = entry.answeredUs;
      }
    });
    const isOpen = (entry: HistoryEntry, i: number) =>
      !(done & (1 << i)) && entry.calledUs <= earliestAnswerUs;
    // One that changes nothing and may take effect at this moment may as well do so first: it hinders no other.
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

const UNSEEN = "a value that nobody saw";

/** Values of writes that no read gave and no condition names need not be told apart. */
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

/** The same for entries that do the same and were answered alike. */
const kindsOf = (entries: readonly HistoryEntry[]): string[] =>
  entries.map(({ operation, outcome }) => JSON.stringify([operation, outcome]));

/**
 * Unknown writes that do the same are tried in the order of their calls only, because the one called first may happen
 * whenever a later one may. Tried in all orders, a dozen of them take minutes. -1: none before is like it.
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

/** The value after the operation; undefined when it cannot take effect here with that answer. */
function apply({ operation, outcome }: HistoryEntry, value: Value): Value | undefined {
  if (operation.type === "read") return operation.value === value ? value : undefined;
  const { condition } = operation;
  const holds =
    condition.type === "none" || (condition.type === "absent" ? value === null : value === condition.value);
  if (outcome === "unmet") return holds ? undefined : value;
  return holds ? operation.value : undefined;
}
