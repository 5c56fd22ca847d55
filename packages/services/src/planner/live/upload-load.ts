/** Reads the load of a vault from its coordinators: uploads through the stash, and their sizes. */

import { metricLabelValues, type SizeClass, sizeClassBytes } from "@stashlight/contracts/metrics";
import type { Live, LiveFigure, LiveLoad, LiveMix } from "@stashlight/contracts/planner";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { allNamed } from "../../all-named.ts";
import {
  type Growth,
  known,
  metricSource,
  ratesByPart,
  readDistributions,
  readGrowth,
  type Scope,
  unknown,
  valueRange,
} from "./metric-sources.ts";
import { estimateClassBytes } from "./size-mix.ts";
import { yearlyGrowth } from "./trend.ts";

const trendDays = 90;
const trendDaysMin = 14;
const peakMinutesMin = 10;
const small = { where: { path: ["stash"] } };

/** Uploads in whole minutes. */
interface Uploads extends Growth {
  /** Number of all counted uploads, including those in partial minutes. */
  readonly countedTotal: number;
}

/** Reads only whole minutes, because the count of a partial one would look like a low rate. */
export async function readUploads(scope: Scope): Promise<Uploads> {
  const growth = await readGrowth(scope, { metric: "stashlight_uploads_total", ...small });
  const countedTotal = growth.total > 0 ? growth.total : await countTimed(scope);
  const { endMs, increases, stepMs } = growth;
  const told = new Set(endMs);
  const whole = endMs.flatMap((end, i) => (told.has(end - stepMs) && told.has(end + stepMs) ? [i] : []));
  const kept = whole.map((i) => increases[i] ?? 0);
  return {
    ...growth,
    endMs: whole.map((i) => endMs[i] ?? 0),
    increases: kept,
    total: kept.reduce((sum, each) => sum + each, 0),
    countedTotal,
  };
}

/** Counts timed uploads, of the current minute too, in which a counter has no point yet. */
async function countTimed(scope: Scope): Promise<number> {
  const { distributions } = await readDistributions(scope, { metric: "stashlight_upload_seconds", ...small });
  return distributions.reduce((sum, { n }) => sum + n, 0);
}

const NO_UPLOAD = "No upload went through the stash in this period.";

function describeNoLoad({ countedTotal, endMs }: Pick<Uploads, "countedTotal" | "endMs">): string {
  if (countedTotal === 0) return NO_UPLOAD;
  const counted = countedTotal === 1 ? "1 upload was" : `${formatCount(countedTotal)} uploads were`;
  return endMs.length === 0
    ? `A rate needs whole minutes; ${counted} counted, and a minute is known to be whole only after the next one.`
    : `A rate needs whole minutes; ${counted} counted, in minutes that agents reported only in part.`;
}

const formatCount = (count: number): string => count.toLocaleString("en-US");

/** Names the uploads that were left out, because sizes and latencies include them. */
const countUnit = ({ total, countedTotal }: Uploads): string =>
  total === countedTotal ? "uploads" : `of ${formatCount(countedTotal)} uploads, those in whole minutes`;

const growthSeconds = ({ increases, stepMs }: Growth): number => (increases.length * stepMs) / 1000;

export function meanUploadsPerSecond(scope: Scope, uploads: Uploads): Live<LiveLoad> {
  if (uploads.total === 0) return unknown(describeNoLoad(uploads));
  const { rates, over } = ratesByPart(uploads);
  const source = metricSource(scope, [uploads.origin], {
    source: "stashlight_uploads_total of the path stash, over the whole minutes in which it was reported",
    n: uploads.total,
    nUnit: countUnit(uploads),
    range: valueRange(rates, over),
  });
  const measuredSeconds = growthSeconds(uploads);
  return known({ value: uploads.total / measuredSeconds, measuredSeconds, ...source });
}

export function peakFactor(scope: Scope, uploads: Uploads): Live<LiveFigure> {
  const { increases, stepMs, total, origin } = uploads;
  if (total === 0) return unknown(describeNoLoad(uploads));
  const minutes = (increases.length * stepMs) / MINUTE_MS;
  if (minutes < peakMinutesMin) {
    return unknown(
      `Uploads were counted for ${Math.floor(minutes)} min; finding the busiest minute needs ${peakMinutesMin}.`,
    );
  }
  const busiest = Math.max(...increases) / (stepMs / 1000);
  const part = stepMs === MINUTE_MS ? "minute" : `${stepMs / MINUTE_MS} minutes`;
  const source = metricSource(scope, [origin], {
    source: `stashlight_uploads_total of the stash path: the busiest ${part} divided by the mean; single seconds peak higher`,
    n: increases.length,
    nUnit: stepMs === MINUTE_MS ? "minutes" : `parts of ${stepMs / MINUTE_MS} min`,
    range: null,
  });
  return known({ value: Math.max(1, busiest / (total / growthSeconds(uploads))), ...source });
}

/**
 * Counts are per size class, but bytes are reported for all classes together, so the mean of a class is an estimate.
 */
export async function readMix(scope: Scope): Promise<Live<LiveMix>> {
  const { measured, uploads, bytes } = await allNamed({
    measured: readDistributions(scope, {
      metric: "stashlight_upload_seconds",
      ...small,
      groupBy: ["size_class"],
    }),
    uploads: readGrowth(scope, { metric: "stashlight_uploads_total", ...small }),
    bytes: readGrowth(scope, { metric: "stashlight_upload_bytes_total", ...small }),
  });
  const { distributions, origin } = measured;
  const classes = metricLabelValues.size_class.flatMap((sizeClass: SizeClass) => {
    const found = distributions.find(({ labels }) => labels.size_class === sizeClass);
    return found === undefined
      ? []
      : [{ sizeClass, uploadCount: found.n, bounds: sizeClassBytes(sizeClass) }];
  });
  const n = classes.reduce((sum, { uploadCount }) => sum + uploadCount, 0);
  if (n === 0 || uploads.total === 0)
    return unknown(describeNoLoad({ countedTotal: n, endMs: uploads.endMs }));
  if (bytes.total === 0) return unknown("The uploads' bytes were not reported in this period.");
  // Two counters of the same windows yield the mean; counts of classes may begin or end with another window.
  const sizes = estimateClassBytes(classes, (bytes.total / uploads.total) * n);
  const how =
    classes.length === 1
      ? "bytes over uploads, all of one size class"
      : "counts are by size class; a class's bytes are its middle, scaled so that all classes have the bytes reported";
  const source = metricSource(scope, [origin, uploads.origin, bytes.origin], {
    source: `stashlight_upload_seconds by size class, stashlight_upload_bytes_total and stashlight_uploads_total: ${how}`,
    n,
    nUnit: "uploads",
    range: null,
  });
  return known({
    ...source,
    classes: classes.map(({ sizeClass, uploadCount }, i) => ({
      sizeClass,
      uploadCount,
      share: uploadCount / n,
      bytes: Math.max(1, Math.round(sizes[i] ?? 1)),
    })),
  });
}

/** Independent of the selected time, because a trend of hours is no evidence about years. */
export async function readYearlyGrowth(scope: Scope): Promise<Live<LiveFigure>> {
  const days = await readGrowth(
    { ...scope, fromMs: Math.max(0, scope.toMs - trendDays * DAY_MS) },
    { metric: "stashlight_uploads_total", ...small, pointCountMax: trendDays },
  );
  // The first and the last day are partial.
  const whole = days.increases.slice(1, -1);
  if (whole.length < trendDaysMin || days.stepMs !== DAY_MS) {
    return unknown(`Uploads were counted for ${whole.length} whole days; a trend needs ${trendDaysMin}.`);
  }
  const trend = yearlyGrowth(
    days.endMs.slice(1, -1).map((endMs) => endMs / DAY_MS),
    whole,
  );
  if (trend === null)
    return unknown("On some days no upload went through the stash; a trend needs uploads every day.");
  const source = metricSource(scope, [days.origin], {
    source: "stashlight_uploads_total by day, as a straight line through logarithms",
    n: whole.length,
    nUnit: "days",
    range: { low: trend.low, high: trend.high, over: "95 % interval of the slope" },
  });
  return known({ value: trend.value, ...source });
}
