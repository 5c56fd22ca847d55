import fc from "fast-check";
import { expect, test } from "vitest";
import {
  HISTORY_LENGTH_MAX,
  type HistoryEntry,
  isLinearizable,
  type Operation,
  type Value,
} from "./linearizability.ts";

const write = (
  value: Value,
  calledUs: number,
  answeredUs: number,
  more: Partial<HistoryEntry> = {},
): HistoryEntry => {
  const operation = { type: "write", value, condition: { type: "none" } } as const;
  return { operation, outcome: "met", calledUs, answeredUs, ...more };
};
const read = (value: Value, calledUs: number, answeredUs: number): HistoryEntry => {
  return { operation: { type: "read", value }, outcome: "met", calledUs, answeredUs };
};
const writeIfAbsent = (
  value: Value,
  calledUs: number,
  answeredUs: number,
  outcome: HistoryEntry["outcome"],
) => {
  const operation = { type: "write", value, condition: { type: "absent" } } as const;
  return { operation, outcome, calledUs, answeredUs };
};

test.each<[string, boolean, HistoryEntry[]]>([
  ["a read of the last written value", true, [write("a", 0, 1), read("a", 2, 3)]],
  ["a read of nothing after a write", false, [write("a", 0, 1), read(null, 2, 3)]],
  ["a stale read", false, [write("a", 0, 1), write("b", 2, 3), read("a", 4, 5)]],
  [
    "reads of either value during a write",
    true,
    [write("a", 0, 1), write("b", 2, 9), read("a", 3, 4), read("b", 5, 6)],
  ],
  [
    "a read of the old value after one of the new",
    false,
    [write("a", 0, 1), write("b", 2, 9), read("b", 3, 4), read("a", 5, 6)],
  ],
  ["an unanswered write that is read", true, [write("a", 0, 1, { outcome: "unknown" }), read("a", 2, 3)]],
  [
    "an unanswered write that is never read",
    true,
    [write("a", 0, 1, { outcome: "unknown" }), read(null, 2, 3)],
  ],
  [
    "an unanswered write that is read and then missing",
    false,
    [write("a", 0, 1, { outcome: "unknown" }), read("a", 2, 3), read(null, 4, 5)],
  ],
  ["a value that was never written", false, [read("a", 0, 1)]],
  ["a deleted object that reappears", false, [write("a", 0, 1), write(null, 2, 3), read("a", 4, 5)]],
  [
    "two writes that require absence, both met",
    false,
    [writeIfAbsent("a", 0, 9, "met"), writeIfAbsent("b", 0, 9, "met")],
  ],
  [
    "two writes that require absence, one met",
    true,
    [writeIfAbsent("a", 0, 9, "met"), writeIfAbsent("b", 0, 9, "unmet")],
  ],
  ["a condition that held and was answered as unmet", false, [writeIfAbsent("a", 0, 1, "unmet")]],
])("the history of %s is judged linearizable: %s", (_, expected, history) => {
  expect(isLinearizable(history)).toBe(expected);
  expect(isLinearizable([...history].reverse())).toBe(expected);
});

test("a history that is too long to search is refused", () => {
  const history = Array.from({ length: HISTORY_LENGTH_MAX + 1 }, (_, i) => write("a", i, i + 1));
  expect(() => isLinearizable(history)).toThrow("at most 30 operations, not 31");
});

test("a search over twelve concurrent writes and a read of each possible last one ends in time", () => {
  const writes = Array.from({ length: 12 }, (_, i) => write(`v${i}`, 0, 100));
  for (let i = 0; i < 12; i += 1) expect(isLinearizable([...writes, read(`v${i}`, 101, 102)])).toBe(true);
  expect(isLinearizable([...writes, read("v0", 101, 102), read("v1", 103, 104)])).toBe(false);
});

test("a search over fourteen unanswered writes that no read saw ends in time", () => {
  const unknown = Array.from({ length: 14 }, (_, i) => write(`u${i}`, i, i + 1, { outcome: "unknown" }));
  const known = Array.from({ length: 6 }, (_, i) => write(`v${i}`, 20 + i, 60));
  const reads = [read("v3", 70, 71), read("v2", 72, 73)];
  expect(isLinearizable([...unknown, ...known, ...reads])).toBe(false);
  expect(isLinearizable([...unknown, ...known, read("v3", 70, 71)])).toBe(true);
});

test("a search over twenty-six concurrent answered writes that no read saw ends in time", () => {
  const writes = Array.from({ length: 26 }, (_, i) => write(`v${i}`, i, 100 + ((i * 7) % 26)));
  const removed = write(null, 50, 110);
  expect(isLinearizable([...writes, removed, read("v3", 130, 131)])).toBe(true);
  expect(isLinearizable([...writes, removed, read(null, 130, 131), read("v3", 132, 133)])).toBe(false);
});

const values = fc.constantFrom<Value>("a", "b", "c", null);
const conditions = fc.constantFrom(
  { type: "none" } as const,
  { type: "absent" } as const,
  { type: "value", value: "a" } as const,
);
const operations = fc.oneof<fc.Arbitrary<Operation>[]>(
  fc.record({ type: fc.constant("read" as const), value: values }),
  fc.record({ type: fc.constant("write" as const), value: values, condition: conditions }),
);
const entries = fc
  .record({
    operation: operations,
    outcome: fc.constantFrom("met", "unmet", "unknown" as const),
    calledUs: fc.nat(12),
    tookUs: fc.nat(6),
  })
  .map(({ operation, outcome, calledUs, tookUs }): HistoryEntry => {
    const answeredUs = calledUs + tookUs;
    return { operation, outcome: operation.type === "read" ? "met" : outcome, calledUs, answeredUs };
  });

/** Tries every order of every subset of the unknown operations. */
function isExplained(left: readonly HistoryEntry[], value: Value): boolean {
  if (left.every(({ outcome }) => outcome === "unknown")) return true;
  return left.some((entry) => {
    const others = left.filter((other) => other !== entry);
    const isLate = others.some((other) => other.outcome !== "unknown" && other.answeredUs < entry.calledUs);
    if (isLate) return false;
    const { operation, outcome } = entry;
    if (operation.type === "read") return operation.value === value && isExplained(others, value);
    const { condition } = operation;
    const holds =
      condition.type === "none" || (condition.type === "absent" ? value === null : value === condition.value);
    if (holds === (outcome === "unmet")) return false;
    return isExplained(others, holds ? operation.value : value);
  });
}

test("the search agrees with an exhaustive one", () => {
  const isAlike = (history: HistoryEntry[]) => isLinearizable(history) === isExplained(history, null);
  fc.assert(fc.property(fc.array(entries, { maxLength: 6 }), isAlike), { numRuns: 3000 });
});
