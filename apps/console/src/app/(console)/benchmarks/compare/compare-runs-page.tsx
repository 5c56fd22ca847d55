"use client";
import type { ComparableRun } from "@stashlight/contracts/benchmark";
import { formatDateTime, lazyPart } from "@stashlight/ui";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { ChevronLeft, Scale } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useTRPC } from "../../../../client/trpc.tsx";
import { QueryError } from "../../query-state.tsx";
import { formatSubject, subjectKey } from "../results/subject.ts";
import { type Choice, chooseRuns } from "./choice.ts";

// Loaded in parallel with the comparison.
const Unpaired = lazyPart(async () => (await import("./unpaired.tsx")).Unpaired);

const parsers = { a: parseAsString, b: parseAsString, subject: parseAsString };

/** Compares an operation and size that two runs share, measured here or imported. */
export function CompareRunsPage() {
  const trpc = useTRPC();
  const [asked, set] = useQueryStates(parsers, { history: "replace" });
  const runs = useQuery(trpc.benchmarkResult.listComparable.queryOptions());
  const choice = chooseRuns(runs.data ?? [], asked);
  return (
    <Page>
      <PageHeader
        title="Compare runs"
        description="Compares the samples of two runs, measured here or imported. For a verdict, use a schedule that measures both endpoints alternately."
      />
      {runs.isPending && <Skeleton height={320} />}
      {runs.isError && runs.data === undefined && (
        <QueryError what="The runs" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {runs.data !== undefined && choice.a !== null && (
        <Chooser runs={runs.data} choice={choice} onChange={(part) => void set(part)} />
      )}
      {runs.data !== undefined && <Body choice={choice} />}
      <div>
        <LinkButton href="/benchmarks" variant="quiet" icon={<ChevronLeft aria-hidden="true" />}>
          All schedules
        </LinkButton>
      </div>
    </Page>
  );
}

const runOptions = (runs: readonly ComparableRun[]) =>
  runs.map(({ runId, name, origin, at }) => ({
    value: runId,
    label: `${name} · ${origin} · ${formatDateTime(at.getTime())}`,
  }));

interface ChooserProps {
  runs: readonly ComparableRun[];
  choice: Choice;
  onChange: (part: Partial<Record<keyof typeof parsers, string>>) => void;
}

function Chooser({ runs, choice, onChange }: ChooserProps) {
  const { a, b, others, subjects, subject } = choice;
  return (
    <div className="grid gap-3 md:grid-cols-3">
      <Select
        aria-label="Run A"
        options={runOptions(runs)}
        value={a?.runId ?? ""}
        onValueChange={(value) => onChange({ a: value })}
      />
      {b !== null && (
        <Select
          aria-label="Run B"
          options={runOptions(others)}
          value={b.runId}
          onValueChange={(value) => onChange({ b: value })}
        />
      )}
      {subject !== null && (
        <Select
          aria-label="Operation and size"
          options={subjects.map((each) => ({ value: subjectKey(each), label: formatSubject(each) }))}
          value={subjectKey(subject)}
          onValueChange={(value) => onChange({ subject: value })}
        />
      )}
    </div>
  );
}

function Body({ choice: { a, b, subject } }: { choice: Choice }) {
  const trpc = useTRPC();
  const comparison = useQuery(
    trpc.benchmarkResult.compareRuns.queryOptions(
      a === null || b === null || subject === null
        ? skipToken
        : {
            runAId: a.runId,
            runBId: b.runId,
            operation: subject.operation,
            sizeBytes: subject.sizeBytes,
            connectionCount: subject.connectionCount,
          },
      { placeholderData: keepPreviousData },
    ),
  );
  if (a === null || b === null || subject === null) return <Nothing hasRuns={a !== null} />;
  if (comparison.data !== undefined) {
    return <Unpaired comparison={comparison.data} subject={subject} fallback={<Skeleton height={320} />} />;
  }
  if (!comparison.isError) return <Skeleton height={320} />;
  return (
    <QueryError what="The comparison" error={comparison.error} onRetry={() => void comparison.refetch()} />
  );
}

function Nothing({ hasRuns }: { hasRuns: boolean }) {
  return (
    <EmptyState
      icon={<Scale />}
      title={hasRuns ? "No other run shares an operation and size with this one" : "No runs to compare yet"}
      action={<LinkButton href="/benchmarks/import">Import a run</LinkButton>}
    >
      Two runs can be compared by an operation, size and number of connections that both have. Runs of
      schedules and imported files count; means of segments are compared with segments only.
    </EmptyState>
  );
}
