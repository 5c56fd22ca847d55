"use client";
import type { BenchmarkRunState } from "@stashlight/contracts/benchmark";
import type { DriveDetails, DriveRunRow } from "@stashlight/contracts/disk";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { formatBytes, lazyWhenOpen, UiLink } from "@stashlight/ui";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { DefinitionList, Time } from "@stashlight/ui/data";
import { Badge, Callout, EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useQuery } from "@tanstack/react-query";
import { Calculator, ChevronLeft, Gauge, Timer } from "lucide-react";
import { usePageTitle } from "../../../../client/page-title.ts";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { UrlTable } from "../../../../client/url-table.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { benchmarkStatus, formatDollars } from "../../benchmarks/format-plan.ts";
import type { PlanStart } from "../../benchmarks/plan-form.ts";
import { SweepPanels } from "../../drive-figures/disk-run.tsx";
import {
  formatIops,
  formatMegabytes,
  formatUs,
  headlineFigure,
  megabytesPerSecond,
  priceFor,
} from "../../drive-figures/format-figures.ts";
import { QueryError } from "../../query-state.tsx";
import { startPlan } from "../plan-start.ts";

const PlanDialog = lazyWhenOpen(async () => (await import("../../benchmarks/plan-dialog.tsx")).PlanDialog);

const refetchMs = 15_000;

export function DrivePage({ driveId, role }: { driveId: string; role: Role }) {
  const trpc = useTRPC();
  const drive = useQuery(trpc.drive.get.queryOptions({ driveId }, { refetchInterval: refetchMs }));
  if (drive.data !== undefined)
    return <LoadedDrive drive={drive.data} mayEdit={roleIncludes(role, "operator")} />;
  return (
    <Page>
      <PageHeader title="Drive" />
      {drive.isError ? (
        <QueryError what="The drive" error={drive.error} onRetry={() => void drive.refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </Page>
  );
}

function LoadedDrive({ drive, mayEdit }: { drive: DriveDetails; mayEdit: boolean }) {
  usePageTitle(drive.name);
  const editor = useDialog<PlanStart>();
  return (
    <Page>
      <PageHeader
        title={drive.name}
        description={`Measured by the probe ${drive.probe?.name ?? "that has since been removed"}`}
        meta={
          <>
            {drive.label !== "measured" && <Badge status="warning">{drive.label}</Badge>}
            {!drive.isOffered && <Badge status="unknown">not offered</Badge>}
          </>
        }
        action={
          <DriveActions
            drive={drive}
            mayEdit={mayEdit}
            onMeasure={(method) => editor.show(startPlan(drive, method))}
          />
        }
      />
      <Notices drive={drive} />
      <Section title="The drive" card>
        <Facts drive={drive} />
      </Section>
      {drive.sweep !== null && (
        <NewestSweep runId={drive.sweep.runId} isModelled={drive.label !== "measured"} />
      )}
      <Section title="What was measured?">
        <Runs runs={drive.runs} />
      </Section>
      <div>
        <LinkButton href="/disks" variant="quiet" icon={<ChevronLeft aria-hidden="true" />}>
          All drives
        </LinkButton>
      </div>
      {renderDialog(editor, (subject, shown) => (
        <PlanDialog plan={null} start={subject} {...shown} />
      ))}
    </Page>
  );
}

interface DriveActionsProps {
  readonly drive: DriveDetails;
  readonly mayEdit: boolean;
  readonly onMeasure: (method: "volume-check" | "disk-sweep") => void;
}

function DriveActions({ drive, mayEdit, onMeasure }: DriveActionsProps) {
  return (
    <>
      {drive.plannable !== null && (
        <LinkButton
          href={`/planner?drive=${drive.id}`}
          variant="secondary"
          icon={<Calculator aria-hidden="true" />}
        >
          Use in a plan
        </LinkButton>
      )}
      {mayEdit && (
        <>
          <Button
            variant="secondary"
            icon={<Timer />}
            disabled={!drive.isOffered}
            onClick={() => onMeasure("volume-check")}
          >
            Check
          </Button>
          <Button
            variant="primary"
            icon={<Gauge />}
            disabled={!drive.isOffered}
            onClick={() => onMeasure("disk-sweep")}
          >
            Sweep
          </Button>
        </>
      )}
    </>
  );
}

function Notices({ drive }: { drive: DriveDetails }) {
  return (
    <>
      {drive.label !== "measured" && (
        <Callout status="info" title="These figures are modelled">
          The probe’s --drives file limits this drive for trials, and the figures are those of the limit.
        </Callout>
      )}
      {!drive.isOffered && (
        <Callout status="warning" title="The probe no longer offers this drive">
          Its measurements stay. To measure it again, name it in the --drives file and start the probe.
        </Callout>
      )}
      {drive.check?.sentence != null && (
        <Callout status="info" title="What limits this drive">
          {drive.check.sentence}{" "}
          <UiLink href={`/benchmarks/runs/${drive.check.runId}`}>
            The check of <Time value={drive.check.finishedAt} />
          </UiLink>
        </Callout>
      )}
    </>
  );
}

function Facts({ drive }: { drive: DriveDetails }) {
  const { labels, sweep, plans } = drive;
  const read = headlineFigure(drive, "random", 1);
  const stream = headlineFigure(drive, "sequential", 1);
  const perThousandIops = read === undefined ? null : priceFor(labels.pricePerMonth, read.iops, 1_000);
  const perHundredMegabytes =
    stream === undefined
      ? null
      : priceFor(labels.pricePerMonth, megabytesPerSecond(stream.iops, stream.cell.blockBytes), 100);
  const dollars = (amount: number | null): string =>
    amount === null ? "–" : `${formatDollars(amount)} per month`;
  return (
    <div className="grid gap-x-8 lg:grid-cols-2">
      <DefinitionList
        items={[
          { term: "Provider", value: labels.provider ?? "–" },
          { term: "Region", value: labels.region ?? "–" },
          { term: "Instance type", value: labels.instanceType ?? "–" },
          { term: "Volume type", value: labels.volumeType ?? "–" },
          { term: "Size", value: labels.sizeBytes === null ? "–" : formatBytes(labels.sizeBytes) },
          {
            term: "Endurance",
            value: labels.enduranceBytes === null ? "–" : formatBytes(labels.enduranceBytes),
          },
          { term: "Price", value: dollars(labels.pricePerMonth) },
          {
            term: "Schedules",
            value:
              plans.length === 0
                ? "none"
                : plans.map(({ id, name }, at) => (
                    <span key={id}>
                      {at > 0 && ", "}
                      <UiLink href={`/benchmarks/plans/${id}`}>{name}</UiLink>
                    </span>
                  )),
          },
        ]}
      />
      <DefinitionList
        items={[
          ...(sweep?.figures ?? []).map(({ title, iops, cell, p50Us, p99Us }) => ({
            term: title.charAt(0).toUpperCase() + title.slice(1),
            value: `${formatIops(iops)}, ${formatMegabytes(iops, cell.blockBytes)}, p50 ${formatUs(p50Us)}, p99 ${formatUs(p99Us)}`,
          })),
          { term: "Price of 1,000 random reads per second", value: dollars(perThousandIops) },
          { term: "Price of 100 MB/s of reads", value: dollars(perHundredMegabytes) },
          {
            term: "Newest sweep",
            value: <Time value={sweep?.finishedAt} show="age" missing="none yet" />,
          },
        ]}
      />
    </div>
  );
}

function NewestSweep({ runId, isModelled }: { runId: string; isModelled: boolean }) {
  const trpc = useTRPC();
  const run = useQuery(trpc.drive.getRun.queryOptions({ runId }));
  if (run.isError)
    return <QueryError what="The sweep" error={run.error} onRetry={() => void run.refetch()} />;
  if (run.data === undefined) return <Skeleton height={320} />;
  return <SweepPanels cells={run.data.cells} caveats={isModelled ? ["modelled"] : []} unit="bytes" />;
}

const methodWords: Readonly<Record<string, string>> = {
  "disk-sweep": "Disk sweep",
  "volume-check": "Volume check",
  "stash-load": "Stash load",
  precondition: "Preconditioning",
};

const columns: Column<DriveRunRow>[] = [
  textColumn("started", "Started", ({ startedAt }) => startedAt?.getTime(), {
    hideable: false,
    cell: ({ startedAt }) => <Time value={startedAt} missing="not yet" />,
  }),
  { id: "method", header: "Method", value: ({ method }) => methodWords[method] ?? method },
  { id: "plan", header: "Schedule", value: ({ planName }) => planName },
  textColumn("state", "State", ({ state }) => state, {
    cell: ({ state }: { state: BenchmarkRunState }) => (
      <Badge status={benchmarkStatus[state]} className="capitalize">
        {state}
      </Badge>
    ),
  }),
  numberColumn("written", "Written", ({ writtenBytes }) => writtenBytes, {
    cell: ({ writtenBytes }) => (writtenBytes === null ? "–" : formatBytes(writtenBytes)),
  }),
  { id: "outcome", header: "Outcome", sortable: false, value: ({ outcome }) => outcome },
];

const tableOptions = { columns, defaultSort: { id: "started", direction: "desc" }, prefix: "runs-" } as const;

function Runs({ runs }: { runs: readonly DriveRunRow[] }) {
  return (
    <UrlTable
      label="Runs on this drive"
      rows={runs}
      rowKey={({ runId }) => runId}
      rowHref={({ runId }) => `/benchmarks/runs/${runId}`}
      table={tableOptions}
      empty={
        <EmptyState title="Nothing has been measured yet">
          “Sweep” measures every operation and block size; “Check” finds what limits the drive.
        </EmptyState>
      }
      pageSize={10}
      exportName="drive-runs"
    />
  );
}
