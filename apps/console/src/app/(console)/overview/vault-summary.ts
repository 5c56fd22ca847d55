/** Overview's figures of vaults and of the write path, with their problems. */
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { purgeLagMarks } from "@stashlight/contracts/thresholds";
import { describeMarginSample, describeThinUpload, noSampledUpload } from "@stashlight/contracts/vault-state";
import { formatCount, formatSpan } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import type { SparklineTone } from "@stashlight/ui/data";
import type { VaultForecast } from "../../../client/forecasts.ts";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import { newestTail, windowTail } from "../../../client/metrics/tail.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { figuresByVault, newestByVault, trendByVault } from "../charts/by-vault.ts";
import { judgeEventAge, lastIncrease, OVER, recentEvents, totalIncrease } from "../charts/event-age.ts";
import { needsPerson, type VaultFigure } from "../charts/figure.ts";
import { statusOfMargin, statusOfPurgeLag } from "../charts/limits.ts";
import { lastPoint } from "../charts/occupancy.ts";
import { reportSelection, withReports } from "../charts/quiet.ts";
import { requestFigures, requestSelections } from "../charts/request-figures.ts";
import { spaceFigures } from "../charts/space-figures.ts";
import { stashFigures, stashSelections } from "../charts/stash-figures.ts";
import { trendOfIncrease, trendOfLevel, trendOfTail } from "../charts/trend.ts";
import { spaceSelections } from "../charts/vault-space.ts";
import { applyVaultState, noVaultState, silentNodes, type VaultState } from "../charts/vault-state.ts";

const drivesRunning = "stashlight_drive_running";
const oldestUnpurged = "stashlight_stash_oldest_unpurged_seconds";
const purgeLag = "stashlight_purge_lag_seconds";

/** Queries for `readFigures`, whose answers keep this order. */
export const figureSelections: readonly MetricSelection[] = [
  reportSelection,
  ...requestSelections,
  ...stashSelections,
  trendByVault({ metric: purgeLag }),
  newestByVault({ metric: purgeLag, lastMs: purgeLagMarks.windowSeconds * 1000 }),
  newestByVault({ metric: oldestUnpurged, across: "max" }),
  trendByVault({ metric: "stashlight_fsync_seconds", groupBy: ["tier"] }),
  trendByVault({ metric: "stashlight_upload_seconds", groupBy: ["path"] }),
  trendByVault({ metric: "stashlight_fallbacks_total" }),
  recentEvents(trendByVault({ metric: "stashlight_fallbacks_total" })),
  trendByVault({ metric: "stashlight_durable_margin_shards", across: "min" }, "min"),
  newestByVault({ metric: drivesRunning, groupBy: ["tier"], across: "min" }),
  newestByVault({ metric: drivesRunning, groupBy: ["node", "tier", "device"], across: "min" }),
  ...spaceSelections(),
];

export interface VaultFigures {
  /** Nine figures: rate, errors and duration of uploads, then the data they leave and the waits they cause. */
  readonly writePath: readonly VaultFigure[];
  /** Space and drives of the pods, and drives of the stash. */
  readonly space: readonly VaultFigure[];
}

export function readFigures(
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
  nowMs: number,
  state: VaultState = noVaultState,
): VaultFigures {
  return {
    writePath: figuresByVault(answers, (ofVault, vault) =>
      applyVaultState(withReports(writePathFigures(ofVault, forecasts, nowMs), ofVault), state, vault),
    ),
    space: figuresByVault(answers, (ofVault, vault) => {
      const figures = [
        ...spaceFigures(ofVault, forecasts),
        stashFigures(ofVault, forecasts).timeToFull,
        drivesFigure(ofVault, silentNodes(state)),
        ...fsyncFigures(answerTo(ofVault, "stashlight_fsync_seconds")),
        fallbackFigure(
          ofVault.filter(({ metric }) => metric === "stashlight_fallbacks_total"),
          answerTo(ofVault, "stashlight_upload_seconds"),
          nowMs,
        ),
      ];
      return applyVaultState(withReports(figures, ofVault), state, vault);
    }),
  };
}

function writePathFigures(
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
  nowMs: number,
): VaultFigure[] {
  const { uploadRate, byteRate, failures, objects } = requestFigures(answers, nowMs);
  return [
    uploadRate,
    byteRate,
    failures,
    ...uploadFigures(answerTo(answers, "stashlight_upload_seconds")),
    objects,
    stashFigures(answers, forecasts).occupancy,
    purgeFigure(
      answers.filter(({ metric }) => metric === purgeLag),
      answerTo(answers, oldestUnpurged),
    ),
    marginFigure(answerTo(answers, "stashlight_durable_margin_shards")?.series[0]),
  ];
}

const uploadFigures = (answer: MetricAnswer | undefined): VaultFigure[] =>
  (
    [
      { id: "upload-stash", title: "Stash upload", tone: "stash", where: { path: "stash" } },
      { id: "upload-direct", title: "Direct upload", tone: "direct", where: { path: "direct" } },
    ] as const
  ).map((each) => latencyFigure({ answer, href: "/write-path", ...each }));

const fsyncFigures = (answer: MetricAnswer | undefined): VaultFigure[] =>
  (
    [
      { id: "fsync-ssd", title: "fsync, SSD", tone: "stash", where: { tier: "stash" } },
      { id: "fsync-hdd", title: "fsync, HDD", tone: "pod", where: { tier: "pod" } },
    ] as const
  ).map((each) => latencyFigure({ answer, href: "/fsync", ...each }));

/** Queries for rate, errors and duration of uploads, and the objects stored, for the page Write path. */
export const uploadSelections: readonly MetricSelection[] = [
  reportSelection,
  ...requestSelections,
  trendByVault({ metric: "stashlight_upload_seconds", groupBy: ["path"] }),
];

export const readUploadFigures = (
  answers: readonly MetricAnswer[],
  nowMs: number,
  state: VaultState = noVaultState,
): readonly VaultFigure[] =>
  figuresByVault(answers, (ofVault, vault) => {
    const { uploadRate, byteRate, failures, objects } = requestFigures(ofVault, nowMs);
    const seconds = uploadFigures(answerTo(ofVault, "stashlight_upload_seconds"));
    const figures = [uploadRate, byteRate, failures, ...seconds, objects];
    return applyVaultState(withReports(figures, ofVault), state, vault);
  });

interface Latency extends Pick<VaultFigure, "id" | "title" | "href"> {
  readonly answer: MetricAnswer | undefined;
  readonly tone: SparklineTone;
  readonly where?: { readonly tier?: string; readonly path?: string };
}

function latencyFigure({ answer, tone, where = {}, ...shown }: Latency): VaultFigure {
  const series = answer?.series.find(
    ({ labels }) => labels.tier === where.tier && labels.path === where.path,
  );
  const tail = newestTail(series, answer?.stepMs ?? 0);
  const figure = {
    ...shown,
    quantity: "seconds",
    metrics: answer === undefined ? [] : [answer.metric],
    ...trendOfTail(series, { quantity: "seconds", tone }),
  } as const;
  if (tail === null) return { ...figure, value: null, missing: "none in this time range" };
  const { seconds, ...rest } = tail;
  return { ...figure, ...rest, value: seconds, rank: seconds };
}

/**
 * Shows and judges the value of the rule "Purge is behind": the highest percentile that the purges of its window allow.
 * With too few purges the tile shows a longer time, without a verdict. `waiting` is the age of the oldest shard that
 * still waits, which shows whether purge has caught up.
 */
function purgeFigure(
  [answer, recent]: readonly MetricAnswer[],
  waiting: MetricAnswer | undefined,
): VaultFigure {
  const figure = latencyFigure({
    id: "purge-lag",
    title: "Purge lag",
    href: "/stash",
    tone: "stash",
    answer,
  });
  const judged = windowTail(recent?.series[0], purgeLagMarks.windowSeconds * 1000);
  if (judged === null) {
    return { ...figure, status: "unknown", ...(figure.value === null ? {} : { detail: TOO_FEW_PURGES }) };
  }
  const { seconds, ...rest } = judged;
  const shown = { ...figure, ...rest, value: seconds, rank: seconds };
  const status = statusOfPurgeLag(seconds);
  if (!needsPerson(status)) return { ...shown, status };
  const oldestSeconds = lastPoint(waiting?.series[0])?.value ?? null;
  if (statusOfPurgeLag(oldestSeconds) === "good") {
    return { ...shown, status: "info", detail: "purge has caught up" };
  }
  const { value, unit } = formatQuantity("seconds", seconds);
  return {
    ...shown,
    status,
    problem: `Shards stay on the stash for ${value} ${unit}: purge is not keeping up.`,
  };
}

const TOO_FEW_PURGES = `not judged: too few purges in the last ${formatSpan(purgeLagMarks.windowSeconds * 1000)}`;

function fallbackFigure(
  [answer, recent]: readonly MetricAnswer[],
  uploads: MetricAnswer | undefined,
  nowMs: number,
): VaultFigure {
  const series = answer?.series[0];
  const count = series === undefined ? null : totalIncrease(series);
  const newest = recent?.series[0];
  const { isGoingOn, last } = judgeEventAge(newest === undefined ? null : lastIncrease(newest), {
    newestMs: recent?.newestMs ?? nowMs,
    stepMs: recent?.stepMs ?? 0,
    nowMs,
  });
  const isOver = count !== null && count > 0 && !isGoingOn;
  const isUnknown = count === null && uploads?.newestMs == null;
  return {
    id: "fallbacks",
    title: "Fallbacks",
    // A counter that never moved has no series; the uploads then prove that none fell back.
    value: isUnknown ? null : (count ?? (answer?.newestMs == null ? "none" : 0)),
    missing: "no upload has been reported yet",
    rank: count ?? 0,
    quantity: "count",
    statistic: "small uploads that took the direct path, in this time range",
    ...trendOfIncrease(series, uploads?.series[0], {
      what: "number",
      quantity: "count",
      tone: "direct",
    }),
    status: isUnknown ? "unknown" : isGoingOn ? "warning" : isOver ? "info" : "good",
    ...(isOver ? { detail: OVER } : {}),
    ...(isGoingOn && count !== null
      ? {
          problem:
            count === 0
              ? `Small uploads could not use the stash${last === null ? "" : `, ${last}`}.`
              : `${formatCount(count)} small ${count === 1 ? "upload" : "uploads"} could not use the stash in this time range${last === null ? "" : `, ${last}`}.`,
        }
      : {}),
    href: "/write-path",
    metrics: ["stashlight_fallbacks_total"],
  };
}

function marginFigure(series: MetricSeries | undefined): VaultFigure {
  const last = lastPoint(series);
  const shards = last?.value ?? null;
  const status = statusOfMargin(shards);
  return {
    id: "margin",
    title: "Durable margin",
    value: shards,
    ...(last === null ? {} : { rank: -last.value, untilMs: last.untilMs }),
    quantity: "shards",
    missing: noSampledUpload,
    statistic: "lowest of a sample of uploads",
    ...trendOfLevel(series, { what: "least", quantity: "shards", tone: "coordinator" }),
    status,
    ...(needsPerson(status) && shards !== null
      ? { problem: describeMarginSample(describeThinUpload(shards)) }
      : {}),
    href: "/vaults",
    metrics: ["stashlight_durable_margin_shards"],
  };
}

const tierWords: Readonly<Record<string, string>> = {
  stash: "a drive of the stash",
  pod: "a drive of a pod",
};

/**
 * Judges the worst drive of each tier, because that query is answered for a fleet of any size.
 * Drives of silent nodes are counted separately, because their last report may be out of date.
 */
function drivesFigure(answers: readonly MetricAnswer[], silent: ReadonlySet<string>): VaultFigure {
  const [byTier, byDrive] = answers.filter(({ metric }) => metric === drivesRunning);
  const newest = (byTier?.series ?? []).flatMap((each) => {
    const last = lastPoint(each);
    return last === null ? [] : [{ ...last, tier: each.labels.tier ?? "" }];
  });
  const down = newest.filter(({ value }) => value === 0);
  const [first] = down;
  return {
    id: "drives",
    title: "Drives",
    value:
      newest.length === 0
        ? null
        : (countSilent(byDrive?.series ?? [], silent) ??
          (down.length === 0 ? "all running" : "not all running")),
    ...(newest.length === 0
      ? {}
      : { rank: down.length, untilMs: Math.min(...newest.map(({ untilMs }) => untilMs)) }),
    quantity: "count",
    missing: "no drive reported in this time range",
    statistic: "stash and pods",
    status: newest.length === 0 ? "unknown" : down.length === 0 ? "good" : "bad",
    ...(first === undefined
      ? {}
      : {
          problem: `Failed or being opened: ${down.map(({ tier }) => tierWords[tier] ?? "a drive").join(", ")}.`,
        }),
    href: "/vaults",
    metrics: [drivesRunning],
  };
}

/** "31 of 41 running, 10 silent"; null if no drive is on a silent node. */
function countSilent(drives: readonly MetricSeries[], silent: ReadonlySet<string>): string | null {
  const heard = drives.filter(({ labels }) => !silent.has(labels.node ?? ""));
  const running = heard.filter((each) => lastPoint(each)?.value === 1);
  return heard.length === drives.length
    ? null
    : `${formatCount(running.length)} of ${formatCount(drives.length)} running, ${formatCount(drives.length - heard.length)} silent`;
}

/** Placeholder figures while loading. */
export const noFigures: VaultFigures = readFigures([], [], 0);
