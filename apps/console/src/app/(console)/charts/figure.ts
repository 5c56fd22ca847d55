/** One figure of a vault as a tile shows it, with its status. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { Status } from "@stashlight/ui";
import type { Quantity } from "@stashlight/ui/chart";
import type { FigureTrend } from "./trend.ts";

export interface VaultFigure {
  readonly id: string;
  readonly title: string;
  /** A number in the base unit of its quantity, or words. */
  readonly value: number | string | null;
  readonly quantity: Quantity;
  readonly missing?: string;
  readonly statistic?: string;
  readonly n?: number;
  /** Evidence for the figure, on a line of its own. */
  readonly detail?: string;
  /** The end of the newest window that is in it; absent where it is the newest of all that was asked. */
  readonly untilMs?: number | undefined;
  readonly status?: Status;
  /** For how long nothing of its vault was heard: "no data for 25 s". Its value is old then, and its status unknown. */
  readonly silence?: string;
  /** One sentence if the figure needs attention. */
  readonly problem?: string;
  /** The figure whose problem explains this one: requests are refused because the vault is full. */
  readonly followsFrom?: string;
  /** The vault that it is of; absent for figures that have no alert rules. */
  readonly vault?: string;
  /** How bad it is among the same figure of other vaults: the greater, the worse. Absent where nothing is known. */
  readonly rank?: number;
  /** Where several vaults are in scope: the one that the figure is of, and what the others have. */
  readonly vaultWords?: string;
  /** How it came about; absent where nothing of the range can be drawn. */
  readonly trend?: FigureTrend;
  readonly href: string;
  readonly metrics: readonly string[];
}

export const needsPerson = (status: Status | undefined): boolean => status === "bad" || status === "warning";

/** A figure that is made of the points of its trend is as old as one of them before the next one ends. */
export const longestStepMs = (
  { trend }: Pick<VaultFigure, "trend">,
  [origin]: readonly Pick<MetricAnswer, "stepMs">[],
): number => Math.max(origin?.stepMs ?? 0, trend?.stepMs ?? 0);
