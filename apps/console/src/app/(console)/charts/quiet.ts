/**
 * Separates figures that are old because nothing happens from those that are old because nothing is reported: an hour
 * without uploads leaves the newest latency an hour old, although its coordinator reports every ten seconds. Pure.
 */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import { isStale } from "../../../client/metrics/to-chart.ts";
import { newestByVault } from "./by-vault.ts";
import type { VaultFigure } from "./figure.ts";

const agents = "stashlight_agent_info";

/** Query for the agents that report in every window, whether or not anything happens. */
export const reportSelection = newestByVault({ metric: agents, groupBy: ["tier"], across: "max" });

interface Counted {
  /** Tier of the agents that count it. */
  readonly tier: "coordinator" | "stash" | "pod";
  readonly what: string;
}

const uploads: Counted = { tier: "coordinator", what: "uploads" };

/** Figures of events, which have no newer value while none occurs. */
const countedBy: Readonly<Record<string, Counted>> = {
  "upload-rate": uploads,
  "byte-rate": uploads,
  "upload-stash": uploads,
  "upload-direct": uploads,
  failures: { tier: "coordinator", what: "requests" },
  margin: uploads,
  "purge-lag": { tier: "stash", what: "purges" },
  "fsync-ssd": { tier: "stash", what: "syncs" },
  "fsync-hdd": { tier: "pod", what: "syncs" },
};

/** Adds to figures of events what they count, and when the agents behind them last reported. Takes one vault's answers. */
export function withReports(
  figures: readonly VaultFigure[],
  answers: readonly MetricAnswer[],
): VaultFigure[] {
  const answer = answerTo(answers, agents);
  return figures.map((figure) => {
    const counted = countedBy[figure.id];
    const reports = answer?.series.find(({ labels }) => labels.tier === counted?.tier);
    const reportedMs = reports?.endMs.at(-1);
    if (counted === undefined || answer === undefined || reportedMs === undefined) return figure;
    return { ...figure, events: { what: counted.what, reportedMs } };
  });
}

interface Dated {
  /** End of the newest window with a value. */
  readonly atMs: number | null;
  readonly stepMs: number;
  /** End of the newest window that the agents reported, with or without a value; absent if that is not known. */
  readonly reportedMs?: number | undefined;
}

/** Decides whether a live value is current, old because nothing has happened since, or old because nothing is reported. */
export function judgeAge({ atMs, stepMs, reportedMs }: Dated, nowMs: number): "current" | "quiet" | "stale" {
  if (!isStale(atMs, nowMs, stepMs)) return "current";
  return reportedMs === undefined || isStale(reportedMs, nowMs, stepMs) ? "stale" : "quiet";
}
