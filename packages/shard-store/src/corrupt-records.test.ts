/** Tests when the loss of corrupt records is confirmed. */
import { describe, expect, test } from "vitest";
import { CorruptRecords } from "./corrupt-records.ts";

/** The corrupt records of a node, in periods that the test ends. */
function startedRecords() {
  const actions: (() => void)[] = [];
  const confirmed: string[][] = [];
  const records = new CorruptRecords(
    (action) => actions.push(action),
    (keys) => confirmed.push([...keys]),
  );
  return {
    records,
    confirmed,
    add(from: number, count: number): void {
      for (let i = from; i < from + count; i += 1) records.add(`${i}`);
    },
    endPeriod(): void {
      for (const action of actions.splice(0)) action();
    },
  };
}

describe("the loss of a record", () => {
  test("is confirmed at the end of the period after the one in which it was found", () => {
    const { records, confirmed, add, endPeriod } = startedRecords();
    add(0, 2);
    endPeriod();
    records.add("0");
    expect(confirmed).toEqual([]);
    endPeriod();
    expect(confirmed).toEqual([["0", "1"]]);
  });

  test("is not confirmed if the record becomes readable again", () => {
    const { records, confirmed, add, endPeriod } = startedRecords();
    add(0, 2);
    endPeriod();
    records.delete("0");
    endPeriod();
    expect(confirmed).toEqual([["1"]]);
  });

  test.each([
    { found: [64], confirmedAfter: 2 },
    { found: [65], confirmedAfter: 3 },
    { found: [40, 40], confirmedAfter: 3 },
    { found: [65, 65, 65], confirmedAfter: 5 },
  ])("is confirmed after $confirmedAfter periods if $found are found in consecutive ones", (row) => {
    const { confirmed, add, endPeriod } = startedRecords();
    let periodCount = 0;
    for (let from = 0; confirmed.length === 0 && periodCount < 10; periodCount += 1) {
      const count = row.found[periodCount] ?? 0;
      add(from, count);
      from += count;
      endPeriod();
    }
    expect(periodCount).toBe(row.confirmedAfter);
  });

  test("is confirmed for old records while only a few new ones are found", () => {
    const { confirmed, add, endPeriod } = startedRecords();
    for (let period = 0; period < 5; period += 1) {
      add(30 * period, 30);
      endPeriod();
    }
    expect(confirmed.at(-1)).toHaveLength(120);
  });

  test("is not confirmed again in later periods", () => {
    const { confirmed, add, endPeriod } = startedRecords();
    add(0, 65);
    for (let period = 0; period < 6; period += 1) endPeriod();
    expect(confirmed).toHaveLength(1);
  });
});
