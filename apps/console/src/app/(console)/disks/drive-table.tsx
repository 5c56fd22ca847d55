"use client";
import type { DriveRow } from "@stashlight/contracts/disk";
import { formatBytes } from "@stashlight/ui";
import { textColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { Badge, EmptyState } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import type { Column } from "@stashlight/ui/table-state";
import { Gauge } from "lucide-react";
import { UrlTable } from "../../../client/url-table.tsx";
import {
  formatIops,
  formatMegabytes,
  formatRate,
  headlineFigure,
  megabytesPerSecond,
} from "../drive-figures/format-figures.ts";

const label = (
  id: string,
  header: string,
  value: (drive: DriveRow) => string | null,
  isHidden = false,
): Column<DriveRow> => ({ id, header, value, ...(isHidden ? { hiddenAtFirst: true } : {}) });

/** Shows random I/O in IOPS and sequential I/O in MB/s, with the other unit on hover. */
function figure(
  id: string,
  header: string,
  access: "random" | "sequential",
  readShare: 0 | 1,
): Column<DriveRow> {
  const isRandom = access === "random";
  return {
    id,
    header,
    title: `${isRandom ? "Random" : "Sequential"} ${header}, of the newest sweep at its deepest queue`,
    numeric: true,
    filterable: false,
    value: (drive) => {
      const found = headlineFigure(drive, access, readShare);
      if (found === undefined) return null;
      return isRandom ? found.iops : megabytesPerSecond(found.iops, found.cell.blockBytes);
    },
    cell: (drive) => {
      const found = headlineFigure(drive, access, readShare);
      if (found === undefined) return <span className="text-faint">–</span>;
      const { iops, cell, title } = found;
      const [shown, other] = isRandom
        ? [formatRate(iops), formatMegabytes(iops, cell.blockBytes)]
        : [formatRate(megabytesPerSecond(iops, cell.blockBytes)), formatIops(iops)];
      return <span title={`${title}: ${other}`}>{shown}</span>;
    },
  };
}

const columns: Column<DriveRow>[] = [
  textColumn("name", "Drive", ({ name }) => name, {
    hideable: false,
    cell: ({ name, label: kind, isOffered }) => (
      <span className="inline-flex items-center gap-2">
        <span>{name}</span>
        {kind !== "measured" && <Badge status="warning">{kind}</Badge>}
        {!isOffered && <Badge status="unknown">not offered</Badge>}
      </span>
    ),
  }),
  label("provider", "Provider", ({ labels }) => labels.provider),
  label("region", "Region", ({ labels }) => labels.region, true),
  label("instance", "Instance", ({ labels }) => labels.instanceType, true),
  label("volume", "Volume", ({ labels }) => labels.volumeType),
  textColumn("limit", "What limits it", ({ check }) => check?.finding, {
    sortable: false,
    cell: ({ check }) =>
      check === null ? (
        <span className="text-faint">not checked</span>
      ) : (
        <span title={check.sentence ?? undefined}>{check.finding ?? "check too short"}</span>
      ),
  }),
  {
    id: "size",
    header: "Size",
    numeric: true,
    hiddenAtFirst: true,
    value: ({ labels }) => labels.sizeBytes,
    cell: ({ labels }) => (labels.sizeBytes === null ? "–" : formatBytes(labels.sizeBytes)),
  },
  figure("rr", "Read IOPS", "random", 1),
  figure("rw", "Write IOPS", "random", 0),
  figure("sr", "Read MB/s", "sequential", 1),
  figure("sw", "Write MB/s", "sequential", 0),
  textColumn(
    "age",
    "Measured",
    ({ sweep, check }) => Math.max(finishedMs(sweep), finishedMs(check)) || null,
    {
      filterable: false,
      cell: ({ sweep, check }) => (
        <Time value={Math.max(finishedMs(sweep), finishedMs(check)) || null} show="age" missing="never" />
      ),
    },
  ),
];

const finishedMs = (found: { readonly finishedAt: Date } | null): number => found?.finishedAt.getTime() ?? 0;

const tableOptions = { columns, defaultSort: { id: "provider", direction: "asc" } } as const;

interface DriveTableProps {
  drives: readonly DriveRow[];
  /** Null without permission to create plans. */
  onMeasure: ((drive: DriveRow) => void) | null;
}

export function DriveTable({ drives, onMeasure }: DriveTableProps) {
  return (
    <UrlTable
      label="Drives"
      rows={drives}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/disks/${id}`}
      table={tableOptions}
      empty={<EmptyState title="No drive matches the filter" />}
      exportName="drives"
      {...(onMeasure === null
        ? {}
        : {
            rowActions: (drive: DriveRow) => (
              <Button
                variant="quiet"
                size="sm"
                aria-label={`Measure ${drive.name}`}
                icon={<Gauge aria-hidden="true" />}
                disabled={!drive.isOffered}
                onClick={() => onMeasure(drive)}
              />
            ),
          })}
    />
  );
}
