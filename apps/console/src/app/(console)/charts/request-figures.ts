/** Headline figures of requests: uploads and bytes per second, failed or refused requests, and objects stored. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { describeFullIndex, describeIndexLimit, INDEX_ADVICE, judgeIndex } from "@stashlight/contracts/space";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { formatCount } from "@stashlight/ui";
import { formatQuantity, type Quantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { formatPeriod } from "../../../client/period.ts";
import { newestByVault, trendByVault } from "./by-vault.ts";
import {
  type EventPoint,
  judgeEventAge,
  lastIncrease,
  laterEvent,
  OVER,
  recentEvents,
  totalIncrease,
} from "./event-age.ts";
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

const countedSelections = [
  trendByVault({ metric: uploads, where: { result: ["stored"] }, groupBy: ["path"] }),
  trendByVault({ metric: bytes, groupBy: ["path"] }),
  trendByVault({ metric: requests, groupBy: ["operation", "status"] }),
];

/** Queries for `requestFigures`: counters over the whole range, and over its newest minutes in short points. */
export const requestSelections: readonly MetricSelection[] = [
  ...countedSelections,
  ...countedSelections.map(recentEvents),
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

/** Measures ages up to `nowMs`, so that a failure's age grows even if no newer window arrives. */
export function requestFigures(answers: readonly MetricAnswer[], nowMs: number): RequestFigures {
  const stored = countsOf(answers, uploads);
  const rate = { title: "Uploads", id: "upload-rate", quantity: "per-second", metrics: [uploads] } as const;
  const flow = { title: "Bytes stored", id: "byte-rate", quantity: "bytes-per-second" } as const;
  // Drops the sample count, which counts uploads and not bytes.
  const { n: _bytes, ...byteRate } = rateFigure({ ...flow, metrics: [bytes] }, countsOf(answers, bytes));
  const failures = failureFigure(countsOf(answers, requests), nowMs);
  const objects = objectFigure(answers);
  // A full index and a full vault refuse uploads with the same status.
  const isOfIndex = failures.followsFrom === "vault-full" && objects.status === "bad";
  return {
    uploadRate: rateFigure(rate, stored),
    byteRate,
    failures: isOfIndex ? { ...failures, followsFrom: objects.id } : failures,
    objects,
  };
}

/** A counter over the page's range, and over its newest minutes in shorter points, which are complete sooner. */
interface Counts {
  readonly whole: readonly MetricSeries[];
  readonly recent: readonly MetricSeries[];
}

/** Relies on the order of `requestSelections`: in a short range both answers have points of the same length. */
function countsOf(answers: readonly MetricAnswer[], metric: MetricName): Counts {
  const [whole, recent] = answers.filter((answer) => answer.metric === metric);
  return { whole: whole?.series ?? [], recent: (recent ?? whole)?.series ?? [] };
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

const hasPoints = (series: readonly MetricSeries[]): boolean =>
  mergePoints(series).points.some((point) => pointTotal(point) !== null);

/** Null if no series reported. */
function pointTotal({ increases }: Point): number | null {
  const known = increases.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}

type Titled = Pick<VaultFigure, "id" | "title" | "quantity" | "metrics">;

/** Mean of the newest minute, or of one point of the range if that is longer. */
function rateFigure(titled: Titled, { whole, recent }: Counts): VaultFigure {
  const series = hasPoints(recent) ? recent : whole;
  const { stepMs, points } = mergePoints(series);
  const line = mergePoints(whole);
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
    statistic: `mean of ${formatPeriod(spanMs)}`,
    ...(byPath.length === 0 ? {} : { detail: byPath.join(", ") }),
    trend: {
      what: "mean",
      quantity: titled.quantity,
      tone: "coordinator",
      kind: "line",
      stepMs: line.stepMs,
      endMs: line.points.map(({ endMs }) => endMs),
      values: line.points.map((point) => {
        const total = pointTotal(point);
        return total === null ? null : (total * 1_000) / line.stepMs;
      }),
    },
  };
}

function formatRate(quantity: Quantity, value: number): string {
  const shown = formatQuantity(quantity, value);
  return `${shown.value} ${shown.unit}`;
}

function failureFigure({ whole: all, recent }: Counts, nowMs: number): VaultFigure {
  const figure: VaultFigure = {
    id: "failures",
    title: "Failed or refused",
    quantity: "count",
    href: "/write-path",
    value: null,
    missing: "no request in this time range",
    metrics: [requests],
  };
  const counted = countAll({ whole: all, recent });
  if (counted.length === 0) return figure;
  const failed = counted.filter(({ reason }) => reason !== null);
  const value = failed.reduce((sum, { count }) => sum + count, 0);
  const n = counted.reduce((sum, { count }) => sum + count, 0);
  const trend = failureTrend(all);
  const ours = counted.filter(({ reason }) => reason !== null && reason !== "client");
  const oursCount = ours.reduce((sum, { count }) => sum + count, 0);
  const spanMs = trend === null ? 0 : trend.endMs.length * trend.stepMs;
  const newestMs = Math.max(0, ...recent.flatMap(({ endMs }) => endMs));
  const newest = ours.reduce<EventPoint | null>(
    (latest, { series }) => laterEvent(latest, lastIncrease(series)),
    null,
  );
  const { isGoingOn, last } = judgeEventAge(newest, {
    newestMs,
    stepMs: mergePoints(recent).stepMs,
    nowMs,
  });
  const isOver = oursCount > 0 && !isGoingOn;
  const detail = describeFailures(failed, isOver ? OVER : last);
  return {
    ...figure,
    value,
    rank: value,
    n,
    statistic: `${value === 0 ? "none of the requests" : "requests"}${spanMs === 0 ? "" : ` in ${formatPeriod(spanMs)}`}`,
    ...(detail === "" ? {} : { detail }),
    status: isOver ? "info" : isGoingOn ? "warning" : "good",
    ...(trend === null ? {} : { trend }),
    ...(newestMs === 0 ? {} : { untilMs: newestMs }),
    ...(isGoingOn
      ? {
          problem:
            last === null
              ? `Requests fail or are refused${inRange(ours)}.`
              : `Requests failed or were refused${inRange(ours)}, ${last}.`,
          ...(oursCount > 0 && ours.every(({ reason, count }) => reason === "full" || count === 0)
            ? { followsFrom: "vault-full" }
            : {}),
        }
      : {}),
  };
}

/** Names the failures in the range, whose last point may be incomplete. */
function inRange(failed: readonly Counted[]): string {
  const reasons = describeReasons(failed);
  return reasons === "" ? "" : `; in this time range ${reasons}`;
}

/** Adds the requests after the range's last point to each of its counts. */
function countAll({ whole, recent }: Counts): (Counted & { readonly series: MetricSeries })[] {
  const keyOf = ({ labels }: MetricSeries) => `${labels.operation} ${labels.status}`;
  const wholeEndMs = Math.max(0, ...whole.map(({ endMs }) => endMs.at(-1) ?? 0));
  const ofRange = new Map(whole.map((series) => [keyOf(series), series]));
  const newest = new Map(recent.map((series) => [keyOf(series), series]));
  return [...new Set([...ofRange.keys(), ...newest.keys()])].flatMap((key) => {
    const [counted, late] = [ofRange.get(key), newest.get(key)];
    const series = late ?? counted;
    if (series === undefined) return [];
    const after = mergePoints(late === undefined ? [] : [late]).points.filter(
      ({ endMs }) => endMs > wholeEndMs,
    );
    const count =
      (counted === undefined ? 0 : totalIncrease(counted)) +
      after.reduce((sum, point) => sum + (pointTotal(point) ?? 0), 0);
    return [
      { series, count, reason: failureReason(series.labels.operation ?? "", series.labels.status ?? "") },
    ];
  });
}

interface Counted {
  readonly count: number;
  readonly reason: FailureReason | null;
}

/** "24 out of space (507), 2 busy or unavailable (503)". */
function describeReasons(failed: readonly Counted[]): string {
  return (Object.keys(failureReasons) as FailureReason[])
    .flatMap((reason) => {
      const count = failed.reduce((sum, each) => sum + (each.reason === reason ? each.count : 0), 0);
      return count === 0 ? [] : [`${formatCount(count)} ${failureReasons[reason]}`];
    })
    .join(", ");
}

/** `age` covers the vault's own failures, so client errors are named separately. */
function describeFailures(failed: readonly Counted[], age: string | null): string {
  if (age === null) return describeReasons(failed);
  const ours = describeReasons(failed.filter(({ reason }) => reason !== "client"));
  const ofClients = describeReasons(failed.filter(({ reason }) => reason === "client"));
  return [`${ours}; ${age}`, ...(ofClients === "" ? [] : [ofClients])].join("; apart from these ");
}

/**
 * Failures per point, with zeros where only other requests were reported: a status that never occurred has no series.
 */
function failureTrend(all: readonly MetricSeries[]): FigureTrend | null {
  const { stepMs, points } = mergePoints(all);
  if (points.length === 0) return null;
  const isFailure = all.map(
    ({ labels }) => failureReason(labels.operation ?? "", labels.status ?? "") !== null,
  );
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
        : point.increases.reduce<number>((sum, each, place) => sum + (isFailure[place] ? (each ?? 0) : 0), 0),
    ),
  };
}

/** Takes the highest count: every pod should have a shard of every object, and a pod with a lower count lacks some. */
function objectFigure(answers: readonly MetricAnswer[]): VaultFigure {
  const series = answerTo(answers, objects)?.series[0];
  const count = lastPoint(series);
  const bytesHeld = lastPoint(answerTo(answers, objectBytes)?.series[0]);
  // A pod reports both in one window; bytes of another window would belong to other objects.
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
    ...(held === null ? {} : { statistic: `${formatRate("bytes", held.value)} in total` }),
    ...trendOfLevel(series, { what: "number", quantity: "count", tone: "pod" }),
    metrics: [objects, objectBytes],
  };
}

/**
 * State of the pods' index, whose size is limited by memory; empty for agents that do not report
 * it.
 */
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
