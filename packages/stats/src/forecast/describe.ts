/** Formats a forecast in words, identically wherever it is shown. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./durations.ts";
import type { Forecast, NoForecastReason } from "./forecast-result.ts";

interface Unit {
  readonly ms: number;
  readonly one: string;
  readonly many: string;
}

/** Spans below two days are given in hours, and below two hours in minutes. */
const units: readonly [Unit, Unit, Unit] = [
  { ms: DAY_MS, one: "day", many: "days" },
  { ms: HOUR_MS, one: "hour", many: "hours" },
  { ms: MINUTE_MS, one: "minute", many: "minutes" },
];

const unitFor = (ms: number): Unit => units.find((unit) => ms >= 2 * unit.ms) ?? units[2];

const rounded = (ms: number, unit: Unit): number => Math.round(ms / unit.ms);

/** Formats "28 minutes", "6 hours", "12 days". */
export function describeSpan(ms: number): string {
  const unit = unitFor(ms);
  const count = Math.max(0, rounded(ms, unit));
  return `${count} ${count === 1 ? unit.one : unit.many}`;
}

/** Horizon beyond which no operator plans. */
const FAR_MS = 730 * DAY_MS;

/** Formats "3 to 9 days", "5 hours to 3 days", "at least 20 hours" if the far end is beyond any plan. */
export function describeInterval(lowMs: number, highMs: number): string {
  if (!(highMs <= FAR_MS)) return `at least ${describeSpan(lowMs)}`;
  const [lowUnit, highUnit] = [unitFor(lowMs), unitFor(highMs)];
  const [low, high] = [rounded(lowMs, lowUnit), rounded(highMs, highUnit)];
  if (lowUnit !== highUnit) return `${describeSpan(lowMs)} to ${describeSpan(highMs)}`;
  return low === high ? describeSpan(highMs) : `${low} to ${high} ${highUnit.many}`;
}

/**
 * Formats "full in 3 to 9 days, from 12 days of history", or "no forecast: " and the reason, without a subject or full
 * stop. `reached` names a mark other than the full capacity.
 */
export function describeForecast(forecast: Forecast, reached = "full"): string {
  if (forecast.kind === "full") return reached;
  if (forecast.kind === "none") return `no forecast: ${describeReason(forecast.reason)}`;
  return `${reached} in ${describeFullIn(forecast)}, ${describeHistory(forecast)}`;
}

type Filling = Extract<Forecast, { kind: "filling" }>;

/** Formats "3 to 9 days". */
export const describeFullIn = ({ fullInMs }: Filling): string =>
  describeInterval(fullInMs.low, fullInMs.high);

/** Formats "from 12 days of history". */
export const describeHistory = ({ spanMs }: Pick<Filling, "spanMs">): string =>
  `from ${describeSpan(spanMs)} of history`;

/** Formats "28 minutes of history, 6 hours are needed". */
export function describeReason(reason: NoForecastReason): string {
  switch (reason.kind) {
    case "no-capacity":
      return "no capacity was reported";
    case "no-history":
      return "nothing has been reported yet";
    case "stale":
      return `nothing was reported for ${describeSpan(reason.ageMs)}`;
    case "short-history": {
      const what = reason.isChange ? "since the level changed" : "of history";
      return `${describeSpan(reason.spanMs)} ${what}, ${describeSpan(reason.neededMs)} are needed`;
    }
    case "outdated":
      return "the level has just changed, and the history is read again";
    case "small-share":
      return `${percent(reason.share)} full, ${percent(reason.neededShare)} are needed`;
    case "no-growth":
      return `no growth beyond chance in ${describeSpan(reason.spanMs)}`;
    case "beyond-reach":
      return `not full within ${describeSpan(reason.reachMs)}, which is as far as ${describeSpan(reason.spanMs)} of history can predict`;
  }
}

/** Two digits below ten, so that the needed history never looks reached. */
const percent = (share: number): string =>
  `${share < 0.1 ? (Math.floor(share * 1_000) / 10).toFixed(1) : Math.floor(share * 100)} %`;
