/** Integrity figures of one drive: corrupt and unreadable records, age of the verification, and error rate. */

import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { formatCount, type Status } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import type { VaultFigure } from "./figure.ts";

const corrupt = "stashlight_drive_corrupt_records";
const correlated = "stashlight_drive_damage_correlated";
const unreadable = "stashlight_drive_unreadable_records";
const oldest = "stashlight_scrub_oldest_unverified_seconds";
const round = "stashlight_scrub_round_seconds";
const progress = "stashlight_scrub_progress_ratio";
const verified = "stashlight_scrub_verified_bytes";
const found = "stashlight_scrub_corrupt_records";

const MISSING = "the drive did not report it in this time range";

/** Queries for `integrityFigures`, in any order. */
export const integritySelections = (scope: Pick<MetricSelection, "where" | "nodeIds">): MetricSelection[] =>
  ([corrupt, correlated, unreadable, oldest, round, progress, verified, found] as const).map((metric) => ({
    metric,
    across: "max" as const,
    pointCountMax: 20,
    summarise: true,
    ...scope,
  }));

export function integrityFigures(answers: readonly MetricAnswer[]): VaultFigure[] {
  const level = (metric: MetricName): number | null => {
    const columns = answerTo(answers, metric)?.series[0]?.columns;
    return columns?.kind === "gauge" ? (columns.last.at(-1) ?? null) : null;
  };
  return [
    corruptFigure(level(corrupt), level(correlated) === 1),
    unreadableFigure(level(unreadable)),
    oldestFigure(level(oldest), level(round)),
    roundFigure(level(progress)),
    errorRateFigure(level(found), level(verified)),
  ];
}

const shared = { href: "/vaults", missing: MISSING } as const;

/** Correlated damage needs attention at once; a single corrupt record waits for its repair. Drive maps use it too. */
export function statusOfCorrupt(count: number | null, isCorrelated: boolean): Status {
  if (isCorrelated) return "bad";
  if (count === null) return "unknown";
  return count > 0 ? "warning" : "good";
}

function corruptFigure(value: number | null, isCorrelated: boolean): VaultFigure {
  return {
    ...shared,
    id: "corrupt-records",
    title: "Corrupt records",
    quantity: "count",
    value,
    status: statusOfCorrupt(value, isCorrelated),
    statistic: "fail their checksum and wait for repair",
    metrics: [corrupt],
    ...(isCorrelated && {
      problem:
        "Many records were found corrupt within a short time. A controller, cable or memory is likelier than rot, so each repair waits for minutes. Check those first.",
    }),
  };
}

function unreadableFigure(value: number | null): VaultFigure {
  return {
    ...shared,
    id: "unreadable-records",
    title: "Unreadable",
    quantity: "count",
    value,
    status: value === null ? "unknown" : value > 0 ? "warning" : "good",
    statistic: "records that the drive does not return",
    metrics: [unreadable],
  };
}

function oldestFigure(seconds: number | null, roundSeconds: number | null): VaultFigure {
  const isLate = seconds !== null && roundSeconds !== null && seconds > scrubMarks.lateRounds * roundSeconds;
  const length = roundSeconds === null ? null : formatQuantity("seconds", roundSeconds);
  return {
    ...shared,
    id: "oldest-unverified",
    title: "Unverified age",
    quantity: "seconds",
    value: seconds,
    status: seconds === null ? "unknown" : isLate ? "warning" : "good",
    ...(length !== null && {
      statistic: `of the oldest data; a scrub round takes up to ${length.value} ${length.unit}`,
    }),
    metrics: [oldest],
  };
}

function roundFigure(value: number | null): VaultFigure {
  return {
    ...shared,
    id: "scrub-round",
    title: "Scrub round",
    quantity: "ratio",
    value,
    statistic: "of the live bytes verified in this round",
    metrics: [progress],
  };
}

const RATE_BYTES = 1e15;
/** Upper end of the 95 % interval of a Poisson count of 0. */
const NONE_FOUND_MAX = 3.7;
const BOUND_SPELT_MAX = 10_000;

/**
 * Readable bound: "8" per 10¹⁵ bytes, or "one in 17 MB" where that number would have many digits.
 */
function noneFoundBound(bytes: number): string {
  const bound = Math.ceil((NONE_FOUND_MAX * RATE_BYTES) / bytes);
  if (bound < BOUND_SPELT_MAX) return formatCount(bound);
  const { value, unit } = formatQuantity("bytes", bytes / NONE_FOUND_MAX);
  return `one in ${value} ${unit}`;
}

/** Shows the count and the bytes verified beside the rate, because a rate over few bytes means little. */
function errorRateFigure(count: number | null, bytes: number | null): VaultFigure {
  const isKnown = count !== null && bytes !== null && bytes > 0;
  const size = isKnown ? formatQuantity("bytes", bytes) : null;
  return {
    ...shared,
    id: "error-rate",
    title: "Errors per 10¹⁵ bytes",
    quantity: "count",
    value: isKnown ? (count * RATE_BYTES) / bytes : null,
    ...(isKnown &&
      size !== null && {
        statistic:
          count === 0
            ? `none in ${size.value} ${size.unit} verified, so fewer than ${noneFoundBound(bytes)}`
            : `${formatCount(count)} corrupt in ${size.value} ${size.unit} verified`,
      }),
    metrics: [found, verified],
  };
}
