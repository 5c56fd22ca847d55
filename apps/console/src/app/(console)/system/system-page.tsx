"use client";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";
import { WhenNear } from "../../../client/when-near.tsx";
import { MetricPage } from "../charts/metric-page.tsx";
import { BarsPanel, LinesPanel } from "../charts/panels.tsx";

const Delivery = lazyPart(async () => (await import("./delivery.tsx")).Delivery);
Delivery.preload();
const CostTable = lazyPart(async () => (await import("./cost-table.tsx")).CostTable);
const costPlace = <Skeleton height={360} />;

/** Shows whether the figures on other pages can be trusted, and what collecting them costs. */
export function SystemPage({ description }: { description: ReactNode }) {
  return (
    <MetricPage title="Telemetry" description={description}>
      <Delivery fallback={<Skeleton height={560} />} />
      <Section
        title="What does monitoring cost?"
        description="Figures cover the whole agent process; nodes that share a process each report all of it."
      >
        <AgentCostPanels />
        <WhenNear fallback={costPlace}>
          <CostTable fallback={costPlace} />
        </WhenNear>
      </Section>
    </MetricPage>
  );
}

function AgentCostPanels() {
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <LinesPanel
        title="How much waits in spools?"
        metric="bytes of batches on the nodes' disks"
        exportName="spool-bytes"
        sources={[
          {
            metric: "stashlight_agent_spool_bytes",
            lines: [{ column: "last", label: "all nodes", tone: "coordinator" }],
          },
        ]}
      />
      <LinesPanel
        title="Do agents respond at once?"
        metric="p99 of the event loop's delay, of the slowest agent"
        exportName="event-loop-delay"
        sources={[
          {
            metric: "stashlight_agent_event_loop_delay_seconds",
            across: "max",
            lines: [{ column: "max", label: "slowest", tone: "coordinator" }],
          },
        ]}
      />
      <BarsPanel
        title="What was dropped or delivered late?"
        metric="batches of each window: replayed from the spool, dropped; traces dropped"
        exportName="batches-dropped"
        zeroText="No batch was dropped or delayed"
        sources={[
          {
            metric: "stashlight_agent_batches_replayed_total",
            layer: () => ({ label: "replayed", tone: "coordinator" }),
          },
          {
            metric: "stashlight_agent_batches_dropped_total",
            layer: () => ({ label: "dropped", tone: "bad" }),
          },
          {
            metric: "stashlight_agent_traces_dropped_total",
            layer: () => ({ label: "traces dropped", tone: "unknown" }),
          },
        ]}
      />
      <LinesPanel
        title="How much memory do agents take?"
        metric="resident memory: the largest agent, and on average"
        exportName="agent-memory"
        sources={[
          {
            metric: "stashlight_agent_resident_bytes",
            across: "max",
            lines: [{ column: "max", label: "largest", tone: "coordinator" }],
          },
          {
            metric: "stashlight_agent_resident_bytes",
            across: "avg",
            lines: [{ column: "avg", label: "average", tone: "coordinator", weight: "light" }],
          },
        ]}
      />
    </div>
  );
}
