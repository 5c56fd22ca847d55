import { expect, test } from "vitest";
import { type AskedTime, nextAsked } from "./asked-time.ts";

const lastHour = (toMs: number): AskedTime => ({
  expressions: { from: "now-1h", to: "now" },
  range: { fromMs: toMs - 3_600_000, toMs },
});
const zoomed: AskedTime = {
  expressions: { from: "1000", to: "2000" },
  range: { fromMs: 1_000, toMs: 2_000 },
};

test("answers that are under way are waited for while the page's time moves on", () => {
  const asked = lastHour(5_000_000);
  for (const toMs of [5_005_000, 5_010_000, 5_015_000]) {
    expect(nextAsked(asked, lastHour(toMs), false)).toBe(asked);
  }
  const latest = lastHour(5_015_000);
  expect(nextAsked(asked, latest, true)).toBe(latest);
});

test("a time that somebody chose is asked for at once", () => {
  expect(nextAsked(lastHour(5_000_000), zoomed, false)).toBe(zoomed);
});

test("a time that did not move is not asked for again", () => {
  const asked = lastHour(5_000_000);
  expect(nextAsked(asked, lastHour(5_000_000), true)).toBe(asked);
});
