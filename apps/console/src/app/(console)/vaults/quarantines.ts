/** Stash devices in quarantine, as their agents report them. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";

const metric = "stashlight_stash_quarantine_seconds";

export const quarantineSelection = (scope: Pick<MetricSelection, "where" | "nodeIds">): MetricSelection => ({
  metric,
  ...scope,
  groupBy: ["node", "device", "operator"],
  across: "max",
  pointCountMax: 20,
});

export interface ShownQuarantine {
  readonly node: string;
  readonly device: string;
  readonly operator: string;
  readonly sinceMs: number;
}

/** Some windows of the agents, and the time that they take to arrive. */
const FRESH_MS = 60_000;

/** Quarantines still reported at `atMs`; a device that was released has no newer window. */
export function readQuarantines(answers: readonly MetricAnswer[], atMs: number): ShownQuarantine[] {
  const answer = answerTo(answers, metric);
  if (answer === undefined) return [];
  const freshMs = atMs - Math.max(FRESH_MS, 2 * answer.stepMs);
  return answer.series.flatMap(({ labels, endMs, columns }) => {
    const [end, seconds] = [endMs.at(-1), columns.kind === "gauge" ? columns.last.at(-1) : undefined];
    if (end === undefined || seconds === undefined || end < freshMs) return [];
    const { node = "", device = "", operator = "" } = labels;
    return [{ node, device, operator, sinceMs: end - seconds * 1000 }];
  });
}
