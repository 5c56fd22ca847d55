/** How full the stash of one vault is and when it will be full; the same on every page that shows it. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { newestByVault, trendByVault } from "./by-vault.ts";
import { needsPerson, type VaultFigure } from "./figure.ts";
import { statusOfFill, statusOfTimeToFull } from "./limits.ts";
import {
  FAR_SECONDS,
  formatBand,
  formatTimeToFull,
  GROWTH_POINT_COUNT,
  rankOfTimeToFull,
  readOccupancy,
} from "./occupancy.ts";
import { trendOfLevel, trendOfPoints } from "./trend.ts";

/** Every question that `stashFigures` needs the answer to. Growth takes points, but not many. */
export const stashSelections: readonly MetricSelection[] = [
  trendByVault({ metric: "stashlight_stash_used_bytes" }),
  newestByVault({ metric: "stashlight_stash_capacity_bytes" }),
  { metric: "stashlight_stash_live_bytes", groupBy: ["vault"], pointCountMax: GROWTH_POINT_COUNT },
];

const GROWTH_WORDS = "at the growth of live bytes in the range";

export function stashFigures(answers: readonly MetricAnswer[]): VaultFigure[] {
  const { usedBytes, capacityBytes, timeToFull, band, untilMs } = readOccupancy(answers);
  const fill = usedBytes === null || capacityBytes === null ? null : usedBytes / capacityBytes;
  const fillStatus = statusOfFill(fill);
  const fullStatus = statusOfTimeToFull(timeToFull);
  const used = usedBytes === null ? null : formatQuantity("bytes", usedBytes);
  const full = formatTimeToFull(timeToFull);
  const bandWords = formatBand(timeToFull, band);
  const usedSeries = answerTo(answers, "stashlight_stash_used_bytes")?.series[0];
  const live = answerTo(answers, "stashlight_stash_live_bytes");
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
    {
      ...shared,
      id: "time-to-full",
      title: "Stash time to full",
      value:
        timeToFull.kind === "filling" && timeToFull.seconds <= FAR_SECONDS ? timeToFull.seconds : full.value,
      ...rankOfTimeToFull(timeToFull),
      quantity: "seconds",
      ...(full.missing === undefined ? {} : { missing: full.missing }),
      statistic: bandWords === null ? GROWTH_WORDS : `full ${bandWords} (95\u00a0%) at this range's growth`,
      status: fullStatus,
      ...(live?.series[0] === undefined
        ? {}
        : trendOfPoints(live.series[0], live.stepMs, {
            ...{ what: "live bytes", quantity: "bytes", tone: "stash" },
          })),
      ...(needsPerson(fullStatus) && timeToFull.kind === "filling"
        ? {
            problem: `At the growth of live bytes in the range the stash is full in ${full.value} ${full.unit}${bandWords === null ? "" : `, ${bandWords}`}.`,
          }
        : {}),
    },
  ];
}
