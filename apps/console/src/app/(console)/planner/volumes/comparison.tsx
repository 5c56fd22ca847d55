"use client";
import { type ComparedVolume, ebsTypeNames, type VolumeComparison } from "@stashlight/devices/ebs";
import { textColumn } from "@stashlight/ui/columns";
import { EmptyState, StatusDot } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { Plus } from "lucide-react";
import { UrlTable } from "../../../../client/url-table.tsx";
import { useLastGood } from "./use-last-good.ts";
import { formatCheapest, formatShare, formatUsd, formatVolume } from "./volume-answer.ts";
import { formatMonth, readVolumes, VOLUMES_MAX, type VolumeForm, writeVolumes } from "./volume-form.ts";

const creditsLeft = ({ served, livesOnCredits }: ComparedVolume): number | null =>
  served === null || !livesOnCredits ? null : served.creditsEnd / served.creditsStart;

const smallestOrReason = ({ volume, whyNot }: ComparedVolume): string | null =>
  whyNot ?? (volume === null ? null : formatVolume(volume));

const columns: Column<ComparedVolume>[] = [
  { id: "type", header: "Type", value: ({ type }) => ebsTypeNames[type], hideable: false },
  {
    id: "serves",
    header: "Sufficient",
    value: ({ serves }) => (serves ? "yes" : "no"),
    cell: ({ serves }) => <StatusDot status={serves ? "good" : "bad"} label={serves ? "yes" : "no"} />,
  },
  {
    id: "cost",
    header: "Per month",
    title: "Monthly cost, US dollars",
    numeric: true,
    value: ({ monthlyUsd }) => (monthlyUsd === null ? null : Number(monthlyUsd.toFixed(2))),
    cell: ({ monthlyUsd }) => (monthlyUsd === null ? "–" : formatUsd(monthlyUsd)),
  },
  textColumn("volume", "Smallest that suffices", smallestOrReason, {
    title: "Smallest that suffices, or why none does",
    cell: (row) => <span className="block max-w-48 truncate">{smallestOrReason(row) ?? "–"}</span>,
  }),
  {
    id: "credits",
    header: "Credits left",
    title: "Credits left at the end, if it depends on them",
    numeric: true,
    value: (row) => creditsLeft(row),
    cell: (row) => {
      const left = creditsLeft(row);
      return left === null ? "–" : formatShare(left);
    },
  },
  {
    id: "limits",
    header: "Limits since",
    value: ({ limits }) => limits?.validFrom,
    cell: ({ limits }) => (limits === null ? "–" : formatMonth(limits.validFrom)),
  },
  {
    id: "prices",
    header: "Price since",
    hiddenAtFirst: true,
    value: ({ price }) => price?.validFrom,
    cell: ({ price }) => (price === null ? "–" : formatMonth(price.validFrom)),
  },
];

const tableOptions = { columns, defaultSort: { id: "cost", direction: "asc" }, prefix: "t-" } as const;

interface ComparisonProps {
  readonly comparison: VolumeComparison | null;
  readonly form: VolumeForm;
  readonly change: (part: Partial<VolumeForm>) => void;
}

/** The cheapest volume of each type that carries the demand. */
export function Comparison({ comparison, form, change }: ComparisonProps) {
  const { value, isOld } = useLastGood(comparison);
  const chosen = readVolumes(form.volumes);
  const add = ({ volume }: ComparedVolume) => {
    if (volume === null) return;
    const typed = {
      type: volume.type,
      sizeGiB: String(volume.sizeGiB),
      iops: String(volume.iops ?? ""),
      throughputMiBps: String(volume.throughputMiBps ?? ""),
    };
    change({ volumes: writeVolumes([...chosen, typed]) });
  };
  return (
    <Section title="Which volume carries it at the lowest cost?">
      <p aria-live="polite" className="text-md text-pretty text-ink">
        {value === null ? "No answer yet: correct the marked fields." : formatCheapest(value)}
      </p>
      {isOld && (
        <p className="rounded-sm bg-warning-soft px-2 py-1 text-ink">
          The last answer stays until the marked fields are corrected.
        </p>
      )}
      {value !== null && (
        <UrlTable
          label="Volume types"
          rows={value.rows}
          rowKey={({ type }) => type}
          table={tableOptions}
          empty={<EmptyState title="No type is known" />}
          filterBox={false}
          skeletonRowCount={7}
          exportName="volume-types"
          rowActions={(row) => (
            <Button
              variant="quiet"
              size="sm"
              aria-label={`Add ${ebsTypeNames[row.type]} to the comparison`}
              icon={<Plus aria-hidden="true" />}
              disabled={row.volume === null || chosen.length >= VOLUMES_MAX}
              onClick={() => add(row)}
            />
          )}
        />
      )}
      <p className="text-sm text-faint">
        Reads and writes count alike. The instance has limits of its own, which are not in these models.
      </p>
    </Section>
  );
}
