"use client";
import {
  type BenchmarkPlanRow,
  type BenchmarkSubjectChoice,
  verdictDays,
  verdictPeriod,
} from "@stashlight/contracts/benchmark";
import type { Role } from "@stashlight/contracts/user";
import { Time } from "@stashlight/ui/data";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { TimeRangePicker } from "@stashlight/ui/time-range";
import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesCombined, ChevronLeft } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { usePageTitle } from "../../../../client/page-title.ts";
import { readTimeRange } from "../../../../client/read-time-range.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useTimeRange } from "../../../../client/url-state.ts";
import { useInstants } from "../../../../client/use-instants.ts";
import { QueryError } from "../../query-state.tsx";
import { ReportLinks } from "../../report-links/report-links.tsx";
import { useMinimumEffect } from "./comparison-choice.tsx";
import { ComparisonSection } from "./comparison-section.tsx";
import { HistorySection } from "./history-section.tsx";
import { formatSubject, subjectKey } from "./subject.ts";
import { RestoreSection, useRestoreChoice } from "./sweep/restore-section.tsx";
import { SweepSection, usePlansBeside } from "./sweep/sweep-section.tsx";
import { Watch } from "./watch.tsx";

const verdictRange = { from: `now-${verdictDays}d`, to: "now" };
const SUBJECTS_IN_DETAIL = 3;
const quarterHourMs = 900_000;
const refetchMs = 15_000;

export function ResultsPage({ planId, role }: { planId: string; role: Role }) {
  const trpc = useTRPC();
  const plan = useQuery(trpc.benchmarkPlan.get.queryOptions({ planId }));
  const subjects = useQuery(
    trpc.benchmarkResult.listSubjects.queryOptions({ planId }, { refetchInterval: refetchMs }),
  );
  if (plan.data !== undefined && subjects.data !== undefined) {
    return <LoadedResults plan={plan.data} subjects={subjects.data} role={role} />;
  }
  const failed = plan.isError ? plan : subjects;
  return (
    <Page>
      <PageHeader title="Results" />
      {failed.isError ? (
        <QueryError what="The results" error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </Page>
  );
}

interface LoadedProps {
  plan: BenchmarkPlanRow;
  subjects: BenchmarkSubjectChoice[];
  role: Role;
}

function LoadedResults({ plan, subjects, role }: LoadedProps) {
  usePageTitle(`Results of ${plan.name}`);
  const range = useTimeRange(verdictRange);
  const instants = useInstants(range.value);
  const [chosen, setChosen] = useQueryState("subject", parseAsString.withOptions({ history: "push" }));
  const subject = subjects.find((each) => subjectKey(each) === chosen) ?? subjects[0];
  // Rounded to quarter hours, so that the cache answers: weeks of runs hardly change within minutes.
  const chosenPeriod = {
    fromMs: Math.floor(instants.fromMs / quarterHourMs) * quarterHourMs,
    toMs: Math.ceil(instants.toMs / quarterHourMs) * quarterHourMs,
  };
  // Covers the slots of the plan's verdict by default, so that the page agrees with the card and the Overview.
  const isChosen = range.value.from !== verdictRange.from || range.value.to !== verdictRange.to;
  const period = isChosen || subject === undefined ? chosenPeriod : verdictPeriod(subject.lastAt);
  const minimumEffect = useMinimumEffect();
  const beside = usePlansBeside(plan.id);
  const restore = useRestoreChoice({ planId: plan.id, subjects, period });
  const bySize = (
    <>
      <SweepSection plan={plan} period={period} minimumEffect={minimumEffect} beside={beside} />
      {restore !== null && <RestoreSection choice={restore} />}
    </>
  );
  // A plan of many sizes shows the comparison by size first.
  const isSweep = subjects.filter(({ operation }) => operation !== "TCP_CONNECT").length > SUBJECTS_IN_DETAIL;
  return (
    <Page>
      <PageHeader
        title={`Results of ${plan.name}`}
        description="Runs of the same slot are compared in pairs, for one operation at one size."
        timeRange={<TimeRangePicker value={range.value} onChange={range.setValue} resolve={readTimeRange} />}
      />
      {subject === undefined ? (
        <NoRuns planId={plan.id} />
      ) : (
        <>
          {isSweep && bySize}
          <SubjectChoice subjects={subjects} subject={subject} onChoose={(key) => void setChosen(key)} />
          <ComparisonSection
            plan={plan}
            subject={subject}
            period={period}
            nextSlotsUntilMs={Math.max(period.toMs, chosenPeriod.toMs)}
            role={role}
            shared={{ sweepPlanIds: [plan.id, ...beside.ids], restore: restore?.question ?? null }}
          />
          <HistorySection planId={plan.id} subject={subject} period={period} onZoom={range.setValue} />
          {!isSweep && bySize}
          <Section title="Regression alert">
            <Watch planId={plan.id} subject={subject} role={role} />
          </Section>
          <ReportLinks kind="benchmark" subjectName={plan.name} role={role} />
        </>
      )}
      <div>
        <LinkButton
          href={`/benchmarks/plans/${plan.id}`}
          variant="quiet"
          icon={<ChevronLeft aria-hidden="true" />}
        >
          The schedule
        </LinkButton>
      </div>
    </Page>
  );
}

function NoRuns({ planId }: { planId: string }) {
  return (
    <EmptyState
      icon={<ChartNoAxesCombined />}
      title="No finished runs yet"
      action={<LinkButton href={`/benchmarks/plans/${planId}`}>Run the schedule</LinkButton>}
    >
      Results appear here after the first slot. The schedule's page can run one at once, or as many as a
      verdict needs.
    </EmptyState>
  );
}

interface SubjectChoiceProps {
  subjects: BenchmarkSubjectChoice[];
  subject: BenchmarkSubjectChoice;
  onChoose: (key: string) => void;
}

function SubjectChoice({ subjects, subject, onChoose }: SubjectChoiceProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="w-60 max-md:w-full">
        <Select
          aria-label="Operation and size"
          options={subjects.map((each) => ({ value: subjectKey(each), label: formatSubject(each) }))}
          value={subjectKey(subject)}
          onValueChange={onChoose}
        />
      </span>
      <span className="text-sm text-faint">
        {subject.runCount} runs, the newest <Time value={subject.lastRunAt} show="age" />
      </span>
    </div>
  );
}
