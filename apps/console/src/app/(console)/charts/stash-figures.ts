/** How full the stash of one vault is and when it will be full; the same on every page that shows it. */
import { stashMarks } from "@stashlight/contracts/judgement";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { describeForecast } from "@stashlight/stats/forecast";
import { formatQuantity } from "@stashlight/ui/chart";
import {
  findForecast,
  formatForecast,
  judgeForecast,
  rankForecast,
  type VaultForecast,
} from "../../../client/forecasts.ts";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { newestByVault, trendByVault } from "./by-vault.ts";
import { needsPerson, type VaultFigure } from "./figure.ts";
import { statusOfFill } from "./limits.ts";
import { readOccupancy, TREND_POINT_COUNT } from "./occupancy.ts";
import { trendOfLevel, trendOfPoints } from "./trend.ts";

/** Every question that `stashFigures` needs the answer to. */
export const stashSelections: readonly MetricSelection[] = [
  trendByVault({ metric: "stashlight_stash_used_bytes" }),
  newestByVault({ metric: "stashlight_stash_capacity_bytes" }),
  { metric: "stashlight_stash_live_bytes", groupBy: ["vault"], pointCountMax: TREND_POINT_COUNT },
];

export function stashFigures(
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
): VaultFigure[] {
  const { usedBytes, capacityBytes, untilMs } = readOccupancy(answers);
  const fill = usedBytes === null || capacityBytes === null ? null : usedBytes / capacityBytes;
  const fillStatus = statusOfFill(fill);
  const used = usedBytes === null ? null : formatQuantity("bytes", usedBytes);
  const usedSeries = answerTo(answers, "stashlight_stash_used_bytes")?.series[0];
  const shared = {
    href: "/stash",
    metrics: ["stashlight_stash_used_bytes"],
    missing: "not reported yet",
    untilMs,
  };
  return [
    {
      ...shared,
      id: "occupancy",
      title: "Stash occupied",
      value: fill,
      ...(fill === null ? {} : { rank: fill }),
      quantity: "ratio",
      ...(used === null ? {} : { statistic: `${used.value} ${used.unit} used` }),
      status: fillStatus,
      ...(capacityBytes === null
        ? {}
        : trendOfLevel(usedSeries, {
            ...{ what: "used share", perUnit: capacityBytes },
            ...{ quantity: "ratio", tone: "stash" },
          })),
      ...(needsPerson(fillStatus) && fill !== null
        ? {
            problem: `The stash is ${(fill * 100).toFixed(0)} % full; when it is full, uploads wait for HDDs.`,
          }
        : {}),
    },
    { ...shared, ...timeFigure(answers, forecasts) },
  ];
}

function timeFigure(
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
): Omit<VaultFigure, "href" | "metrics"> {
  const live = answerTo(answers, "stashlight_stash_live_bytes");
  const series = live?.series[0];
  const forecast = findForecast(forecasts, series?.labels.vault ?? "", "stash");
  const status = judgeForecast(forecast, stashMarks);
  return {
    id: "time-to-full",
    title: "Stash time to full",
    quantity: "seconds",
    ...formatForecast(forecast),
    ...rankForecast(forecast),
    status,
    ...(live === undefined || series === undefined
      ? {}
      : trendOfPoints(series, live.stepMs, { what: "live bytes", quantity: "bytes", tone: "stash" })),
    ...(needsPerson(status) && forecast.kind === "filling"
      ? { problem: `The stash will be ${describeForecast(forecast)}.` }
      : {}),
  };
}
