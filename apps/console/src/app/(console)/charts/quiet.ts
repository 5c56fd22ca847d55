/**
 * Separates figures that are old because nothing happened from figures that are old because no agent reports. After an
 * hour without uploads the newest latency is an hour old, although its coordinator reports every ten seconds. Pure.
 */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import { isStale } from "../../../client/metrics/to-chart.ts";
import { newestByVault } from "./by-vault.ts";
import type { VaultFigure } from "./figure.ts";
import { newestEndMs } from "./figure.ts";

const agents = "stashlight_agent_info";

/** Query for the agents, which report in every window, even if nothing happens. */
export const reportSelection = newestByVault({ metric: agents, groupBy: ["tier"], across: "max" });

/** Reports older than this come from silent or removed agents. */
const REPORT_MS = MINUTE_MS;

/** Newest report of the tier that reported least recently, of any vault; null if none ever did. */
export function oldestReportMs(answers: readonly MetricAnswer[], nowMs: number): number | null {
  const series = answerTo(answers, agents)?.series ?? [];
  const ends = series.flatMap(({ endMs }) => endMs.at(-1) ?? []);
  const current = ends.filter((endMs) => nowMs - endMs < REPORT_MS);
  return current.length > 0 ? Math.min(...current) : newestEndMs(series);
}

interface Counted {
  /** Tier of the agents that count the events. */
  readonly tier: "coordinator" | "stash" | "pod";
  /** Words for the events that have not occurred, before the age of the newest report: "uploads since, as of". */
  readonly what: string;
}

const uploads: Counted = { tier: "coordinator", what: "uploads since, as of" };

/** Figures of events, which have no newer value until an event occurs. */
const countedBy: Readonly<Record<string, Counted>> = {
  "upload-rate": uploads,
  "byte-rate": uploads,
  "upload-stash": { tier: "coordinator", what: "uploads by stash since, as of" },
  "upload-direct": { tier: "coordinator", what: "direct uploads since, as of" },
  failures: { tier: "coordinator", what: "requests since, as of" },
  // Coordinators report the margin for five minutes after an upload, so its age is not that of the last upload.
  margin: { tier: "coordinator", what: "uploads in the last 5 min, as of" },
  "purge-lag": { tier: "stash", what: "purges since, as of" },
  "fsync-ssd": { tier: "stash", what: "syncs since, as of" },
  "fsync-hdd": { tier: "pod", what: "syncs since, as of" },
};

/**
 * Adds to figures that count events a description of the events, and the time of the last report by the agents that
 * count them. Takes one vault's answers.
 */
export function withReports(
  figures: readonly VaultFigure[],
  answers: readonly MetricAnswer[],
): VaultFigure[] {
  const answer = answerTo(answers, agents);
  return figures.map((figure) => {
    const counted = countedBy[figure.id];
    const reports = answer?.series.find(({ labels }) => labels.tier === counted?.tier);
    const endMs = reports?.endMs.at(-1);
    if (counted === undefined || answer === undefined || endMs === undefined) return figure;
    // A point may end after its newest window.
    const reportedMs = Math.min(endMs, answer.newestMs ?? endMs);
    return { ...figure, events: { what: counted.what, reportedMs } };
  });
}

interface Dated {
  /** End of the newest window with a value. */
  readonly atMs: number | null;
  readonly stepMs: number;
  /** End of the newest window that the agents reported, with or without a value; absent if unknown. */
  readonly reportedMs?: number | undefined;
}

/** Decides whether a live value is current, old because nothing has happened since, or old because no agent reports. */
export function judgeAge({ atMs, stepMs, reportedMs }: Dated, nowMs: number): "current" | "quiet" | "stale" {
  if (!isStale(atMs, nowMs, stepMs)) return "current";
  return reportedMs === undefined || isStale(reportedMs, nowMs, stepMs) ? "stale" : "quiet";
}
