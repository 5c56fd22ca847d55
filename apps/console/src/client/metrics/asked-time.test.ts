import { expect, test } from "vitest";
import { type Answering, type AskedTime, latestAnswerMs, nextAsked } from "./asked-time.ts";

const lastHour = (toMs: number): AskedTime => ({
  expressions: { from: "now-1h", to: "now" },
  range: { fromMs: toMs - 3_600_000, toMs },
});
const zoomed: AskedTime = {
  expressions: { from: "1000", to: "2000" },
  range: { fromMs: 1_000, toMs: 2_000 },
};

const underWay: Answering = { askedAtMs: 5_000_000, answeredAtMs: null };
const answeredAfter = (tookMs: number): Answering => ({
  askedAtMs: 5_000_000,
  answeredAtMs: 5_000_000 + tookMs,
});

test("the query waits for pending answers while the page's time advances", () => {
  const asked = lastHour(5_000_000);
  for (const toMs of [5_005_000, 5_010_000, 5_015_000]) {
    expect(nextAsked(asked, lastHour(toMs), underWay, toMs)).toBe(asked);
  }
  const latest = lastHour(5_015_000);
  expect(nextAsked(asked, latest, answeredAfter(100), 5_015_000)).toBe(latest);
});

test("a time chosen by the user is queried at once", () => {
  expect(nextAsked(lastHour(5_000_000), zoomed, underWay, 5_001_000)).toBe(zoomed);
});

test("an unchanged time is not queried again", () => {
  const asked = lastHour(5_000_000);
  expect(nextAsked(asked, lastHour(5_000_000), answeredAfter(100), 5_015_000)).toBe(asked);
});

test("after slow answers the page pauses three times as long before it queries again", () => {
  const asked = lastHour(5_000_000);
  for (const [nowMs, isAsked] of [
    [5_005_000, false],
    [5_015_000, false],
    [5_020_000, true],
  ] as const) {
    const next = nextAsked(asked, lastHour(nowMs), answeredAfter(4_500), nowMs);
    expect(next !== asked, `at ${nowMs}`).toBe(isAsked);
  }
});

const answered = {
  isFetching: false,
  isError: false,
  dataUpdatedAt: 5_045_000,
  errorUpdatedAt: 0,
  errorUpdateCount: 0,
};
const failed = {
  ...answered,
  isError: true,
  dataUpdatedAt: 0,
  errorUpdatedAt: 5_003_000,
  errorUpdateCount: 1,
};

test("the pause follows from the latest answer or failure, and is unknown while one is pending", () => {
  expect(latestAnswerMs([answered, failed])).toBe(5_045_000);
  expect(latestAnswerMs([failed])).toBe(5_003_000);
  expect(latestAnswerMs([answered, { ...answered, isFetching: true }])).toBeNull();
});

test("a page does not pause after an outage, although its query was answered only at its end", () => {
  const again = { ...answered, errorUpdatedAt: 5_003_000, errorUpdateCount: 1 };
  const answering = { askedAtMs: 5_000_000, answeredAtMs: latestAnswerMs([answered, again]) };
  const page = lastHour(5_050_000);
  expect(nextAsked(lastHour(5_000_000), page, answering, 5_050_000)).toBe(page);
});

test("a page pauses while one of its queries keeps failing", () => {
  const asked = lastHour(5_000_000);
  const stillFailed = { ...failed, errorUpdatedAt: 5_045_000, errorUpdateCount: 4 };
  const answering = { askedAtMs: 5_000_000, answeredAtMs: latestAnswerMs([answered, stillFailed]) };
  expect(nextAsked(asked, lastHour(5_050_000), answering, 5_050_000)).toBe(asked);
});
