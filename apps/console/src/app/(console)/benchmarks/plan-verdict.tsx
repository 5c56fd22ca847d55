"use client";
import { formatSlots } from "@stashlight/contracts/benchmark/gate";
import type { BenchmarkSlotCount } from "@stashlight/contracts/benchmark/plan";
import type { BenchmarkLatestVerdict } from "@stashlight/contracts/benchmark/result";
import {
  explainCaveat,
  formatCaveat,
  formatContaminatedCount,
  formatContamination,
} from "@stashlight/contracts/benchmark/words";
import { type Role, roleIncludes } from "@stashlight/contracts/user/roles";
import { UiLink } from "@stashlight/ui";
import { Badge, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChartNoAxesCombined, ListPlus } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { formatSlotsLeft } from "./plan-words.ts";
import { formatSubject, subjectKey } from "./results/subject.ts";
import { useSlotsQueued } from "./use-slots-queued.ts";

const busyRefetchMs = 2_000;
const idleRefetchMs = 60_000;

interface PlanVerdictProps {
  readonly planId: string;
  readonly role: Role;
}

/** The verdict of a plan with its caveats, and the slots that it still lacks. */
export function PlanVerdict({ planId, role }: PlanVerdictProps) {
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
  const results = `/benchmarks/plans/${planId}/results`;
  if (answer.data === undefined) {
    if (answer.isError) {
      return <QueryError what="The verdict" error={answer.error} onRetry={() => void answer.refetch()} />;
    }
    return <Skeleton height={32} />;
  }
  const { latest, slots } = answer.data;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        {latest === null ? (
          <p className="text-muted">
            {slots === null
              ? "It measures one endpoint, so there is nothing to compare."
              : `No verdict yet: ${formatSlots(slots)}.`}
          </p>
        ) : (
          <Found latest={latest} results={results} />
        )}
        {slots !== null && <Progress slots={slots} planId={planId} />}
      </div>
      <div className="flex flex-wrap gap-2">
        {slots !== null && slots.missingCount > 0 && roleIncludes(role, "operator") && (
          <RunUntilVerdict planId={planId} />
        )}
        <LinkButton href={results} variant="secondary" icon={<ChartNoAxesCombined aria-hidden="true" />}>
          Results
        </LinkButton>
      </div>
    </div>
  );
}

function Found({ latest, results }: { latest: BenchmarkLatestVerdict; results: string }) {
  const { sentence, contamination, caveats } = latest;
  return (
    <>
      <p className="max-w-[90ch] text-pretty text-ink">
        <UiLink href={`${results}?subject=${subjectKey(latest)}`}>{formatSubject(latest)}</UiLink>: {sentence}
      </p>
      {(contamination !== null || caveats.length > 0) && (
        <p className="flex flex-wrap gap-2">
          {contamination !== null && (
            <Caveat title={formatContamination(contamination)}>
              {formatContaminatedCount(contamination)}
            </Caveat>
          )}
          {caveats.map((caveat) => (
            <Caveat key={caveat.kind} title={explainCaveat(caveat)}>
              {formatCaveat(caveat)}
            </Caveat>
          ))}
        </p>
      )}
    </>
  );
}

const Caveat = ({ title, children }: { title: string; children: ReactNode }) => (
  <span title={title}>
    <Badge status="warning">{children}</Badge>
  </span>
);

function Progress({ slots, planId }: { slots: BenchmarkSlotCount; planId: string }) {
  const { underWayCount } = slots;
  if (underWayCount === 0) return null;
  return (
    <p className="text-sm text-muted tabular-nums">
      <UiLink href={`/benchmarks/plans/${planId}`}>{underWayCount} under way</UiLink>,{" "}
      {formatSlotsLeft(slots)}
    </p>
  );
}

function RunUntilVerdict({ planId }: { planId: string }) {
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
      pending={run.isPending}
      onClick={() => run.mutate({ planId })}
    >
      Run until verdict
    </Button>
  );
}
