"use client";
import { type AuditRow, auditActions } from "@stashlight/contracts/audit";
import { textColumn, timeColumn } from "@stashlight/ui/columns";
import type { Column } from "@stashlight/ui/table-state";

/** No column sorts, because the server orders and filters. */
export const auditColumns: Column<AuditRow>[] = [
  textColumn("sequence", "Event", (event) => event.sequence, {
    hideable: false,
    sortable: false,
    width: "84px",
    cell: (event) => (
      <>
        <span className="sr-only">Details of event </span>
        <span className="font-mono text-sm">#{event.sequence}</span>
      </>
    ),
  }),
  timeColumn("time", "Time", (event) => event.occurredAt, {}, { sortable: false, width: "168px" }),
  textColumn("who", "Actor", (event) => event.actorName, {
    sortable: false,
    cell: (event) => (
      <>
        <span className="text-ink">{event.actorName}</span>
        {event.actorRole !== null && <span className="text-faint"> · {event.actorRole}</span>}
      </>
    ),
  }),
  textColumn("what", "Action", (event) => auditActions[event.action] ?? event.action, {
    sortable: false,
    cell: (event) => <span className="text-ink">{auditActions[event.action] ?? event.action}</span>,
  }),
  { id: "target", header: "Target", sortable: false, value: (event) => event.targetName },
  { id: "address", header: "Address", sortable: false, value: (event) => event.ipAddress },
];
