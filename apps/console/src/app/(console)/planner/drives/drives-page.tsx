"use client";
import { type ComparedFigure, findDrive, hddAgainstSsd } from "@stashlight/devices";
import { textColumn } from "@stashlight/ui/columns";
import { Badge, EmptyState } from "@stashlight/ui/feedback";
import { Field, TextInput } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { UrlTable } from "../../../../client/url-table.tsx";
import { ModelTabs } from "../planner-tabs.tsx";
import { useLastGood } from "../volumes/use-last-good.ts";
import { type DriveFigureRow, driveRows, formatCompared, formatRatio } from "./drive-figures.ts";

const basisWords: Record<DriveFigureRow["basis"], string> = {
  datasheet: "datasheet",
  published: "published",
  assumption: "assumption",
};

const figureColumns: Column<DriveFigureRow>[] = [
  { id: "drive", header: "Drive", value: ({ drive }) => drive, hideable: false },
  { id: "figure", header: "Figure", value: ({ label }) => label },
  { id: "value", header: "Value", numeric: true, value: ({ value }) => value, cell: ({ shown }) => shown },
  textColumn("basis", "Basis", ({ basis }) => basisWords[basis], {
    cell: ({ basis }) => <Badge>{basisWords[basis]}</Badge>,
  }),
  { id: "asof", header: "As of", value: ({ asOf }) => asOf },
  { id: "source", header: "Source", value: ({ source }) => source },
];

const comparedColumns: Column<ComparedFigure>[] = [
  { id: "figure", header: "Figure", value: ({ label }) => label, hideable: false },
  {
    id: "hdd",
    header: "Exos X16",
    numeric: true,
    value: ({ hdd }) => hdd,
    cell: (row) => formatCompared(row, row.hdd),
  },
  {
    id: "ssd",
    header: "7450 MAX",
    numeric: true,
    value: ({ ssd }) => ssd,
    cell: (row) => formatCompared(row, row.ssd),
  },
  {
    id: "ratio",
    header: "SSD better",
    numeric: true,
    value: ({ ratio }) => Number(ratio.toPrecision(6)),
    cell: ({ ratio }) => formatRatio(ratio),
  },
];

const figureTable = { columns: figureColumns, defaultSort: null, prefix: "f-" };
const comparedTable = { columns: comparedColumns, defaultSort: null, prefix: "c-" };
const KB_MAX = 1e9;

/** Drives that plans use, figure by figure, and the first article's table computed from them. */
export function DrivesPage() {
  return (
    <Page>
      <PageHeader
        title="Drives"
        description="The drives that plans use. A datasheet is a promise; an assumption awaits a measurement."
        tabs={<ModelTabs />}
      />
      <AgainstEachOther />
      <Section title="Where every figure comes from">
        <UrlTable
          label="Figures of drives"
          table={figureTable}
          rows={driveRows}
          rowKey={({ id }) => id}
          empty={<EmptyState title="The catalogue is empty" />}
          exportName="drives"
        />
      </Section>
    </Page>
  );
}

function AgainstEachOther() {
  const [typed, setTyped] = useQueryState(
    "kb",
    parseAsString.withDefault("64").withOptions({ history: "replace" }),
  );
  const kilobytes = typed.trim() === "" ? Number.NaN : Number(typed);
  const isGood = kilobytes > 0 && kilobytes <= KB_MAX;
  const computed = useMemo(
    () =>
      isGood
        ? hddAgainstSsd(
            kilobytes * 1_000,
            findDrive("seagate-exos-x16-16tb"),
            findDrive("micron-7450-max-3.2tb"),
          )
        : null,
    [kilobytes, isGood],
  );
  const { value } = useLastGood(computed);
  return (
    <Section title="Disk versus SSD">
      <div className="max-w-60">
        <Field
          label="One write, kB"
          error={
            isGood
              ? undefined
              : "Enter a size above 0 and up to 1,000,000,000 kB. The last answer stays until then."
          }
        >
          <TextInput
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            onChange={(event) => void setTyped(event.target.value)}
          />
        </Field>
      </div>
      {value !== null && (
        <>
          <p aria-live="polite" className="max-w-[80ch] text-md text-pretty text-ink">
            A write of {formatCompared({ unit: "bytes" }, value.bytes)} takes the disk{" "}
            {formatCompared(value.write, value.write.hdd)} and the SSD{" "}
            {formatCompared(value.write, value.write.ssd)}: {formatRatio(value.write.ratio)}, in theory.{" "}
            {formatPrinted(value.printed)}It uses the datasheet's latency as that of a durable write, and
            assumes that no request waits.
          </p>
          <UrlTable
            label="Disk versus SSD"
            table={comparedTable}
            rows={value.figures}
            rowKey={({ id }) => id}
            empty={<EmptyState title="There is nothing to compare" />}
            filterBox={false}
            skeletonRowCount={9}
            exportName="hdd-against-ssd"
          />
        </>
      )}
    </Section>
  );
}

function formatPrinted(printed: ReturnType<typeof hddAgainstSsd>["printed"]): string {
  if (printed === null) return "";
  const { hddSeconds, ssdSeconds, ratio } = printed;
  return `The first article prints ${hddSeconds * 1_000} ms, ${ssdSeconds * 1e6} µs and ${ratio}×, because it rounds the disk up. `;
}
