/** Rebuilds and drains of a vault, the slowest to end first. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries, SeriesLabel } from "@stashlight/contracts/metrics/query";
import {
  describeMarginSample,
  describeSpareShards,
  noSampledUpload,
} from "@stashlight/contracts/vault-state";
import { formatCount, type Status } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { capitalised } from "../../../client/capitalised.ts";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { newestEndMs } from "../charts/figure.ts";
import { statusOfMargin } from "../charts/limits.ts";

const pod = ["node", "pod", "device"] satisfies SeriesLabel[];
const stash = ["node", "stash", "device"] satisfies SeriesLabel[];
const podMetrics = [
  "stashlight_pod_missing_shards",
  "stashlight_pod_missing_bytes",
  "stashlight_pod_rebuild_total_bytes",
  "stashlight_pod_rebuild_remaining_seconds",
] as const satisfies MetricName[];
const stashMetrics = [
  "stashlight_stash_draining_shards",
  "stashlight_stash_drain_total_shards",
  "stashlight_stash_drain_remaining_seconds",
] as const satisfies MetricName[];
const marginMetric = "stashlight_durable_margin_shards";
/**
 * Grouped by pod, as coordinators report it. The durability of the vault counts pods that are not
 * settled as missing.
 */
const settledMetric = "stashlight_vault_pod_settled";

/**
 * Takes the minimum, because each coordinator reports the margin of its own uploads. Names the vault rather than its
 * nodes, so that the answers stay when a node joins or leaves.
 */
export const operationSelections = (vault: string): MetricSelection[] => {
  const where = { vault: [vault] };
  return [
    ...podMetrics.map((metric) => ({ metric, where, groupBy: [...pod] })),
    ...stashMetrics.map((metric) => ({ metric, where, groupBy: [...stash] })),
    { metric: marginMetric, where, groupBy: ["node"], across: "min" as const },
    { metric: settledMetric, where, groupBy: ["pod"], across: "max" as const },
  ];
};

export interface Operation {
  /** Drive or device: `p3`, `s7`. */
  readonly device: string;
  readonly node: string;
  /** "p3 lacks 412 shards". */
  readonly title: string;
  /** From 0 to 1. */
  readonly doneShare: number;
  /** "1.2 of 4.8 GB at 32 MB/s, about 2 min left" */
  readonly detail: string;
  /** Null if unknown. */
  readonly secondsLeft: number | null;
}

export interface Operations {
  readonly operations: readonly Operation[];
  /** Sentence about all operations. */
  readonly summary: string;
  readonly status: Status;
  /** Sentence about the shards that uploads can spare. */
  readonly margin: string;
  /** Ends of the newest windows of the pods, which know what they lack, and of the coordinators, which know the rest. */
  readonly reported: { readonly podsMs: number | null; readonly coordinatorsMs: number | null };
}

/** Reports this much older than the newest are ignored; covers a few windows and their way to the store. */
const FRESH_MS = 60_000;

/**
 * Reads the operations at the end of the page's time, ignoring silent nodes. Null if no pod of the vault reports its
 * missing shards, as for hosts and for agents of earlier versions.
 */
export function readOperations(
  answers: readonly MetricAnswer[],
  atMs: number,
  silentNodes: ReadonlySet<string>,
): Operations | null {
  const metricSeries = (name: MetricName) => answerTo(answers, name)?.series ?? [];
  const stepMs = Math.max(0, ...answers.map((answer) => answer.stepMs));
  // Answers of a page that could not ask again are old as a whole, and do not prove that a node is silent.
  const newestMs = Math.max(0, ...answers.map((answer) => answer.newestMs ?? 0));
  const freshMs = Math.min(atMs, newestMs) - Math.max(FRESH_MS, 2 * stepMs);
  // Ignores a drive that fell silent, because its state is unknown; its tile and its alert report it.
  const newest = (series: MetricSeries | undefined): number | null =>
    series === undefined || isSilent(series, freshMs, silentNodes) || series.columns.kind !== "gauge"
      ? null
      : (series.columns.last.at(-1) ?? null);
  const reader = (of: "pod" | "stash", labels: MetricSeries["labels"]) => (name: MetricName) =>
    newest(
      metricSeries(name).find(
        (each) => each.labels[of] === labels[of] && each.labels.device === labels.device,
      ),
    );
  const missing = metricSeries("stashlight_pod_missing_shards");
  if (missing.length === 0) return null;
  const rebuilds = missing.flatMap(({ labels }) => rebuildOperations(labels, reader("pod", labels)));
  const drains = metricSeries("stashlight_stash_draining_shards").flatMap(({ labels }) =>
    drainOperations(labels, reader("stash", labels)),
  );
  const isUsed = (series: MetricSeries) => newest(series) !== null;
  const marginSeries = metricSeries(marginMetric);
  const margins = marginSeries.flatMap((series) => newest(series) ?? []);
  const marginShards = margins.length === 0 ? null : Math.min(...margins);
  const heard = missing.filter((series) => newest(series) !== null);
  const silentCount = missing.length - heard.length;
  const unsettled = new Set(
    metricSeries(settledMetric).flatMap((series) => (newest(series) === 0 ? (series.labels.pod ?? []) : [])),
  );
  // A coordinator knows of a pod that goes away before it is silent, and of one that comes back after it reports.
  const unsettledCount = heard.filter(({ labels }) => unsettled.has(labels.device ?? "")).length;
  const status =
    rebuilds.length > 0
      ? statusOfRebuild(marginShards)
      : unsettledCount > 0
        ? "warning"
        : silentCount > 0
          ? "unknown"
          : "good";
  return {
    operations: [...slowestFirst(rebuilds), ...slowestFirst(drains)],
    summary: summariseOperations(rebuilds, drains, { silentCount, unsettledCount }),
    status,
    margin: describeMargin(marginShards, {
      isSilent:
        (marginSeries.length > 0 && marginSeries.every(({ labels }) => silentNodes.has(labels.node ?? ""))) ||
        metricSeries(settledMetric).every((series) => newest(series) === null),
    }),
    reported: {
      podsMs: newestReportMs(answerTo(answers, "stashlight_pod_missing_shards"), isUsed),
      coordinatorsMs: newestReportMs(answerTo(answers, settledMetric), isUsed),
    },
  };
}

/** A coordinator without a sampled upload reports no margin, and is silent only if it reports nothing else either. */
function describeMargin(marginShards: number | null, { isSilent }: { readonly isSilent: boolean }): string {
  if (marginShards !== null) return describeMarginSample(describeSpareShards(marginShards));
  const why = isSilent ? "No coordinator reports" : capitalised(noSampledUpload);
  return `${why}, so the shards that uploads can spare are unknown.`;
}

/**
 * End of the newest window. A point's end may be later than its newest window. Silent sources, whose values are not used,
 * count only if there are no others.
 */
function newestReportMs(
  answer: Pick<MetricAnswer, "series" | "newestMs"> | undefined,
  isUsed: (series: MetricSeries) => boolean,
): number | null {
  const series = answer?.series ?? [];
  const used = series.filter(isUsed);
  const endMs = newestEndMs(used.length > 0 ? used : series);
  return endMs === null ? null : Math.min(endMs, answer?.newestMs ?? Number.POSITIVE_INFINITY);
}

function isSilent(
  { labels, endMs }: MetricSeries,
  freshMs: number,
  silentNodes: ReadonlySet<string>,
): boolean {
  const { node } = labels;
  return (node !== undefined && silentNodes.has(node)) || (endMs.at(-1) ?? 0) < freshMs;
}

type Read = (name: MetricName) => number | null;

function rebuildOperations({ pod: node = "", device = "" }: MetricSeries["labels"], read: Read): Operation[] {
  const [shards, bytes] = [read("stashlight_pod_missing_shards"), read("stashlight_pod_missing_bytes")];
  if (shards === null || bytes === null || shards === 0) return [];
  const total = Math.max(bytes, read("stashlight_pod_rebuild_total_bytes") ?? bytes);
  const secondsLeft = read("stashlight_pod_rebuild_remaining_seconds");
  const rate = secondsLeft === null || secondsLeft <= 0 ? "" : ` at ${formatBytes(bytes / secondsLeft)}/s`;
  const done = `${formatBytes(total - bytes)} of ${formatBytes(total)}${rate}`;
  const title = `${device} lacks ${formatCount(shards)} ${shards === 1 ? "shard" : "shards"}`;
  return [operation({ device, node, title, left: bytes, total, done, secondsLeft })];
}

function drainOperations({ stash: node = "", device = "" }: MetricSeries["labels"], read: Read): Operation[] {
  const left = read("stashlight_stash_draining_shards");
  if (left === null) return [];
  const total = Math.max(left, read("stashlight_stash_drain_total_shards") ?? left);
  const secondsLeft = read("stashlight_stash_drain_remaining_seconds");
  if (left === 0) {
    const rest = { doneShare: 1, detail: "empty; it can be removed", secondsLeft: 0 };
    return [{ device, node, title: `${device} is drained`, ...rest }];
  }
  const done = `${formatCount(total - left)} of ${formatCount(total)} shards`;
  return [operation({ device, node, title: `${device} is being drained`, left, total, done, secondsLeft })];
}

interface Facts extends Pick<Operation, "device" | "node" | "title" | "secondsLeft"> {
  readonly left: number;
  readonly total: number;
  readonly done: string;
}

function operation({ left, total, done, secondsLeft, ...names }: Facts): Operation {
  const detail = secondsLeft === null ? done : `${done}, about ${formatDuration(secondsLeft)} left`;
  return { ...names, doneShare: total === 0 ? 1 : 1 - left / total, detail, secondsLeft };
}

function slowestFirst(operations: readonly Operation[]): Operation[] {
  const ranked = ({ secondsLeft }: Operation): number => secondsLeft ?? Number.MAX_SAFE_INTEGER;
  return operations.toSorted((a, b) => ranked(b) - ranked(a));
}

interface PodCounts {
  readonly silentCount: number;
  /** Pods that no coordinator uses, although they reported recently: they are away, or have just come back. */
  readonly unsettledCount: number;
}

function summariseOperations(
  rebuilds: readonly Operation[],
  drains: readonly Operation[],
  { silentCount, unsettledCount }: PodCounts,
): string {
  const open = drains.filter(({ doneShare }) => doneShare < 1).length;
  const empty = drains.length - open;
  const ends = rebuilds.map(({ secondsLeft }) => secondsLeft);
  const known = ends.filter((each) => each !== null);
  const when =
    known.length < ends.length || silentCount + unsettledCount > 0
      ? ""
      : `, full redundancy in about ${formatDuration(Math.max(0, ...known))}`;
  const [first] = rebuilds;
  const lacking =
    rebuilds.length === 1 ? `Pod ${first?.device} gets` : `${formatCount(rebuilds.length)} pods get`;
  return [
    ...(rebuilds.length === 0 ? [] : [`${lacking} back lost shards${when}`]),
    ...(silentCount === 0
      ? []
      : [`${silentCount} ${silentCount === 1 ? "pod does" : "pods do"} not report missing shards`]),
    ...(unsettledCount === 0
      ? []
      : [`${unsettledCount} ${unsettledCount === 1 ? "pod is" : "pods are"} away or not settled yet`]),
    ...(rebuilds.length + silentCount + unsettledCount === 0 ? ["All pods hold all their shards"] : []),
    ...(open === 0 ? [] : [`${open} stash ${open === 1 ? "device is" : "devices are"} being drained`]),
    ...(empty === 0
      ? []
      : [`${empty} stash ${empty === 1 ? "device is" : "devices are"} empty and can be removed`]),
  ].join("; ");
}

/** Never good, because a rebuild means that shards were lost. */
function statusOfRebuild(marginShards: number | null): Status {
  const status = statusOfMargin(marginShards);
  return status === "bad" ? "bad" : "warning";
}

function formatBytes(bytes: number): string {
  const { value, unit } = formatQuantity("bytes", bytes);
  return `${value} ${unit}`;
}

function formatDuration(seconds: number): string {
  const { value, unit } = formatQuantity("seconds", seconds);
  return `${value} ${unit}`;
}
