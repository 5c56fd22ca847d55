import { MINUTE_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { Reopening, UNREADABLE_PAGES_TOLERATED } from "./reopening.ts";

test("a failed drive is retried after ever longer delays of up to ten seconds, without giving up", () => {
  const reopening = new Reopening();
  const delays = Array.from({ length: 8 }, () => reopening.failed(0));
  expect(delays).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000]);
});

test("the delay before a retry never exceeds the maximum in the vault's file", () => {
  const reopening = new Reopening(3000);
  expect(Array.from({ length: 4 }, () => reopening.failed(0))).toEqual([1000, 2000, 3000, 3000]);
});

test.each([
  ["a minute", MINUTE_MS, 1000],
  ["less than a minute", MINUTE_MS - 1, 4000],
])("a drive that fails after running for %s (%i ms) is retried after %i ms", (_, ranMs, expected) => {
  const reopening = new Reopening();
  reopening.failed(0);
  reopening.failed(0);
  reopening.opened(1000, 0);
  expect(reopening.failed(1000 + ranMs)).toBe(expected);
});

test("a drive that fails again right after it was opened does not count as recovered", () => {
  const reopening = new Reopening();
  const delays = Array.from({ length: 6 }, (_, round) => {
    reopening.opened(round * 5000, 0);
    return reopening.failed(round * 5000 + 2000);
  });
  expect(delays.at(-1)).toBe(10_000);
});

test("unreadable pages are tolerated only once opening has failed for ten minutes", () => {
  const reopening = new Reopening();
  expect(reopening.unreadablePagesMax(0)).toBe(0);
  reopening.openingFailed(1000);
  reopening.openingFailed(5 * MINUTE_MS);
  expect(reopening.unreadablePagesMax(10 * MINUTE_MS + 999)).toBe(0);
  expect(reopening.unreadablePagesMax(10 * MINUTE_MS + 1000)).toBe(UNREADABLE_PAGES_TOLERATED);
});

test("a reopened drive has to fail for ten minutes again before unreadable pages are tolerated", () => {
  const reopening = new Reopening();
  reopening.openingFailed(0);
  reopening.opened(11 * MINUTE_MS, 0);
  expect(reopening.unreadablePagesMax(12 * MINUTE_MS)).toBe(0);
  reopening.openingFailed(12 * MINUTE_MS);
  expect(reopening.unreadablePagesMax(21 * MINUTE_MS)).toBe(0);
  expect(reopening.unreadablePagesMax(22 * MINUTE_MS)).toBe(UNREADABLE_PAGES_TOLERATED);
});

test("losses of several segments are accepted once they have persisted for ten minutes", () => {
  const reopening = new Reopening();
  reopening.opened(1000, 2);
  expect(reopening.acceptsLosses(10 * MINUTE_MS + 999)).toBe(false);
  expect(reopening.acceptsLosses(10 * MINUTE_MS + 1000)).toBe(true);
  // Other attempts to open the drive in between find the same segments.
  reopening.failed(5000);
  reopening.opened(6000, 2);
  expect(reopening.acceptsLosses(10 * MINUTE_MS + 1000)).toBe(true);
  reopening.failed(10 * MINUTE_MS + 1000);
  reopening.opened(10 * MINUTE_MS + 2000, 0);
  expect(reopening.acceptsLosses(60 * MINUTE_MS)).toBe(false);
});
