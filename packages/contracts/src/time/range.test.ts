import { expect, test } from "vitest";
import { parseTimeRange } from "./range.ts";

const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0);
const hourMs = 3_600_000;

test.each([
  ["now-6h", "now", nowMs - 6 * hourMs, nowMs],
  ["now-15m", "now", nowMs - hourMs / 4, nowMs],
  ["now-2w", "now-1w", nowMs - 336 * hourMs, nowMs - 168 * hourMs],
  ["now", "now+30s", nowMs, nowMs + 30_000],
  ["2026-11-20", "2026-11-21T06:00:00Z", Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 21, 6)],
  [String(nowMs - 1), String(nowMs), nowMs - 1, nowMs],
])("the range %s to %s is read exactly", (from, to, fromMs, toMs) => {
  expect(parseTimeRange(from, to, nowMs)).toEqual({ fromMs, toMs });
});

test.each([
  ["yesterday", "now", "From"],
  ["now-6h", "now-", "To"],
  ["now-6x", "now", "From"],
  ["", "now", "From"],
  ["2026-13-45", "now", "From"],
  ["now", "now-1h", "From must be before To"],
  ["now", "now", "From must be before To"],
])("the range %s to %s is refused", (from, to, words) => {
  const result = parseTimeRange(from, to, nowMs);
  expect(result).toHaveProperty("error");
  expect((result as { error: string }).error).toContain(words);
});

test("a time without a zone is read in the caller's zone, and a time with a zone in its own", () => {
  const inKolkata = (text: string) => Date.parse(`${text}+05:30`);
  const range = parseTimeRange("2026-11-21 14:00", "2026-11-21T10:00Z", 0, inKolkata);
  expect(range).toEqual({ fromMs: Date.parse("2026-11-21T08:30Z"), toMs: Date.parse("2026-11-21T10:00Z") });
});
