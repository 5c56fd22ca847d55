import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAge, formatBytes, formatCount, formatDateTime, formatElapsed, formatSpan } from "./format.ts";

describe("formatAge", () => {
  test.each([
    [0, "just now"],
    [999, "just now"],
    [8_000, "8 s ago"],
    [59_999, "59 s ago"],
    [60_000, "1 min ago"],
    [3_599_999, "59 min ago"],
    [7_200_000, "2 h ago"],
    [86_400_000 * 5, "5 d ago"],
    [86_400_000 * 800, "2 y ago"],
    [-180_000, "in 3 min"],
    [Number.NaN, "–"],
  ])("formats %d ms as %s", (ageMs, text) => {
    expect(formatAge(ageMs)).toBe(text);
  });
});

describe("formatBytes", () => {
  test.each([
    [0, "SI", "0 B"],
    [512, "SI", "512 B"],
    [999, "SI", "999 B"],
    [1000, "SI", "1.00 kB"],
    [1000, "IEC", "1000 B"],
    [1024, "IEC", "1.00 KiB"],
    [1_420_000, "SI", "1.42 MB"],
    [14_200_000, "SI", "14.2 MB"],
    [999_949, "SI", "1.00 MB"],
    [1024 ** 2 - 1, "IEC", "1.00 MiB"],
    [-2048, "IEC", "−2.00 KiB"],
    [Number.POSITIVE_INFINITY, "SI", "–"],
  ] as const)("formats %d in %s as %s", (byteCount, system, text) => {
    expect(formatBytes(byteCount, system)).toBe(text);
  });

  test("rounds a value by at most half a percent, below the next unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: Number.MAX_SAFE_INTEGER }), (byteCount) => {
        const [figure = "", unit = ""] = formatBytes(byteCount).split(" ");
        const scale = 1000 ** ["B", "kB", "MB", "GB", "TB", "PB"].indexOf(unit);
        expect(Math.abs(Number(figure) * scale - byteCount) / byteCount).toBeLessThanOrEqual(0.005);
        expect(Number(figure)).toBeLessThan(1000);
      }),
    );
  });
});

test("a count has thousands separators, and a span has one unit", () => {
  expect(formatCount(12_480)).toBe("12,480");
  expect(formatSpan(90_000)).toBe("1 min");
});

test("a time is formatted year first, in the requested zone", () => {
  const timeMs = Date.UTC(2026, 10, 21, 1, 33, 51);
  expect(formatDateTime(timeMs, "UTC")).toBe("2026-11-21 01:33:51");
  expect(formatDateTime(timeMs, "Europe/Prague")).toBe("2026-11-21 02:33:51");
});

test("elapsed time is formatted as a clock, with days only where needed", () => {
  expect([0, 59_400, 300_000, 3_900_000, 176_700_000].map(formatElapsed)).toEqual([
    "0:00",
    "0:59",
    "5:00",
    "1:05:00",
    "2 d 1:05:00",
  ]);
});
