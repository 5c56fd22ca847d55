"use client";
import type { BenchmarkReportDocument } from "@stashlight/contracts/benchmark";
import { formatCount, utcOffsetMs } from "@stashlight/ui";
import { Wordmark } from "@stashlight/ui/brand";
import { ChartPanel } from "@stashlight/ui/chart";
import { DefinitionList, Time } from "@stashlight/ui/data";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { createApiClient } from "../../client/trpc.tsx";
import { Comparison } from "../(console)/benchmarks/results/comparison.tsx";
import { prepareHistory } from "../(console)/benchmarks/results/history-chart.ts";
import { Changes } from "../(console)/benchmarks/results/history-section.tsx";
import { formatSubject } from "../(console)/benchmarks/results/subject.ts";
import { RestoreView } from "../(console)/benchmarks/results/sweep/restore-view.tsx";
import { SweepView } from "../(console)/benchmarks/results/sweep/sweep-view.tsx";
import { PrintButton, SharedReport } from "../shared-report.tsx";
import { describeMethod } from "./describe-method.ts";

type Report = BenchmarkReportDocument & { expiresAt: Date };

const read = (token: string): Promise<Report> => createApiClient().benchmarkReport.read.mutate({ token });

/** Shows a comparison as it was when it was shared. */
export function ReportPage() {
  return (
    <SharedReport title="Benchmark report" read={read}>
      {(report) => <Document report={report} />}
    </SharedReport>
  );
}

function Document({ report }: { report: Report }) {
  const { comparison, history, changes, sweep, restore, provenance } = report;
  const { question } = comparison;
  const { fromMs, toMs } = question;
  const chart = useMemo(
    () =>
      prepareHistory({
        history,
        changes,
        range: { fromMs, toMs },
        utcOffsetMs: utcOffsetMs(fromMs),
      }),
    [history, changes, fromMs, toMs],
  );
  return (
    <Page>
      <PageHeader
        title={report.title}
        description={`${formatSubject(question)}, ${comparison.planName}`}
        action={<PrintButton />}
      />
      <p className="text-muted">
        Slots from <Time value={fromMs} /> to <Time value={toMs} />, computed{" "}
        <Time value={comparison.computedAt} />. The link works until <Time value={report.expiresAt} />.
      </p>
      <Section title={`Which is faster: ${formatSubject(question)}?`}>
        <Comparison comparison={comparison} hasPublished={false} />
      </Section>
      {sweep !== null && (
        <Section title="Which is fastest at which size?">
          <SweepView sweep={sweep} />
        </Section>
      )}
      {restore !== null && restore.times.length > 0 && (
        <Section title="How long does a restore take?">
          <RestoreView times={restore.times} />
        </Section>
      )}
      <ChartPanel
        title="Does latency stay the same?"
        metric={
          history.isBucketed
            ? "medians of runs, with the lowest and highest of a bucket"
            : "median of each run with its 95 % interval"
        }
        chart={chart}
        source={`${formatCount(history.series.reduce((sum, { runCount }) => sum + runCount, 0))} runs`}
        exportName="history"
        heightPx={280}
      />
      <Changes
        changes={changes}
        runCounts={history.series.map(({ runCount }) => runCount)}
        isPending={false}
      />
      <Method report={report} />
      <Provenance provenance={provenance} />
      <p className="flex items-center gap-2 text-sm text-faint">
        <Wordmark /> measured this. Modelled and simulated figures are marked.
      </p>
    </Page>
  );
}

function Provenance({ provenance }: Pick<Report, "provenance">) {
  return provenance.map(({ planName, endpointName, slotMs, startedMs, items }) => (
    <Section key={`${planName} ${endpointName}`} title={`${endpointName}, ${planName}`} card>
      <p className="text-muted">
        Setup of the newest run, {startedMs === undefined && "in the slot of "}
        <Time value={startedMs ?? slotMs} />:
      </p>
      <DefinitionList items={items} />
    </Section>
  ));
}

function Method({ report }: { report: Report }) {
  return (
    <Section title="How it was measured" card>
      <div className="flex max-w-[72ch] flex-col gap-3">
        {describeMethod(report).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <DefinitionList
        items={[
          { term: "Method", value: report.method.title },
          ...Object.entries(report.method.parameters).map(([name, value]) => ({
            id: name,
            term: name,
            value: typeof value === "string" ? value : JSON.stringify(value),
          })),
        ]}
      />
    </Section>
  );
}
