"use client";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { NodeRow } from "@stashlight/contracts/node";
import type { ChartThreshold, ChartTone } from "@stashlight/ui/chart";
import { Section } from "@stashlight/ui/layout";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";
import { lastPoint } from "../charts/occupancy.ts";
import { LinesPanel } from "../charts/panels.tsx";

const waits = {
  io: { label: "for drives", tone: "pod" },
  cpu: { label: "for a processor", tone: "coordinator" },
  memory: { label: "for memory", tone: "direct" },
} as const;

/** Charts of a node's machine: load, waits of processes, memory, and busiest drive. */
export function MachinePanels({ node, nodeIds }: { node: NodeRow; nodeIds: string[] }) {
  const level = (metric: MetricName, label: string, tone: ChartTone): LinesSource => ({
    metric,
    nodeIds,
    across: "max",
    lines: [{ column: "max", label, tone }],
  });
  const limitOf =
    (metric: MetricName, label: string): LinesPanelThresholds =>
    (answers) => {
      const last = lastPoint(answerTo(answers, metric)?.series[0]);
      return last === null ? [] : [{ value: last.value, label, tone: "warning" }];
    };
  return (
    <Section
      title="Is it the machine?"
      description="Shared by all drives and processes of this node's machine."
    >
      <div className="grid gap-4 xl:grid-cols-2">
        <LinesPanel
          title="What do its processes wait for?"
          metric="share of each window in which a process waited (PSI); share of processor time idle for a drive (iowait)"
          exportName={`pressure-${node.name}`}
          sources={[
            {
              metric: "stashlight_machine_pressure_ratio",
              nodeIds,
              across: "max",
              groupBy: ["resource"],
              lines: ({ labels }) => [{ column: "max", ...(waits[labels.resource as "io"] ?? waits.io) }],
            },
            level("stashlight_machine_iowait_ratio", "iowait", "unknown"),
          ]}
        />
        <LinesPanel
          title="How loaded is it?"
          metric="load: processes that run or wait, mean of the last minute"
          exportName={`load-${node.name}`}
          sources={[
            level("stashlight_machine_load", "load", "coordinator"),
            { metric: "stashlight_machine_processors", nodeIds, across: "max", lines: [] },
          ]}
          thresholds={limitOf("stashlight_machine_processors", "processors")}
        />
        <LinesPanel
          title="How busy is its busiest drive?"
          metric="share of each window with a request in progress"
          exportName={`disk-busy-${node.name}`}
          sources={[level("stashlight_machine_disk_busy_ratio", "busy", "pod")]}
        />
        <LinesPanel
          title="How full is its memory?"
          metric="memory in use that cannot be freed without swapping"
          exportName={`memory-${node.name}`}
          sources={[
            level("stashlight_machine_memory_used_bytes", "used", "coordinator"),
            { metric: "stashlight_machine_memory_capacity_bytes", nodeIds, across: "max", lines: [] },
          ]}
          thresholds={limitOf("stashlight_machine_memory_capacity_bytes", "installed memory")}
        />
      </div>
    </Section>
  );
}

type LinesPanelThresholds = (answers: Parameters<typeof answerTo>[0]) => ChartThreshold[];
