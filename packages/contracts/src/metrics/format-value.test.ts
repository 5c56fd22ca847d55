import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { DIGITS, DIGITS_MAX, formatMetricValue } from "./format-value.ts";

test.each([
  [0.99957, "99.9 %"],
  [1, "100 %"],
  [1.2, "120 %"],
  [0.8713, "87.1 %"],
  [0, "0 %"],
])("a share of %d reads as %s", (share, words) => {
  expect(formatMetricValue("share", share)).toBe(words);
});

test("no share below one reads as 100 %, with however many digits", () => {
  const near = fc.oneof(
    fc.constantFrom(0.9995, 0.99999, 1 - 1e-12),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(near, fc.integer({ min: DIGITS, max: DIGITS_MAX - 3 }), (share, digits) => {
      const isWhole = formatMetricValue("share", share, digits) === "100 %";
      expect(isWhole).toBe(share === 1);
    }),
  );
});

test("loading the formatter creates no number format, which would cost every process memory", async () => {
  vi.resetModules();
  const numberFormat = vi.spyOn(Intl, "NumberFormat");
  const { formatMetricValue } = await import("./format-value.ts");
  expect(numberFormat).not.toHaveBeenCalled();
  expect(formatMetricValue("seconds", 0.0125)).toBe("12.5 ms");
  expect(formatMetricValue("seconds", 0.0126)).toBe("12.6 ms");
  expect(numberFormat).toHaveBeenCalledOnce();
  numberFormat.mockRestore();
});
