/** One figure of a vault on a tile, with its status. */
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import type { Status } from "@stashlight/ui";
import type { Quantity } from "@stashlight/ui/chart";
import type { FigureTrend } from "./trend.ts";

export interface VaultFigure {
  readonly id: string;
  readonly title: string;
  /** A number in the base unit of its quantity, or text. */
  readonly value: number | string | null;
  readonly quantity: Quantity;
  readonly missing?: string;
  readonly statistic?: string;
  readonly n?: number;
  /** Evidence for the figure, on a separate line. */
  readonly detail?: string;
  /** End of the newest window included; absent if it is the newest of the query. */
  readonly untilMs?: number | undefined;
  readonly status?: Status;
  /**
   * For figures of events: the events that have not occurred while the figure is old ("uploads since, as of"), and the end of
   * the newest window reported by the agents that count them.
   */
  readonly events?: { readonly what: string; readonly reportedMs: number };
  /** Duration of the vault's silence: "no data for 25 s". The value is then old, and the status unknown. */
  readonly silence?: string;
  /** One sentence if the figure needs attention. */
  readonly problem?: string;
  /** Figure whose problem explains this one: requests are refused because the vault is full. */
  readonly followsFrom?: string;
  /** Vault of the figure; absent for figures without alert rules. */
  readonly vault?: string;
  /** Severity among the same figures of other vaults: greater is worse. Absent if unknown. */
  readonly rank?: number;
  /** With several vaults in scope: the vault of the figure, and the range of the others. */
  readonly vaultWords?: string;
  /** History of the figure; absent if the range has nothing to draw. */
  readonly trend?: FigureTrend;
  readonly href: string;
  readonly metrics: readonly string[];
}

type Reported = Pick<MetricAnswer, "metric" | "newestMs"> & {
  readonly series: readonly Pick<MetricSeries, "labels" | "endMs">[];
};

/** Answers behind a figure. */
export const figureOrigins = <Answer extends Pick<MetricAnswer, "metric">>(
  { metrics }: Pick<VaultFigure, "metrics">,
  answers: readonly Answer[],
): Answer[] => answers.filter(({ metric }) => metrics.includes(metric));

/**
 * End of the newest window that all answers behind a figure include, which is the time that the figure describes; null
 * if nothing was measured. A point's end may be later than its newest window, and other vaults may report later.
 */
export function figureEndMs(
  { untilMs, vault, metrics }: Pick<VaultFigure, "untilMs" | "vault" | "metrics">,
  answers: readonly Reported[],
): number | null {
  const ends = figureOrigins({ metrics }, answers).flatMap(({ newestMs, series }) => {
    const ofVault = series.filter(({ labels }) => labels.vault === vault);
    const isShared = ofVault.length > 0 && ofVault.length < series.length;
    const endMs = isShared ? newestEndMs(ofVault) : newestMs;
    return endMs === null ? [] : Math.min(endMs, newestMs ?? endMs);
  });
  return untilMs === undefined && ends.length === 0
    ? null
    : Math.min(untilMs ?? Number.POSITIVE_INFINITY, ...ends);
}

/** End of the newest point of any of the series; null if there is none. */
export function newestEndMs(series: readonly Pick<MetricSeries, "endMs">[]): number | null {
  const ends = series.flatMap(({ endMs }) => endMs.at(-1) ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

export const needsPerson = (status: Status | undefined): boolean => status === "bad" || status === "warning";

/** Allows for the trend's point: a figure made from it is up to one point old until the next one ends. */
export const longestStepMs = (
  { trend }: Pick<VaultFigure, "trend">,
  [origin]: readonly Pick<MetricAnswer, "stepMs">[],
): number => Math.max(origin?.stepMs ?? 0, trend?.stepMs ?? 0);
