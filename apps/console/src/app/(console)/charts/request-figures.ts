/** Rate, errors and amount first: uploads and bytes per second, failed or refused requests, and objects stored. */
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import {
  describeFullIndex,
  describeIndexLimit,
  INDEX_ADVICE,
  judgeIndex,
} from "@stashlight/contracts/space/index-use";
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { formatCount, formatSpan } from "@stashlight/ui";
import { formatQuantity, type Quantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { newestByVault, trendByVault } from "./by-vault.ts";
import type { VaultFigure } from "./figure.ts";
import { lastPoint } from "./occupancy.ts";
import { type FailureReason, failureReason, failureReasons } from "./request-outcome.ts";
import { type FigureTrend, trendOfLevel } from "./trend.ts";

const uploads = "stashlight_uploads_total";
const bytes = "stashlight_upload_bytes_total";
const requests = "stashlight_requests_total";
const objects = "stashlight_pod_visible_objects";
const objectBytes = "stashlight_pod_visible_object_bytes";
const indexShare = "stashlight_pod_index_ratio";
const recordsMax = "stashlight_pod_records_max";

/** Queries for `requestFigures`. */
export const requestSelections: readonly MetricSelection[] = [
  trendByVault({ metric: uploads, where: { result: ["stored"] }, groupBy: ["path"] }),
  trendByVault({ metric: bytes, groupBy: ["path"] }),
  trendByVault({ metric: requests, groupBy: ["operation", "status"] }),
  trendByVault({ metric: objects, across: "max" }),
  trendByVault({ metric: objectBytes, across: "max" }),
  newestByVault({ metric: indexShare, across: "max" }),
  newestByVault({ metric: recordsMax, across: "min" }),
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
  const failures = failureFigure(answerTo(answers, requests)?.series ?? []);
  const objects = objectFigure(answers);
  // A full index refuses as a full vault does.
  const isOfIndex = failures.followsFrom === "vault-full" && objects.status === "bad";
  return {
    uploadRate: rateFigure(rate, stored),
    byteRate,
    failures: isOfIndex ? { ...failures, followsFrom: objects.id } : failures,
    objects,
  };
}

interface Point {
  readonly endMs: number;
  /** Increases by series index; null where a series reported nothing. */
  readonly increases: readonly (number | null)[];
}

/** Trends of several counters side by side, in time order. */
function mergePoints(series: readonly MetricSeries[]): { stepMs: number; points: Point[] } {
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
function pointTotal({ increases }: Point): number | null {
  const known = increases.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}

type Titled = Pick<VaultFigure, "id" | "title" | "quantity" | "metrics">;

/** Mean of the newest minute, or of one point of the range if that is longer. */
function rateFigure(titled: Titled, series: readonly MetricSeries[]): VaultFigure {
  const { stepMs, points } = mergePoints(series);
  const figure = { ...titled, href: "/write-path" };
  const known = points.filter((point) => pointTotal(point) !== null);
  const newest = known.slice(-Math.max(1, Math.ceil(MINUTE_MS / Math.max(1, stepMs))));
  const last = newest.at(-1);
  if (last === undefined) return { ...figure, value: null, missing: "none in this time range" };
  const spanMs = newest.length * stepMs;
  const n = newest.reduce((sum, point) => sum + (pointTotal(point) ?? 0), 0);
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
        const total = pointTotal(point);
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
  const isGoingOn =
    newestFailures(
      ours.map(({ series }) => series),
      trend?.endMs.at(-1) ?? 0,
    ) > 0;
  const isOver = oursCount > 0 && !isGoingOn;
  const reasons = describeReasons(failed);
  return {
    ...figure,
    value,
    rank: value,
    n,
    statistic: `requests${spanMs === 0 ? "" : ` in ${formatSpan(spanMs)}`}${value === 0 ? ", none of them" : ""}`,
    ...(reasons === "" ? {} : { detail: isOver ? `${reasons}; none in the last 5 min` : reasons }),
    status: isOver ? "info" : isGoingOn ? "warning" : "good",
    ...(trend === null ? {} : { trend, untilMs: trend.endMs.at(-1) }),
    ...(isGoingOn
      ? {
          problem: `Requests fail or are refused, in this time range: ${describeReasons(ours)}.`,
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

/** "24 vault full (507), 2 busy or away (503)". */
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
  const { stepMs, points } = mergePoints(all);
  if (points.length === 0) return null;
  return {
    what: "number",
    quantity: "count",
    tone: "direct",
    kind: "bars",
    stepMs,
    endMs: points.map(({ endMs }) => endMs),
    values: points.map((point) =>
      pointTotal(point) === null
        ? null
        : point.increases.reduce<number>(
            (sum, each, place) => sum + (failed.has(all[place] as MetricSeries) ? (each ?? 0) : 0),
            0,
          ),
    ),
  };
}

/** Counts up to the newest request of any outcome: a coordinator that restarted reports no earlier failure again. */
function newestFailures(series: readonly MetricSeries[], newestMs: number): number {
  return mergePoints(series)
    .points.filter(({ endMs }) => endMs > newestMs - GOES_ON_MS)
    .reduce((sum, point) => sum + (pointTotal(point) ?? 0), 0);
}

/** Every pod has a shard of every object, so the highest count lacks none. */
function objectFigure(answers: readonly MetricAnswer[]): VaultFigure {
  const series = answerTo(answers, objects)?.series[0];
  const count = lastPoint(series);
  const bytesHeld = lastPoint(answerTo(answers, objectBytes)?.series[0]);
  // Pods report both together; bytes of another window belong to other objects.
  const held = bytesHeld?.untilMs === count?.untilMs ? bytesHeld : null;
  return {
    ...indexFigure(answers),
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

/** Limit by the memory of pods; nothing for agents that do not report it. */
function indexFigure(answers: readonly MetricAnswer[]): Pick<VaultFigure, "status" | "detail" | "problem"> {
  const series = answerTo(answers, indexShare)?.series[0];
  const share = lastPoint(series)?.value;
  const limit = lastPoint(answerTo(answers, recordsMax)?.series[0])?.value;
  if (share === undefined || limit === undefined) return {};
  const use = { share, recordsMax: limit };
  const sentence = describeFullIndex(series?.labels.vault ?? "", use);
  return {
    status: judgeIndex(use),
    detail: describeIndexLimit(use),
    ...(sentence === null ? {} : { problem: `${sentence}. ${INDEX_ADVICE}` }),
  };
}
