import { driveCatalogue } from "@stashlight/devices";
import { expect, test } from "vitest";
import { driveRows, formatCompared, formatRatio } from "./drive-figures.ts";

test("the table has every figure of every drive with its unit, source and date", () => {
  for (const { maker, model } of driveCatalogue) {
    const rows = driveRows.filter(({ drive }) => drive === `${maker} ${model}`);
    expect(rows.length).toBeGreaterThanOrEqual(11);
    for (const { shown, source, asOf } of rows) {
      expect(shown).toMatch(/\d|^not known$/);
      expect(source).not.toBe("");
      expect(asOf).toMatch(/^20\d\d-\d\d$/);
    }
  }
  expect(driveRows.find(({ id }) => id === "micron-7450-max-3.2tb allowed")?.shown).toBe("111 MB/s");
  expect(driveRows.find(({ id }) => id === "seagate-exos-x16-16tb annualFailureRate")?.shown).toBe("1.55 %");
});

test("a ratio names the better drive", () => {
  expect(formatRatio(164.2)).toBe("164×");
  expect(formatRatio(0.2)).toBe("HDD 5.0×");
  expect(formatCompared({ unit: "usd-per-tb" }, 112.5)).toBe("$112.50");
});
