import { expect, test } from "vitest";
import { type Answering, type AskedTime, nextAsked } from "./asked-time.ts";

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
