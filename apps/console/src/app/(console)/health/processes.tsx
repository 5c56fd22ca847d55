"use client";
import type { SystemHealth } from "@stashlight/contracts/health";
import { timeColumn } from "@stashlight/ui/columns";
import { Bytes } from "@stashlight/ui/data";
import { EmptyState, ErrorState } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { Cpu } from "lucide-react";
import { UrlTable } from "../../../client/url-table.tsx";

type Process = NonNullable<SystemHealth["processes"]>[number];

const columns: Column<Process>[] = [
  { id: "name", header: "Process", hideable: false, value: (process) => process.name },
  { id: "version", header: "Version", value: (process) => process.version },
  timeColumn("started", "Started", (process) => process.startedAt),
  timeColumn("seen", "Last seen", (process) => process.seenAt, { show: "relative" }),
  {
    id: "memory",
    header: "Memory",
    title: "Memory, resident bytes",
    numeric: true,
    value: (process) => process.rssBytes,
    cell: (process) => <Bytes value={process.rssBytes} />,
  },
];

const tableOptions = { columns };
const none: Process[] = [];

/** Undefined while loading, null on failure. */
export function Processes({ processes }: { processes: Process[] | null | undefined }) {
  return (
    <UrlTable
      label="Live processes"
      rows={processes ?? none}
      rowKey={(process) => `${process.name} ${process.startedAt.getTime()}`}
      table={tableOptions}
      status={processes === undefined ? "loading" : processes === null ? "error" : "ready"}
      error={
        <ErrorState
          title="The processes could not be read"
          advice="Stashlight tries again every ten seconds. If this lasts, check the database and its log."
        />
      }
      empty={
        <EmptyState icon={<Cpu />} title="No processes are reporting">
          Consoles and workers report every few seconds while they run. Start one to see it here.
        </EmptyState>
      }
      filterBox={false}
      skeletonRowCount={2}
    />
  );
}
