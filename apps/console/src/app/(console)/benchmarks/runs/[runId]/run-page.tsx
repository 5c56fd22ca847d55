"use client";
import {
  type BenchmarkExportFormat,
  type BenchmarkRunDetails,
  benchmarkExportFormats,
  driveExportFormats,
  formatResult,
} from "@stashlight/contracts/benchmark";
import { formatBytes, useNow } from "@stashlight/ui";
import { CopyableId, DefinitionList, Time } from "@stashlight/ui/data";
import { Badge, Callout, EmptyState, ProgressBar, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { Menu } from "@stashlight/ui/menu";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesCombined, ChevronLeft, Download, Scale } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { usePageTitle } from "../../../../../client/page-title.ts";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { DiskRun } from "../../../drive-figures/disk-run.tsx";
import { QueryError } from "../../../query-state.tsx";
import { benchmarkStatus, formatTimeLeft } from "../../format-plan.ts";
import { parameterItems } from "../../parameter.ts";
import { formatSubject, subjectKey } from "../../results/subject.ts";
import { GroupFigures } from "./group-figures.tsx";
import { GroupTable } from "./group-table.tsx";
import { Imported } from "./imported.tsx";
import { RoundTripTable } from "./round-trip-table.tsx";
import { formatRoundTrips } from "./round-trips.ts";
import { Stages } from "./stages.tsx";
import { StartTable } from "./start-table.tsx";

const busyRefetchMs = 2_000;

export function RunPage({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const run = useQuery(
    trpc.benchmarkRun.get.queryOptions(
      { runId },
      { refetchInterval: ({ state }) => (state.data?.state === "running" ? busyRefetchMs : false) },
    ),
  );
  if (run.data !== undefined) return <LoadedRun run={run.data} />;
  return (
    <Page>
      <PageHeader title="Benchmark run" />
      {run.isError ? (
        <QueryError what="The run" error={run.error} onRetry={() => void run.refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </Page>
  );
}

const formatNames: Record<BenchmarkExportFormat, string> = {
  json: "JSON, every sample",
  csv: "CSV, every sample",
  warp: "warp (.csv.zst)",
  hgrm: "Percentiles (.hgrm)",
  openmetrics: "OpenMetrics",
  fio: "fio (JSON and logs)",
  iozone: "iozone (table)",
};

function Tables({ groups }: Pick<BenchmarkRunDetails, "groups">) {
  return (
    <>
      <GroupTable groups={groups} />
      <StartTable groups={groups} />
      <RoundTripTable groups={groups} />
    </>
  );
}

function LoadedRun({ run }: { run: BenchmarkRunDetails }) {
  usePageTitle(`Run of ${run.endpointName}`);
  const [chosen, setChosen] = useQueryState("subject", parseAsString.withOptions({ history: "push" }));
  const group = run.groups.find((each) => subjectKey(each) === chosen) ?? run.groups[0];
  return (
    <Page>
      <PageHeader
        title={run.endpointName}
        description={`${run.method} from ${run.vantage}`}
        meta={
          <Badge status={benchmarkStatus[run.state]} className="capitalize">
            {run.state}
          </Badge>
        }
        action={run.groups.length > 0 && <Export run={run} />}
      />
      <Notices run={run} />
      <Stages run={run} />
      {run.isOfDrive ? (
        <DriveRunBody run={run} />
      ) : group === undefined ? (
        <EmptyState icon={<ChartNoAxesCombined />} title="This run has no samples">
          {run.outcome ?? "Samples appear here when the run has finished."}
        </EmptyState>
      ) : (
        <>
          <Tables groups={run.groups} />
          <div className="w-60 max-md:w-full">
            <Select
              aria-label="Operation and size"
              options={run.groups.map((each) => ({ value: subjectKey(each), label: formatSubject(each) }))}
              value={subjectKey(group)}
              onValueChange={(value) => void setChosen(value)}
            />
          </div>
          <GroupFigures
            key={subjectKey(group)}
            runId={run.id}
            group={group}
            label={run.label}
            stages={run.report?.stages ?? []}
          />
        </>
      )}
      <Imported manifest={run.manifest} />
      <Section title="How it was measured" card>
        <Manifest run={run} />
      </Section>
      <div className="flex flex-wrap gap-3">
        {!run.isOfDrive && run.state !== "running" && (
          <LinkButton
            href={`/benchmarks/compare?a=${run.id}`}
            variant="secondary"
            icon={<Scale aria-hidden="true" />}
          >
            Compare with another run
          </LinkButton>
        )}
        <LinkButton
          href={run.planId === null ? "/benchmarks/import" : `/benchmarks/plans/${run.planId}`}
          variant="quiet"
          icon={<ChevronLeft aria-hidden="true" />}
        >
          {run.planId === null ? "Imported runs" : "The schedule"}
        </LinkButton>
      </div>
    </Page>
  );
}

/** Figures of a drive run, whose cells arrive while it is in progress. */
function DriveRunBody({ run }: { run: BenchmarkRunDetails }) {
  const trpc = useTRPC();
  const isRunning = run.state === "running";
  const nowMs = useNow(1_000);
  const disk = useQuery(
    trpc.drive.getRun.queryOptions({ runId: run.id }, { refetchInterval: isRunning ? busyRefetchMs : false }),
  );
  const left = nowMs === null ? "" : formatTimeLeft(run, nowMs);
  return (
    <>
      {isRunning && (
        <ProgressBar
          label={run.endpointName}
          value={run.progress}
          detail={[run.progressText, `${Math.round(run.progress * 100)} %`, left].filter(Boolean).join(" · ")}
        />
      )}
      {disk.isError && <QueryError what="The cells" error={disk.error} onRetry={() => void disk.refetch()} />}
      {disk.isPending && <Skeleton height={480} />}
      {disk.data !== undefined && <DiskRun run={disk.data} isModelled={run.label === "modelled"} />}
    </>
  );
}

function Export({ run }: { run: BenchmarkRunDetails }) {
  const formats = benchmarkExportFormats.filter(
    (format) => run.isOfDrive || !driveExportFormats.includes(format),
  );
  return (
    <Menu
      label="Export"
      trigger={
        <Button variant="secondary" icon={<Download aria-hidden="true" />}>
          Export
        </Button>
      }
      items={formats.map((format) => ({
        id: format,
        label: formatNames[format],
        onSelect: () => location.assign(`/api/benchmarks/export?runId=${run.id}&format=${format}`),
      }))}
    />
  );
}

const capitalise = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Conditions of the measurement, shown before any value. */
function Notices({ run }: { run: BenchmarkRunDetails }) {
  const flags = run.report?.flags ?? [];
  return (
    <>
      {run.outcome !== null && run.state !== "succeeded" && (
        <Callout status={benchmarkStatus[run.state]} title={run.outcome} />
      )}
      {run.label !== "measured" && (
        <Callout status="info" title={`These figures are ${run.label}`}>
          They were measured through a limit or a model, so they do not apply to other machines.
        </Callout>
      )}
      {flags.map(({ name, sentence }) => (
        <Callout key={name} status="warning" title={capitalise(name.replaceAll("-", " "))}>
          {sentence}
        </Callout>
      ))}
      {run.cleanError !== null && (
        <Callout status="warning" title={`Objects of this run are still at ${run.endpointName}`}>
          {run.cleanError}{" "}
          {run.cleanAfter === null ? (
            "No more attempts follow."
          ) : (
            <>
              The next attempt is due at <Time value={run.cleanAfter} />.
            </>
          )}
        </Callout>
      )}
    </>
  );
}

function Manifest({ run }: { run: BenchmarkRunDetails }) {
  const trpc = useTRPC();
  const methods = useQuery(trpc.benchmarkPlan.listMethods.queryOptions());
  const { manifest, methodChoice, report } = run;
  const tagged = run.taggedShare === null ? "–" : `${Number((100 * run.taggedShare).toFixed(2))} %`;
  const shown = Object.entries(manifest ?? {}).filter(([name]) => name !== "imported");
  const method = methods.data?.find(({ name }) => name === methodChoice.name);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-x-8 lg:grid-cols-2">
        <DefinitionList
          items={[
            { term: "Run", value: <CopyableId value={run.id} /> },
            { term: "Slot", value: <Time value={run.slotAt} /> },
            { term: "Started", value: <Time value={run.startedAt} /> },
            { term: "Finished", value: <Time value={run.finishedAt} /> },
            { term: "Samples", value: `${run.sampleCount}, ${run.failureCount} failed` },
            ...(run.isOfDrive
              ? []
              : [
                  { term: "Disturbed by the client", value: `${tagged} of the samples` },
                  { term: "RTT", value: formatRoundTrips(run.groups) },
                  { term: "Connections opened", value: report?.openedConnectionCount ?? "–" },
                ]),
            ...(report?.results ?? []).map(({ name, value, unit, label, isExtrapolated }) => ({
              id: name,
              term: label,
              value: `${unit === "B" ? formatBytes(value) : formatResult({ value, unit })}${isExtrapolated ? ", extrapolated" : ""}`,
            })),
          ]}
        />
        <DefinitionList
          items={[
            { term: "Method", value: run.method },
            ...(methods.isPending ? [] : parameterItems(method, methodChoice.parameters)),
          ]}
        />
      </div>
      {shown.length > 0 && (
        <details>
          <summary className="cursor-pointer text-accent-ink">Manifest</summary>
          <pre className="mt-2 max-h-96 overflow-auto rounded-sm bg-hover p-3 font-mono text-sm">
            {JSON.stringify(Object.fromEntries(shown), null, 2)}
          </pre>
        </details>
      )}
    </div>
  );
}
