"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { StatusDot } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { HardDrive } from "lucide-react";
import { useMemo } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { NextStep, useLongerRange } from "../../../client/next-step.tsx";
import { UrlTable } from "../../../client/url-table.tsx";
import { Caveats } from "../charts/caveats.tsx";
import { deviceHref } from "../device-href.ts";
import { QueryError } from "../query-state.tsx";
import { type HostDriveRow, hostDriveMetrics, hostDriveRows } from "./host-drives.ts";

const GB = 1e9;
const percent = (share: number | null): number | null =>
  share === null ? null : Number((share * 100).toFixed(1));
const shown = (value: number | null, unit: string): string => (value === null ? "–" : `${value} ${unit}`);

const columns: Column<HostDriveRow>[] = [
  { id: "device", header: "Drive", hideable: false, value: ({ device }) => device },
  { id: "medium", header: "Medium", value: ({ tier }) => tier.toUpperCase() },
  textColumn(
    "health",
    "Health",
    ({ isHealthy }) => (isHealthy === null ? "not reported" : isHealthy ? "healthy" : "failure predicted"),
    {
      cell: ({ isHealthy }) =>
        isHealthy === null ? (
          <span title="SMART reports nothing: smartctl is missing, the agent is not root, or the drive is virtual.">
            –
          </span>
        ) : (
          <StatusDot
            status={isHealthy ? "good" : "bad"}
            label={isHealthy ? "healthy" : "failure predicted"}
          />
        ),
    },
  ),
  numberColumn(
    "size",
    "Size",
    ({ capacityBytes }) => (capacityBytes === null ? null : Math.round(capacityBytes / GB)),
    {
      title: "Size, GB",
      cell: ({ capacityBytes }) =>
        shown(capacityBytes === null ? null : Math.round(capacityBytes / GB), "GB"),
    },
  ),
  numberColumn("busy", "Busy", ({ busyRatio }) => percent(busyRatio), {
    title: "Share of the newest window with a request in progress, %",
    cell: ({ busyRatio }) => shown(percent(busyRatio), "%"),
  }),
  numberColumn("wear", "Wear", ({ wearRatio }) => percent(wearRatio), {
    title: "Used share of the rated endurance, %",
    cell: ({ wearRatio }) => shown(percent(wearRatio), "%"),
  }),
  numberColumn("bad", "Bad sectors", ({ badSectors }) => badSectors, {
    title: "NVMe: media errors. ATA: reallocated, pending or unreadable sectors. SAS: grown defects",
    cell: ({ badSectors }) => badSectors ?? "–",
  }),
  numberColumn("uncorrected", "Uncorrected", ({ uncorrectedErrors }) => uncorrectedErrors, {
    title: "Errors of reads, writes and verifications that a SAS drive could not correct",
    cell: ({ uncorrectedErrors }) => uncorrectedErrors ?? "–",
  }),
  numberColumn("temperature", "Temperature", ({ temperatureCelsius }) => temperatureCelsius, {
    title: "Temperature, °C",
    cell: ({ temperatureCelsius }) => shown(temperatureCelsius, "°C"),
  }),
];
const tableOptions = {
  columns,
  defaultSort: { id: "device", direction: "asc" },
  prefix: "drives-",
} as const;
const none: HostDriveRow[] = [];

/** Lists a watched machine's drives with their newest figures and a link to each. */
export function HostDrives({ node }: { node: NodeRow }) {
  const longer = useLongerRange();
  const { search } = usePageTime();
  const { answers, error, retry } = useMetrics(
    hostDriveMetrics.map((metric) => ({
      metric,
      nodeIds: [node.id],
      groupBy: ["tier", "device"],
      across: "max",
      pointCountMax: 20,
    })),
  );
  const rows = useMemo(() => (answers === undefined ? none : hostDriveRows(answers)), [answers]);
  return (
    <Section title="Drives" description="Newest figures in the page's time range.">
      <UrlTable
        label="Drives"
        rows={rows}
        rowKey={({ tier, device }) => `${tier} ${device}`}
        rowHref={({ device }) => deviceHref(search, node.name, device)}
        table={tableOptions}
        status={answers !== undefined ? "ready" : error === null ? "loading" : "error"}
        error={<QueryError what="The drives" error={error} onRetry={retry} />}
        empty={
          <NextStep icon={<HardDrive />} title="No drive was seen in this time range" step={longer}>
            The agent lists drives within half a minute of its start. Choose a longer range to see earlier
            ones.
          </NextStep>
        }
        exportName={`drives-${node.name}`}
        skeletonRowCount={4}
      />
      <Caveats origins={answers} />
    </Section>
  );
}
