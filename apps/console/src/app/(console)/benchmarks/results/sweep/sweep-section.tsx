"use client";
import type { BenchmarkPlanRow, MinimumEffectChoice } from "@stashlight/contracts/benchmark";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { QueryError } from "../../../query-state.tsx";
import { SweepView } from "./sweep-view.tsx";

const PLANS_MAX = 6;

/** Other plans to compare with; the page's address keeps them. */
export function usePlansBeside(planId: string) {
  const [beside, setBeside] = useQueryState("with", parseAsArrayOf(parseAsString).withDefault([]));
  const ids = [...new Set(beside)].filter((id) => id !== planId).slice(0, PLANS_MAX - 1);
  return { ids, set: (next: string[]) => void setBeside(next.length === 0 ? null : next) };
}

interface SweepSectionProps {
  plan: BenchmarkPlanRow;
  period: { fromMs: number; toMs: number };
  minimumEffect: MinimumEffectChoice;
  beside: ReturnType<typeof usePlansBeside>;
}

export function SweepSection({ plan, period, minimumEffect, beside }: SweepSectionProps) {
  const trpc = useTRPC();
  const plans = useQuery(trpc.benchmarkPlan.list.queryOptions());
  const sweep = useQuery(
    trpc.benchmarkResult.sweep.queryOptions(
      { planIds: [plan.id, ...beside.ids], ...period, minimumEffect },
      { placeholderData: keepPreviousData },
    ),
  );
  const others = (plans.data ?? []).filter(({ id }) => id !== plan.id);
  const isEmpty = sweep.data?.places.every(({ cells }) => cells.length === 0) ?? false;
  return (
    <Section title="Which is fastest at which size?">
      {others.length > 0 && (
        <PlansBeside
          chosen={others.filter(({ id }) => beside.ids.includes(id))}
          others={others.filter(({ id }) => !beside.ids.includes(id))}
          onChange={beside.set}
        />
      )}
      {sweep.isError && (
        <QueryError what="The comparison by size" error={sweep.error} onRetry={() => void sweep.refetch()} />
      )}
      {sweep.isPending && <Skeleton height={420} />}
      {isEmpty && (
        <Callout status="info" title="No figures in this time range">
          Choose a longer time range, or another schedule.
        </Callout>
      )}
      {sweep.data !== undefined && !sweep.isError && !isEmpty && <SweepView sweep={sweep.data} />}
    </Section>
  );
}

interface PlansBesideProps {
  chosen: readonly BenchmarkPlanRow[];
  others: readonly BenchmarkPlanRow[];
  onChange: (planIds: string[]) => void;
}

/** Offers other plans, such as the same one in another region or from another probe. */
function PlansBeside({ chosen, others, onChange }: PlansBesideProps) {
  const ids = chosen.map(({ id }) => id);
  return (
    <div className="flex flex-wrap items-center gap-3">
      {others.length > 0 && chosen.length < PLANS_MAX - 1 && (
        <span className="w-72 max-md:w-full">
          <Select
            // A new key after each choice empties the control for the next one.
            key={ids.join()}
            aria-label="Compare with another schedule"
            placeholder="Compare with another schedule"
            options={others.map(({ id, name, vantage }) => ({
              value: id,
              label: name,
              hint: `from ${vantage.name}`,
            }))}
            onValueChange={(id) => onChange([...ids, id])}
          />
        </span>
      )}
      {chosen.map(({ id, name }) => (
        <Button
          key={id}
          variant="secondary"
          size="sm"
          icon={<X aria-hidden="true" />}
          aria-label={`Remove ${name} from the comparison`}
          onClick={() => onChange(ids.filter((each) => each !== id))}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
