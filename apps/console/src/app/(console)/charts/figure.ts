/** One figure of a vault on a tile, with its status. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
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
   * For figures of events: the events that have not occurred while the figure is old ("uploads
   * since"), and the end of the newest window reported by the agents that count them.
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

export const needsPerson = (status: Status | undefined): boolean => status === "bad" || status === "warning";

/** Allows for the trend's point: a figure made from it is up to one point old until the next one ends. */
export const longestStepMs = (
  { trend }: Pick<VaultFigure, "trend">,
  [origin]: readonly Pick<MetricAnswer, "stepMs">[],
): number => Math.max(origin?.stepMs ?? 0, trend?.stepMs ?? 0);
