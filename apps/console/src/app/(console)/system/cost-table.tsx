"use client";
import { formatCount } from "@stashlight/ui";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import { numberColumn } from "@stashlight/ui/columns";
import { Bytes } from "@stashlight/ui/data";
import type { Column } from "@stashlight/ui/table-state";
import { Cpu } from "lucide-react";
import { useMemo } from "react";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { NextStep, useLongerRange } from "../../../client/next-step.tsx";
import { UrlTable } from "../../../client/url-table.tsx";
import { Caveats } from "../charts/caveats.tsx";
import { QueryError } from "../query-state.tsx";
import { type AgentCost, agentCosts } from "./own-cost.ts";

const ms = chooseUnit("seconds", 0.01);

const columns: Column<AgentCost>[] = [
  { id: "node", header: "Node", hideable: false, value: ({ node }) => node },
  numberColumn("cpu", "Processor", ({ cores }) => (cores === null ? null : cores * 100), {
    title: "Processor, % of one core",
    cell: ({ cores }) => (cores === null ? "–" : `${(cores * 100).toFixed(1)} %`),
  }),
  numberColumn("memory", "Peak memory", ({ residentBytes }) => residentBytes, {
    title: "Peak resident memory, bytes",
    cell: ({ residentBytes }) => <Bytes value={residentBytes} />,
  }),
  numberColumn(
    "delay",
    "Event loop, longest",
    ({ eventLoopSeconds }) => (eventLoopSeconds === null ? null : eventLoopSeconds * 1_000),
    {
      title: "Longest p99 of the event loop's delay, ms",
      cell: ({ eventLoopSeconds }) => (eventLoopSeconds === null ? "–" : formatWith(ms, eventLoopSeconds)),
    },
  ),
];

const shared = { groupBy: ["node"], across: "max", pointCountMax: 60 } satisfies Partial<MetricSelection>;
const selections: readonly MetricSelection[] = [
  { ...shared, metric: "stashlight_agent_cpu_seconds_total" },
  { ...shared, metric: "stashlight_agent_resident_bytes" },
  { ...shared, metric: "stashlight_agent_event_loop_delay_seconds" },
];
const tableOptions = { columns, prefix: "cost-", defaultSort: { id: "cpu", direction: "desc" } } as const;

/** Cost of each agent to its machine, in the page's time range. */
export function CostTable() {
  const longer = useLongerRange();
  const { answers, error, retry } = useMetrics(selections);
  const rows = useMemo(
    () =>
      agentCosts({
        cpu: answerTo(answers, "stashlight_agent_cpu_seconds_total"),
        resident: answerTo(answers, "stashlight_agent_resident_bytes"),
        eventLoop: answerTo(answers, "stashlight_agent_event_loop_delay_seconds"),
      }),
    [answers],
  );
  const omitted = answers?.[0]?.omittedSeriesCount ?? 0;
  return (
    <>
      <UrlTable
        label="The cost of the agents"
        rows={rows}
        rowKey={({ node }) => node}
        table={tableOptions}
        status={answers !== undefined ? "ready" : error === null ? "loading" : "error"}
        error={<QueryError what="The cost of the agents" error={error} onRetry={retry} />}
        empty={
          <NextStep icon={<Cpu />} title="No agent reported its cost in this time range" step={longer}>
            Every agent reports it with each window. Choose a longer range to see earlier figures.
          </NextStep>
        }
        pageSize={10}
        exportName="agent-cost"
        skeletonRowCount={6}
      />
      <Caveats origins={answers} />
      {omitted > 0 && <p className="text-sm text-faint">{formatCount(omitted)} more nodes are not listed.</p>}
    </>
  );
}
