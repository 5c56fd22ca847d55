"use client";
import { driveStateWords, type FleetDriveRow } from "@stashlight/contracts/failure-rate";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { formatCount } from "@stashlight/ui";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { Badge, EmptyState } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { UrlTable } from "../../../../client/url-table.tsx";
import { DriveMarks } from "../../fleet-drives/drive-marks.tsx";

const stateOf = ({ state, isGone }: FleetDriveRow): string =>
  state === "in-use" && isGone ? "Gone" : driveStateWords[state];

const columns: Column<FleetDriveRow>[] = [
  textColumn("serial", "Serial number", ({ serial }) => serial || "not reported", {
    hideable: false,
  }),
  { id: "drive-model", header: "Model", value: ({ model }) => model || "not reported" },
  { id: "place", header: "Place", value: ({ node, device }) => `${node} ${device}` },
  { id: "vault", header: "Vault", hiddenAtFirst: true, value: ({ vault }) => vault },
  textColumn("state", "State", stateOf, {
    cell: (drive) => (
      <span title={drive.markedBy === null ? undefined : `marked by ${drive.markedBy}`}>
        {drive.state === "failed" || (drive.state === "in-use" && drive.isGone) ? (
          <Badge status={drive.state === "failed" ? "bad" : "warning"}>{stateOf(drive)}</Badge>
        ) : (
          stateOf(drive)
        )}
      </span>
    ),
  }),
  numberColumn("days", "Days seen", ({ daysSeen }) => daysSeen, {
    cell: ({ daysSeen }) => formatCount(daysSeen),
  }),
  textColumn("last", "Last seen", ({ lastSeenOn }) => lastSeenOn, {
    filterable: false,
    cell: ({ markedAt, lastSeenOn }) => (
      <span>
        {lastSeenOn}
        {markedAt !== null && (
          <span className="ml-2 text-sm text-faint">
            marked <Time value={markedAt} show="age" />
          </span>
        )}
      </span>
    ),
  }),
];

const tableOptions = {
  columns,
  defaultSort: { id: "last", direction: "asc" },
  prefix: "drive-",
} as const;

interface DriveRecordTableProps {
  readonly drives: readonly FleetDriveRow[];
  readonly role: Role;
  readonly onMarked: () => Promise<unknown>;
}

export function DriveRecordTable({ drives, role, onMarked }: DriveRecordTableProps) {
  return (
    <UrlTable
      label="Drives of the fleet"
      rows={drives}
      rowKey={({ id }) => id}
      table={tableOptions}
      empty={<EmptyState title="No drive matches the filter" />}
      exportName="drives"
      {...(roleIncludes(role, "operator")
        ? { rowActions: (drive: FleetDriveRow) => <DriveMarks drive={drive} onMarked={onMarked} /> }
        : {})}
    />
  );
}
