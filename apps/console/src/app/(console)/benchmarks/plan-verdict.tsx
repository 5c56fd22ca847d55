"use client";
import {
  type BenchmarkLatestVerdict,
  type BenchmarkPlanRow,
  type BenchmarkSlotCount,
  explainCaveat,
  formatCaveat,
  formatContaminatedCount,
  formatContamination,
  formatSlots,
  shortenCaveats,
} from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { UiLink, useNow } from "@stashlight/ui";
import { Badge, Skeleton, StatusShape } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChartNoAxesCombined, ListPlus } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { formatSlotsLeft, verdictSpace } from "./format-plan.ts";
import { formatSubject, subjectKey } from "./results/subject.ts";
import { useSlotsQueued } from "./use-slots-queued.ts";

const busyRefetchMs = 2_000;
const idleRefetchMs = 60_000;

interface PlanVerdictProps {
  readonly planId: string;
  readonly lastSlot: BenchmarkPlanRow["lastSlot"];
  readonly role: Role;
  /** Compact form for tables, in the space of `verdictSpace`. */
  readonly isDense?: boolean;
}

/** Verdict of a schedule with its caveats and missing slots. */
export function PlanVerdict({ planId, lastSlot, role, isDense = false }: PlanVerdictProps) {
  const trpc = useTRPC();
  const answer = useQuery(
    trpc.benchmarkResult.planVerdict.queryOptions(
      { planId },
      {
        refetchInterval: ({ state }) =>
          (state.data?.slots?.underWayCount ?? 0) > 0 ? busyRefetchMs : idleRefetchMs,
      },
    ),
  );
  useRefetchAfterSlot(lastSlot, answer.refetch);
  const results = `/benchmarks/plans/${planId}/results`;
  if (answer.data === undefined) {
    if (answer.isError) {
      return <QueryError what="The verdict" error={answer.error} onRetry={() => void answer.refetch()} />;
    }
    return isDense ? (
      <div className={verdictSpace}>
        <Skeleton width="100%" height="100%" isExact />
      </div>
    ) : (
      <Skeleton height={32} />
    );
  }
  const { latest, slots } = answer.data;
  const isShort = slots !== null && slots.missingCount > 0 && roleIncludes(role, "operator");
  const run = isShort && <RunUntilVerdict planId={planId} isDense={isDense} />;
  const none =
    slots === null
      ? "It measures one endpoint, so there is nothing to compare."
      : `No verdict yet: ${formatSlots(slots)}.`;
  if (isDense) {
    return (
      <div className={`flex flex-col justify-center ${verdictSpace}`}>
        <p
          className="line-clamp-3 shrink-0 whitespace-normal max-sm:line-clamp-4"
          title={latest === null ? none : wholeWords(latest)}
        >
          {latest === null ? none : `${formatSubject(latest)}: ${latest.sentence}`}
        </p>
        <div className="flex min-h-6 items-center gap-x-2 text-sm max-sm:flex-wrap">
          <UiLink href={results} className="shrink-0">
            Results
          </UiLink>
          {run}
          {slots !== null && <Progress slots={slots} planId={planId} />}
          {latest !== null && <ShortCaveats latest={latest} />}
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        {latest === null ? <p className="text-muted">{none}</p> : <Found latest={latest} results={results} />}
        {slots !== null && <Progress slots={slots} planId={planId} />}
      </div>
      <div className="flex flex-wrap gap-2">
        {run}
        <LinkButton href={results} variant="secondary" icon={<ChartNoAxesCombined aria-hidden="true" />}>
          Results
        </LinkButton>
      </div>
    </div>
  );
}

/** Reads the verdict again when a slot has ended, so that both cover the same slots. */
function useRefetchAfterSlot(lastSlot: BenchmarkPlanRow["lastSlot"], refetch: () => unknown): void {
  const endedMs = lastSlot?.finishedAt?.getTime() ?? null;
  const readAfter = useRef(endedMs);
  useEffect(() => {
    if (endedMs === null || endedMs === readAfter.current) return;
    readAfter.current = endedMs;
    refetch();
  }, [endedMs, refetch]);
}

function Found({ latest, results }: { latest: BenchmarkLatestVerdict; results: string }) {
  return (
    <>
      <p className="max-w-[90ch] text-pretty text-ink" title={wholeWords(latest)}>
        <UiLink href={`${results}?subject=${subjectKey(latest)}`}>{formatSubject(latest)}</UiLink>:{" "}
        {latest.sentence}
      </p>
      <p className="flex flex-wrap gap-2 empty:hidden">
        <Caveats latest={latest} />
      </p>
    </>
  );
}

function Caveats({ latest: { contamination, caveats } }: { latest: BenchmarkLatestVerdict }) {
  return (
    <>
      {contamination !== null && (
        <Caveat title={formatContamination(contamination)}>{formatContaminatedCount(contamination)}</Caveat>
      )}
      {caveats.map((caveat) => (
        <Caveat key={caveat.kind} title={explainCaveat(caveat)}>
          {formatCaveat(caveat)}
        </Caveat>
      ))}
    </>
  );
}

/** The sentence, which may shorten names of endpoints, followed by the full names. */
const wholeWords = ({ sentence, a, b }: BenchmarkLatestVerdict): string =>
  `${sentence} (${a.endpoint.name}; ${b.endpoint.name})`;

/** All caveats on one line, with the full text as a tooltip. */
function ShortCaveats({ latest: { contamination, caveats } }: { latest: BenchmarkLatestVerdict }) {
  const words = [
    ...(contamination === null ? [] : [formatContaminatedCount(contamination)]),
    ...caveats.map(formatCaveat),
  ];
  if (words.length === 0) return null;
  return (
    <span className="flex min-w-0 items-center gap-1 text-warning" title={words.join(", ")}>
      <StatusShape status="warning" size={8} />
      <span>{shortenCaveats(contamination, caveats)}</span>
    </span>
  );
}

const Caveat = ({ title, children }: { title: string; children: ReactNode }) => (
  <span title={title}>
    <Badge status="warning">{children}</Badge>
  </span>
);

function Progress({ slots, planId }: { slots: BenchmarkSlotCount; planId: string }) {
  const nowMs = useNow(1_000);
  if (slots.underWayCount === 0) return null;
  const { count, left } = formatSlotsLeft(slots, nowMs);
  return (
    <p className="text-sm text-muted tabular-nums">
      <UiLink href={`/benchmarks/plans/${planId}`}>{count}</UiLink>, {left}
    </p>
  );
}

function RunUntilVerdict({ planId, isDense }: { planId: string; isDense: boolean }) {
  const trpc = useTRPC();
  const slotsQueued = useSlotsQueued();
  const queryClient = useQueryClient();
  const run = useMutation(
    trpc.benchmarkResult.runUntilVerdict.mutationOptions({
      ...slotsQueued,
      onSettled: () => {
        void queryClient.invalidateQueries(trpc.benchmarkResult.pathFilter());
        void queryClient.invalidateQueries(trpc.benchmarkPlan.pathFilter());
      },
    }),
  );
  return (
    <Button
      icon={<ListPlus aria-hidden="true" />}
      {...(isDense ? { size: "sm", variant: "quiet" } : {})}
      pending={run.isPending}
      onClick={() => run.mutate({ planId })}
    >
      Run until verdict
    </Button>
  );
}
