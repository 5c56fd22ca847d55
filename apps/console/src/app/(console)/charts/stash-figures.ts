/** Fill and forecast of one vault's stash, the same on every page. */

import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { describeClosedStash, type StashSpace } from "@stashlight/contracts/space";
import { stashMarks } from "@stashlight/contracts/thresholds";
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
import { readStash } from "./occupancy.ts";
import { trendOfLevel } from "./trend.ts";

/** Queries for `stashFigures`. */
export const stashSelections: readonly MetricSelection[] = [
  trendByVault({ metric: "stashlight_stash_live_bytes" }),
  newestByVault({ metric: "stashlight_stash_dead_bytes" }),
  newestByVault({ metric: "stashlight_stash_used_bytes" }),
  newestByVault({ metric: "stashlight_stash_capacity_bytes" }),
];

const shared = {
  href: "/stash",
  metrics: ["stashlight_stash_live_bytes"],
  missing: "not reported yet",
} as const;

export interface StashFigures {
  readonly occupancy: VaultFigure;
  readonly timeToFull: VaultFigure;
}

export function stashFigures(
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
): StashFigures {
  const space = readStash(answers);
  const live = answerTo(answers, "stashlight_stash_live_bytes")?.series[0];
  return {
    occupancy: occupancyFigure(space, live),
    timeToFull: { ...shared, untilMs: space?.atMs, ...timeFigure(live, forecasts) },
  };
}

function occupancyFigure(space: StashSpace | null, live: MetricSeries | undefined): VaultFigure {
  const status = statusOfFill(space?.closedShare ?? null);
  const figure: VaultFigure = {
    ...shared,
    id: "occupancy",
    title: "Stash occupied",
    value: null,
    quantity: "ratio",
    status,
  };
  if (space === null) return figure;
  const [unpurged, garbage] = [space.liveBytes, space.garbageBytes].map(inBytes);
  return {
    ...figure,
    untilMs: space.atMs,
    value: space.occupiedShare,
    rank: space.closedShare,
    statistic: `${unpurged} unpurged, ${garbage} garbage`,
    ...trendOfLevel(live, {
      what: "unpurged share",
      perUnit: space.capacityBytes,
      quantity: "ratio",
      tone: "stash",
    }),
    ...(needsPerson(status)
      ? { problem: `${describeClosedStash(space)}. Small uploads wait for HDDs.` }
      : {}),
  };
}

function inBytes(bytes: number): string {
  const { value, unit } = formatQuantity("bytes", bytes);
  return `${value} ${unit}`;
}

function timeFigure(
  live: MetricSeries | undefined,
  forecasts: readonly VaultForecast[],
): Omit<VaultFigure, "href" | "metrics"> {
  const forecast = findForecast(forecasts, live?.labels.vault ?? "", "stash");
  const status = judgeForecast(forecast, stashMarks);
  return {
    id: "time-to-full",
    title: "Stash time to full",
    quantity: "seconds",
    ...formatForecast(forecast),
    ...rankForecast(forecast),
    status,
    ...trendOfLevel(live, { what: "unpurged bytes", quantity: "bytes", tone: "stash" }),
    ...(needsPerson(status) && forecast.kind === "filling"
      ? { problem: `The stash will be ${describeForecast(forecast)}.` }
      : {}),
  };
}
