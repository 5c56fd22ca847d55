/** Forecasts when stores are full, for every page, rule and report. */

import type { MetricName } from "@stashlight/contracts/metrics";
import { podSpace, vaultSpace, wearSpace } from "@stashlight/contracts/space";
import { vaultMarks } from "@stashlight/contracts/thresholds";
import {
  type Forecast,
  type ForecastInput,
  forecastFull,
  forecastWear,
  shownForecast,
} from "@stashlight/stats/forecast";
import type { BaseWithMerger } from "../metrics/query/merger.ts";
import type { Group } from "../metrics/query/query.ts";
import { type HistoryQuestion, readHistories, readNewest } from "./history.ts";

export interface ForecastQuestion extends HistoryQuestion {
  readonly capacityMetric: MetricName;
}

export interface StoreForecast {
  readonly labels: Group["labels"];
  /** Forecast for rules, which count a store as full only after it has been full for 20 minutes. */
  readonly forecast: Forecast;
  /** Forecast for readers, which is "full" as soon as the newest level is, like the fill beside it. */
  readonly shownForecast: Forecast;
  /** Newest level as a share of the capacity; null if there is no capacity. */
  readonly share: number | null;
  /** The end of the newest window. */
  readonly atMs: number;
}

const ofObjects: readonly MetricName[] = [vaultSpace.capacity, podSpace.capacity];

/** The last twentieth of a vault is reserved for uploads in progress; a drive's endurance is forecast as its wear. */
export function forecastOf(
  capacityMetric: MetricName,
  { points, capacity, nowMs }: Pick<ForecastInput, "points" | "capacity" | "nowMs">,
): Forecast {
  if (capacityMetric === wearSpace.capacity) return forecastWear({ points, enduranceBytes: capacity, nowMs });
  return forecastFull({ points, capacity, fullShare: fullShareOf(capacityMetric), nowMs });
}

/** Share of its capacity at which a store counts as full. */
const fullShareOf = (capacityMetric: MetricName): number =>
  ofObjects.includes(capacityMetric) ? vaultMarks.fullShare : 1;

/** Returns a forecast per group that reported in the last four weeks. */
export async function readForecasts(
  platform: BaseWithMerger,
  question: ForecastQuestion,
  nowMs: number,
): Promise<StoreForecast[]> {
  const { capacityMetric, ...history } = question;
  const histories = await readHistories(platform, history, nowMs);
  const capacities = await readNewest(platform, { ...history, metric: capacityMetric }, nowMs);
  const groupKey = ({ labels }: { labels: Group["labels"] }): string =>
    JSON.stringify(question.groupBy.map((label) => labels[label] ?? ""));
  const capacityByKey = new Map(capacities.map((each) => [groupKey(each), each.value]));
  return histories.flatMap(({ labels, points, newest }) => {
    if (newest === null) return [];
    const capacity = capacityByKey.get(groupKey({ labels })) ?? null;
    const forecast = forecastOf(capacityMetric, { points, capacity, nowMs });
    const share = capacity === null || capacity <= 0 ? null : newest.value / capacity;
    const isWear = capacityMetric === wearSpace.capacity;
    const shown = isWear ? forecast : shownForecast(forecast, share, fullShareOf(capacityMetric));
    return [{ labels, forecast, shownForecast: shown, share, atMs: newest.atMs }];
  });
}
