import { expect, test } from "vitest";
import { describeForecast } from "./describe.ts";
import type { Forecast } from "./forecast-result.ts";
import { shownForecast } from "./shown-forecast.ts";

const short: Forecast = {
  kind: "none",
  reason: { kind: "short-history", spanMs: 600_000, neededMs: 21_600_000, isChange: false },
};

test.each<[string, Forecast, number | null, string]>([
  ["is full by its fill", short, 0.96, "full"],
  ["is at the limit", short, 0.95, "full"],
  ["is not full", short, 0.94, "no forecast: 10 minutes of history, 6 hours are needed"],
  [
    "was emptied since its forecast",
    { kind: "full" },
    0.05,
    "no forecast: the level has just changed, and the history is read again",
  ],
  ["has no fill", { kind: "full" }, null, "full"],
])("the forecast of a store that %s agrees with the fill", (_, forecast, share, words) => {
  expect(describeForecast(shownForecast(forecast, share, 0.95))).toBe(words);
});
