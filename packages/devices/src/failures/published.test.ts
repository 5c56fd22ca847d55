import { expect, test } from "vitest";
import { driveModelKey } from "./model-key.ts";
import { publishedFailures, publishedTables } from "./published.ts";

/** Totals printed in the reports: models, drive days, failures, AFR in percent. */
const printed: Readonly<Record<string, readonly [number, number, number, number]>> = {
  "Backblaze Drive Stats for 2024": [27, 101_906_290, 4372, 1.57],
  "Backblaze Drive Stats for Q1 2026": [33, 30_203_180, 1030, 1.24],
};

test.each(publishedTables.map((table) => [table.source, table] as const))(
  "the rows of %s add up to the printed totals",
  (source, { rows }) => {
    const sum = (at: 1 | 2): number => rows.reduce((all, row) => all + row[at], 0);
    const [driveDays, failures] = [sum(1), sum(2)];
    const rate = Number(((failures / driveDays) * 36_500).toFixed(2));
    expect([rows.length, driveDays, failures, rate]).toEqual(printed[source]);
  },
);

test.each([
  ["ST16000NM001G-2KK103", "ST16000NM001G"],
  ["ST16000NM001G", "ST16000NM001G"],
  ["TOSHIBA MG08ACA16TA", "MG08ACA16TA"],
  ["WDC  WUH722222ALE6L4", "WUH722222ALE6L4"],
  ["ATA WDC WUH722222ALE6L4 ", "WUH722222ALE6L4"],
  ["HGST HUH721212ALN604", "HUH721212ALN604"],
  ["Seagate BarraCuda SSD ZA500CM10002", "BARRACUDA SSD ZA500CM10002"],
  ["MTFDKCB3T2TFS", "MTFDKCB3T2TFS"],
  ["", ""],
])('the model "%s" is counted as "%s"', (model, key) => {
  expect(driveModelKey(model)).toBe(key);
});

test("a model in several reports has the sum of its counts, with both sources", () => {
  expect(publishedFailures.get("ST16000NM001G")).toEqual({
    driveDays: 11_737_654 + 3_098_105,
    failures: 226 + 44,
    source: "Backblaze Drive Stats for 2024; Backblaze Drive Stats for Q1 2026",
    from: "2024-01-01",
    to: "2026-03-31",
  });
});
