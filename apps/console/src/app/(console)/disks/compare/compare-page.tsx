"use client";
import type { DriveComparison, DriveGrouping } from "@stashlight/contracts/disk";
import { Callout, EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Field } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { comparisonPictures, latencyPictures, overTimePictures } from "../../drive-figures/cell-figures.ts";
import { QueryError } from "../../query-state.tsx";
import { DiskTabs } from "../disk-tabs.tsx";
import { ComparedTable } from "./compared-table.tsx";

const groupings: readonly { value: DriveGrouping; label: string }[] = [
  { value: "provider", label: "Provider" },
  { value: "volumeType", label: "Volume type" },
  { value: "instanceType", label: "Instance type" },
  { value: "region", label: "Region" },
  { value: "drive", label: "Drive" },
];
const methods = [
  { value: "disk-sweep", label: "Disk sweep" },
  { value: "stash-load", label: "Stash load" },
  { value: "volume-check", label: "Volume check" },
] as const;
const units = [
  { value: "iops", label: "IOPS" },
  { value: "bytes", label: "MB/s" },
] as const;

const parsers = {
  by: parseAsStringLiteral(groupings.map(({ value }) => value)).withDefault("provider"),
  method: parseAsStringLiteral(methods.map(({ value }) => value)).withDefault("disk-sweep"),
  unit: parseAsStringLiteral(units.map(({ value }) => value)).withDefault("iops"),
};

/** Compares providers, types or drives; the page's address keeps the grouping. */
export function ComparePage() {
  const trpc = useTRPC();
  const [{ by, method, unit }, set] = useQueryStates(parsers, { history: "replace" });
  const comparison = useQuery(
    trpc.drive.compare.queryOptions({ groupBy: by, method }, { placeholderData: keepPreviousData }),
  );
  return (
    <Page>
      <PageHeader
        title="Disks"
        description="Groups of drives side by side. Verdicts treat each machine as one repetition."
        tabs={<DiskTabs />}
      />
      <div className="flex flex-wrap items-start gap-3">
        <Field label="Groups" className="w-48 max-md:w-full">
          <Select
            options={groupings}
            value={by}
            onValueChange={(value) => void set({ by: value as DriveGrouping })}
          />
        </Field>
        <Field label="Method" className="w-48 max-md:w-full">
          <Select
            options={methods}
            value={method}
            onValueChange={(value) => void set({ method: value as typeof method })}
          />
        </Field>
        <Field label="Rates in" className="w-32 max-md:w-full">
          <Select
            options={units}
            value={unit}
            onValueChange={(value) => void set({ unit: value as typeof unit })}
          />
        </Field>
      </div>
      {comparison.isError && (
        <QueryError
          what="The comparison"
          error={comparison.error}
          onRetry={() => void comparison.refetch()}
        />
      )}
      {comparison.isPending && <Skeleton height={480} />}
      {comparison.data !== undefined && <Compared comparison={comparison.data} unit={unit} />}
    </Page>
  );
}

type RateUnit = "iops" | "bytes";

function Compared({ comparison, unit }: { comparison: DriveComparison; unit: RateUnit }) {
  const { groups, cells, confidence } = comparison;
  const hasSizes = new Set(cells.map(({ cell }) => cell.blockBytes)).size > 1;
  const caveats = groups.filter(({ isModelled }) => isModelled).map(({ name }) => `${name}: modelled`);
  if (cells.length === 0) {
    return (
      <EmptyState title="Nothing was measured with this method">
        Create a schedule under “Drives” that sweeps the drives to compare, and run it.
      </EmptyState>
    );
  }
  return (
    <>
      <Verdicts comparison={comparison} />
      <LatencyOverTime comparison={comparison} caveats={caveats} />
      {hasSizes && <RateByBlockSize comparison={comparison} caveats={caveats} unit={unit} />}
      <LatencyUnderLoad comparison={comparison} caveats={caveats} />
      <Section title="Every cell">
        <ComparedTable comparison={comparison} />
        <p className="max-w-[96ch] text-sm text-faint">
          IOPS are the median over machines of each machine's median run, from the newest ten runs of each
          drive. Intervals are bootstrapped by machine and then by run, at 95 %, or less with too few
          machines. All cells are tested together, each at {Number((100 * confidence).toFixed(2))} %. Spread
          is the standard deviation between machines, between runs of a machine and between seconds of a run,
          as shares of the mean.
        </p>
      </Section>
    </>
  );
}

interface ComparisonProps {
  readonly comparison: DriveComparison;
  readonly caveats: readonly string[];
}

function LatencyOverTime({ comparison, caveats }: ComparisonProps) {
  const overTime = useMemo(() => overTimePictures(comparison), [comparison]);
  if (overTime.length === 0) return null;
  return (
    <Section title="How does latency change over time?">
      <div className="grid items-start gap-4 xl:grid-cols-2">
        {overTime.map(({ key, title, figure }) => (
          <FigurePanel
            key={key}
            title={title}
            metric="mean latency of each drive’s newest measurement; stronger is slower"
            figure={figure}
            caveats={caveats}
            exportName={key.replaceAll(/[^a-zA-Z0-9]+/g, "-")}
            heightPx={72 + 28 * figure.yTicks.length}
          />
        ))}
      </div>
    </Section>
  );
}

function RateByBlockSize({ comparison, caveats, unit }: ComparisonProps & { readonly unit: RateUnit }) {
  const pictures = useMemo(() => comparisonPictures(comparison, unit), [comparison, unit]);
  return (
    <Section title="Which is faster at which block size?">
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
        {pictures.map(({ key, title, figure }) => (
          <FigurePanel
            key={key}
            title={title}
            metric={`${unit === "iops" ? "IOPS" : "MB/s"}; medians over machines with their interval`}
            figure={figure}
            caveats={caveats}
            exportName={`drives-${key.replaceAll(" ", "-")}`}
            heightPx={240}
          />
        ))}
      </div>
    </Section>
  );
}

function LatencyUnderLoad({ comparison, caveats }: ComparisonProps) {
  const latencies = useMemo(() => latencyPictures(comparison), [comparison]);
  if (latencies.length === 0) return null;
  return (
    <Section title="How does latency grow with load?">
      <div className="grid items-start gap-4 md:grid-cols-2">
        {latencies.map(({ key, title, figure }) => (
          <FigurePanel
            key={key}
            title={title}
            metric="median latency against IOPS; each point is a queue depth"
            figure={figure}
            caveats={caveats}
            exportName={key.replaceAll(" ", "-")}
            heightPx={220}
          />
        ))}
      </div>
    </Section>
  );
}

const DECIDED_SHOWN = 6;
/** Undecided cells that are shown for their reason, which is similar for all of them. */
const UNDECIDED_SHOWN = 2;

/** Shows decided cells first or, if there are none, the reason. */
function Verdicts({ comparison: { cells, groups } }: { comparison: DriveComparison }) {
  const all = cells.flatMap(({ title, verdicts }) => verdicts.map((text) => ({ title, text })));
  const decided = all.filter(({ text }) => text.includes("is faster than"));
  const told = decided.length > 0 ? decided : all;
  const shown = told.slice(0, decided.length > 0 ? DECIDED_SHOWN : UNDECIDED_SHOWN);
  if (groups.length < 2) {
    return (
      <Callout status="info" title="One group was measured">
        Measure drives of another group, or group by another label, to compare.
      </Callout>
    );
  }
  return (
    <Callout
      status={decided.length > 0 ? "good" : "info"}
      title={
        decided.length > 0
          ? `Decided in ${decided.length} of ${all.length} comparisons`
          : "Nothing is decided yet"
      }
    >
      <ul className="flex max-w-[96ch] flex-col gap-0.5">
        {shown.map(({ title, text }) => (
          <li key={`${title} ${text}`}>
            {title.charAt(0).toUpperCase()}
            {title.slice(1)}: {text}
          </li>
        ))}
      </ul>
      {told.length > shown.length && <p className="mt-1 text-muted">The table below has the others.</p>}
    </Callout>
  );
}
