import { expect, test } from "vitest";
import { chooseUnit, formatIn, formatQuantity, formatWith, type Quantity } from "./units.ts";

test.each<[Quantity, number, string]>([
  ["seconds", 0.000042, "µs"],
  ["seconds", 0.0042, "ms"],
  ["seconds", 4.2, "s"],
  ["seconds", 90, "s"],
  ["seconds", 150, "min"],
  ["seconds", 9_000, "h"],
  ["seconds", 200_000, "d"],
  ["seconds", 0, "s"],
  ["bytes", 3_100_000_000, "GB"],
  ["bytes", 1_669_000, "MB"],
  ["bytes-per-second", 1_500, "kB/s"],
  ["ratio", 0.5, "%"],
  ["count", 5, ""],
  ["shards", 5, "shards"],
])("the quantity %s around %d is shown in “%s”", (quantity, typical, name) => {
  expect(chooseUnit(quantity, typical).name).toBe(name);
});

test.each<[Quantity, number, number, string]>([
  ["seconds", 0.00142, 0.00142, "1.42 ms"],
  ["seconds", 0.00142, 0.000009, "0.0090 ms"],
  ["seconds", 0.00142, 5, "5,000 ms"],
  ["bytes", 3.1e9, 3_141_592_653, "3.14 GB"],
  ["ratio", 0.5, 0.123, "12.3 %"],
  ["count", 12_480, 12_480, "12,480"],
  ["count", 1, 1.25, "1.25"],
])("in the unit for %s around %d, %d is formatted as %s", (quantity, typical, value, text) => {
  expect(formatWith(chooseUnit(quantity, typical), value)).toBe(text);
});

test("zero is formatted as 0, in the base unit", () => {
  expect(formatIn(chooseUnit("seconds", 4), 0)).toBe("0");
  expect(formatQuantity("bytes", 0)).toEqual({ value: "0", unit: "B" });
});
