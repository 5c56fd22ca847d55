/** Rate, errors and amount first: uploads and bytes per second, failed or refused requests, and objects stored. */
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { formatCount, formatSpan } from "@stashlight/ui";
import { formatQuantity, type Quantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { trendByVault } from "./by-vault.ts";
import type { VaultFigure } from "./figure.ts";
import { lastPoint } from "./occupancy.ts";
import { type FailureReason, failureReason, failureReasons } from "./request-outcome.ts";
import { type FigureTrend, trendOfLevel } from "./trend.ts";

const uploads = "stashlight_uploads_total";
const bytes = "stashlight_upload_bytes_total";
const requests = "stashlight_requests_total";
const objects = "stashlight_pod_visible_objects";
const objectBytes = "stashlight_pod_visible_object_bytes";

/** Queries for `requestFigures`. */
export const requestSelections: readonly MetricSelection[] = [
  trendByVault({ metric: uploads, where: { result: ["stored"] }, groupBy: ["path"] }),
  trendByVault({ metric: bytes, groupBy: ["path"] }),
  trendByVault({ metric: requests, groupBy: ["operation", "status"] }),
  trendByVault({ metric: objects, across: "max" }),
  trendByVault({ metric: objectBytes, across: "max" }),
];

export interface RequestFigures {
  readonly uploadRate: VaultFigure;
  readonly byteRate: VaultFigure;
  readonly failures: VaultFigure;
  readonly objects: VaultFigure;
}

export function requestFigures(answers: readonly MetricAnswer[]): RequestFigures {
  const stored = answerTo(answers, uploads)?.series ?? [];
  const rate = { title: "Uploads", id: "upload-rate", quantity: "per-second", metrics: [uploads] } as const;
  const flow = { title: "Bytes stored", id: "byte-rate", quantity: "bytes-per-second" } as const;
  // The sample count is of uploads; it does not apply to bytes.
  const { n: _bytes, ...byteRate } = rateFigure(
    { ...flow, metrics: [bytes] },
    answerTo(answers, bytes)?.series ?? [],
  );
  return {
    uploadRate: rateFigure(rate, stored),
    byteRate,
    failures: failureFigure(answerTo(answers, requests)?.series ?? []),
    objects: objectFigure(answers),
  };
}

interface Point {
  readonly endMs: number;
  /** Increases by series index; null where a series reported nothing. */
  readonly increases: readonly (number | null)[];
}

/** Trends of several counters side by side, in time order. */
function pointsOf(series: readonly MetricSeries[]): { stepMs: number; points: Point[] } {
  const byTime = new Map<number, (number | null)[]>();
  let stepMs = 0;
  series.forEach(({ trend }, place) => {
    if (trend === undefined) return;
    stepMs = trend.stepMs;
    trend.values.forEach((value, i) => {
      const endMs = trend.firstEndMs + i * trend.stepMs;
      const increases = byTime.get(endMs) ?? series.map(() => null);
      increases[place] = value;
      byTime.set(endMs, increases);
    });
  });
  const points = [...byTime].map(([endMs, increases]) => ({ endMs, increases }));
  return { stepMs, points: points.sort((a, b) => a.endMs - b.endMs) };
}

/** Null if no series reported. */
function totalOf({ increases }: Point): number | null {
  const known = increases.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}

type Titled = Pick<VaultFigure, "id" | "title" | "quantity" | "metrics">;

/** Mean of the newest minute, or of one point of the range if that is longer. */
function rateFigure(titled: Titled, series: readonly MetricSeries[]): VaultFigure {
  const { stepMs, points } = pointsOf(series);
  const figure = { ...titled, href: "/write-path" };
  const known = points.filter((point) => totalOf(point) !== null);
  const newest = known.slice(-Math.max(1, Math.ceil(MINUTE_MS / Math.max(1, stepMs))));
  const last = newest.at(-1);
  if (last === undefined) return { ...figure, value: null, missing: "none in this time range" };
  const spanMs = newest.length * stepMs;
  const n = newest.reduce((sum, point) => sum + (totalOf(point) ?? 0), 0);
  const value = (n * 1_000) / spanMs;
  const byPath = series.flatMap(({ labels }, place) => {
    const ofPath = newest.reduce((sum, { increases }) => sum + (increases[place] ?? 0), 0);
    return ofPath === 0 || series.length < 2
      ? []
      : [`${formatRate(titled.quantity, (ofPath * 1_000) / spanMs)} ${labels.path}`];
  });
  return {
    ...figure,
    value,
    rank: value,
    n,
    untilMs: last.endMs,
    statistic: `mean of ${formatSpan(spanMs)}`,
    ...(byPath.length === 0 ? {} : { detail: byPath.join(", ") }),
    trend: {
      what: "mean",
      quantity: titled.quantity,
      tone: "coordinator",
      kind: "line",
      stepMs,
      endMs: points.map(({ endMs }) => endMs),
      values: points.map((point) => {
        const total = totalOf(point);
        return total === null ? null : (total * 1_000) / stepMs;
      }),
    },
  };
}

function formatRate(quantity: Quantity, value: number): string {
  const shown = formatQuantity(quantity, value);
  return `${shown.value} ${shown.unit}`;
}

/** Age above which a failure is over and no longer a problem. */
const GOES_ON_MS = 5 * MINUTE_MS;
/** Age above which requests failed, and may not fail now: windows are some seconds old when they are shown. */
const NOW_MS = MINUTE_MS / 2;

const OVER = "none in the last 5 min";

function failureFigure(all: readonly MetricSeries[]): VaultFigure {
  const figure: VaultFigure = {
    id: "failures",
    title: "Failed or refused",
    quantity: "count",
    href: "/write-path",
    value: null,
    missing: "no request in this time range",
    metrics: [requests],
  };
  const counted = all.map((series) => ({
    series,
    count: totalIncrease(series),
    reason: failureReason(series.labels.operation ?? "", series.labels.status ?? ""),
  }));
  if (counted.length === 0) return figure;
  const failed = counted.filter(({ reason }) => reason !== null);
  const value = failed.reduce((sum, { count }) => sum + count, 0);
  const n = counted.reduce((sum, { count }) => sum + count, 0);
  const trend = failureTrend(all, new Set(failed.map(({ series }) => series)));
  const ours = counted.filter(({ reason }) => reason !== null && reason !== "client");
  const oursCount = ours.reduce((sum, { count }) => sum + count, 0);
  const spanMs = trend === null ? 0 : trend.endMs.length * trend.stepMs;
  const newestMs = trend?.endMs.at(-1) ?? 0;
  const lastMs = lastFailureMs(ours.map(({ series }) => series));
  const isGoingOn = lastMs !== null && newestMs - lastMs < GOES_ON_MS;
  const isNow = lastMs !== null && newestMs - lastMs < Math.max(NOW_MS, trend?.stepMs ?? 0);
  const last = isNow || lastMs === null ? null : `the last ${formatSpan(newestMs - lastMs)} ago`;
  const isOver = oursCount > 0 && !isGoingOn;
  const reasons = describeReasons(failed);
  return {
    ...figure,
    value,
    rank: value,
    n,
    statistic: `requests${spanMs === 0 ? "" : ` in ${formatSpan(spanMs)}`}${value === 0 ? ", none of them" : ""}`,
    ...(reasons === "" ? {} : { detail: [reasons, isOver ? OVER : (last ?? [])].flat().join("; ") }),
    status: isOver ? "info" : isGoingOn ? "warning" : "good",
    ...(trend === null ? {} : { trend, untilMs: trend.endMs.at(-1) }),
    ...(isGoingOn
      ? {
          problem: `${last === null ? "Requests fail or are refused" : `Requests failed or were refused, ${last}`}; in this time range ${describeReasons(ours)}.`,
          ...(ours.every(({ reason, count }) => reason === "full" || count === 0)
            ? { followsFrom: "vault-full" }
            : {}),
        }
      : {}),
  };
}

const totalIncrease = ({ columns }: MetricSeries): number =>
  columns.kind === "counter" ? columns.increase.reduce((sum, each) => sum + each, 0) : 0;

interface Counted {
  readonly count: number;
  readonly reason: FailureReason | null;
}

/** "24 too little room (507), 2 busy or away (503)". */
function describeReasons(failed: readonly Counted[]): string {
  return (Object.keys(failureReasons) as FailureReason[])
    .flatMap((reason) => {
      const count = failed.reduce((sum, each) => sum + (each.reason === reason ? each.count : 0), 0);
      return count === 0 ? [] : [`${formatCount(count)} ${failureReasons[reason]}`];
    })
    .join(", ");
}

/** Failures per point in which any request was reported; a status that never occurred has no series. */
function failureTrend(all: readonly MetricSeries[], failed: ReadonlySet<MetricSeries>): FigureTrend | null {
  const { stepMs, points } = pointsOf(all);
  if (points.length === 0) return null;
  return {
    what: "number",
    quantity: "count",
    tone: "direct",
    kind: "bars",
    stepMs,
    endMs: points.map(({ endMs }) => endMs),
    values: points.map((point) =>
      totalOf(point) === null
        ? null
        : point.increases.reduce<number>(
            (sum, each, place) => sum + (failed.has(all[place] as MetricSeries) ? (each ?? 0) : 0),
            0,
          ),
    ),
  };
}

/** End of the newest point with a failure; null without one. A coordinator that restarted reports no earlier one again. */
const lastFailureMs = (series: readonly MetricSeries[]): number | null =>
  pointsOf(series).points.findLast((point) => (totalOf(point) ?? 0) > 0)?.endMs ?? null;

/** Every pod has a shard of every object, so the highest count lacks none. */
function objectFigure(answers: readonly MetricAnswer[]): VaultFigure {
  const series = answerTo(answers, objects)?.series[0];
  const count = lastPoint(series);
  const bytesHeld = lastPoint(answerTo(answers, objectBytes)?.series[0]);
  // Pods report both together; bytes of another window belong to other objects.
  const held = bytesHeld?.untilMs === count?.untilMs ? bytesHeld : null;
  return {
    id: "objects",
    title: "Objects",
    quantity: "count",
    href: "/vaults",
    value: count === null ? null : Math.round(count.value),
    ...(count === null ? {} : { rank: count.value, untilMs: count.untilMs }),
    missing: "no pod has counted them yet",
    ...(held === null ? {} : { statistic: `objects of ${formatRate("bytes", held.value)}` }),
    ...trendOfLevel(series, { what: "number", quantity: "count", tone: "pod" }),
    metrics: [objects, objectBytes],
  };
}
