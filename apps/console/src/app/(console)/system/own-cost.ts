/** Cost of the agents themselves: one row per node, from answers by node. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

export interface AgentCost {
  readonly node: string;
  /** CPU time divided by measured time, as a share of one core. */
  readonly cores: number | null;
  readonly residentBytes: number | null;
  readonly eventLoopSeconds: number | null;
}

export interface CostAnswers {
  readonly cpu: MetricAnswer | undefined;
  readonly resident: MetricAnswer | undefined;
  readonly eventLoop: MetricAnswer | undefined;
}

/** Cost of each node's agent, highest processor use first. */
export function agentCosts({ cpu, resident, eventLoop }: CostAnswers): AgentCost[] {
  const answers = [cpu, resident, eventLoop];
  const nodes = new Set(answers.flatMap((answer) => (answer?.series ?? []).map(({ labels }) => labels.node)));
  const rows = [...nodes].flatMap((node): AgentCost[] =>
    node === undefined
      ? []
      : [
          {
            node,
            cores: usedCores(cpu, node),
            residentBytes: maxValue(resident, node),
            eventLoopSeconds: maxValue(eventLoop, node),
          },
        ],
  );
  return rows.sort((a, b) => (b.cores ?? -1) - (a.cores ?? -1));
}

const nodeColumns = (answer: MetricAnswer | undefined, node: string) =>
  answer?.series.find(({ labels }) => labels.node === node)?.columns;

function usedCores(answer: MetricAnswer | undefined, node: string): number | null {
  const columns = nodeColumns(answer, node);
  if (answer === undefined || columns?.kind !== "counter" || columns.increase.length === 0) return null;
  const seconds = columns.increase.reduce((sum, increase) => sum + increase, 0);
  return seconds / ((columns.increase.length * answer.stepMs) / 1_000);
}

function maxValue(answer: MetricAnswer | undefined, node: string): number | null {
  const columns = nodeColumns(answer, node);
  if (columns?.kind !== "gauge" || columns.max.length === 0) return null;
  return columns.max.reduce((most, value) => Math.max(most, value), 0);
}
