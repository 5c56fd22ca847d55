"use client";
import type { BenchmarkMethodRow, BenchmarkPlanRow } from "@stashlight/contracts/benchmark";
import type { Role } from "@stashlight/contracts/user";
import { formatSpan, lazyPart, lazyWhenOpen } from "@stashlight/ui";
import { DefinitionList } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { TimeRangePicker } from "@stashlight/ui/time-range";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useRouter } from "next/navigation";
import { usePageTitle } from "../../../../../client/page-title.ts";
import { readTimeRange } from "../../../../../client/read-time-range.ts";
import { renderDialog } from "../../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { useTimeRange } from "../../../../../client/url-state.ts";
import { useDialog } from "../../../../../client/use-dialog.ts";
import { NextRuns, Recurrence } from "../../../jobs/occurrence.tsx";
import { QueryError } from "../../../query-state.tsx";
import { formatSlotCost, isUnderWay } from "../../format-plan.ts";
import { parameterItems } from "../../parameter.ts";
import { PlanActions } from "../../plan-actions.tsx";
import { methodTitle, PlanBadges, planSpending } from "../../plan-facts.tsx";
import { LiveSlot } from "./live-slot.tsx";
import { Slots } from "./slots.tsx";

const PlanVerdict = lazyPart(async () => (await import("../../plan-verdict.tsx")).PlanVerdict);
const PlanDialog = lazyWhenOpen(async () => (await import("../../plan-dialog.tsx")).PlanDialog);

const busyRefetchMs = 1_000;
const idleRefetchMs = 15_000;
const weekRange = { from: "now-7d", to: "now" };
const noMethods: BenchmarkMethodRow[] = [];

export function PlanPage({ planId, role }: { planId: string; role: Role }) {
  const trpc = useTRPC();
  const plan = useQuery(
    trpc.benchmarkPlan.get.queryOptions(
      { planId },
      {
        refetchInterval: ({ state }) => (isUnderWay(state.data?.lastSlot) ? busyRefetchMs : idleRefetchMs),
      },
    ),
  );
  // Requested together with the schedule, whose facts are listed in the order of its method's parameters.
  const methods = useQuery(trpc.benchmarkPlan.listMethods.queryOptions());
  if (plan.data !== undefined && !methods.isPending)
    return <LoadedPlan plan={plan.data} methods={methods.data ?? noMethods} role={role} />;
  return (
    <Page>
      <PageHeader title="Benchmark schedule" />
      {plan.isError ? (
        <QueryError what="The schedule" error={plan.error} onRetry={() => void plan.refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  );
}

interface LoadedPlanProps {
  readonly plan: BenchmarkPlanRow;
  readonly methods: readonly BenchmarkMethodRow[];
  readonly role: Role;
}

function LoadedPlan({ plan, methods, role }: LoadedPlanProps) {
  usePageTitle(plan.name);
  const router = useRouter();
  const range = useTimeRange(weekRange);
  const editor = useDialog<BenchmarkPlanRow>();
  const live = isUnderWay(plan.lastSlot) ? plan.lastSlot : null;
  return (
    <Page>
      <PageHeader
        title={plan.name}
        description={plan.description}
        meta={<PlanBadges plan={plan} />}
        action={
          <PlanActions
            plan={plan}
            role={role}
            onEdit={() => editor.show(plan)}
            onDeleted={() => router.push("/benchmarks")}
          />
        }
      />
      {live !== null && <LiveSlot plan={plan} slot={live} role={role} />}
      <Section title="Verdict" card>
        <PlanVerdict
          planId={plan.id}
          lastSlot={plan.lastSlot}
          role={role}
          fallback={<Skeleton height={32} />}
        />
      </Section>
      <Section title="Schedule" card>
        <Facts plan={plan} methods={methods} />
      </Section>
      <Slots
        planId={plan.id}
        range={range.value}
        isBusy={live !== null}
        picker={<TimeRangePicker value={range.value} onChange={range.setValue} resolve={readTimeRange} />}
      />
      <div>
        <LinkButton href="/benchmarks" variant="quiet" icon={<ChevronLeft aria-hidden="true" />}>
          All schedules
        </LinkButton>
      </div>
      {renderDialog(editor, (subject, shown) => (
        <PlanDialog plan={subject} {...shown} />
      ))}
    </Page>
  );
}

function Facts({ plan, methods }: { plan: BenchmarkPlanRow; methods: readonly BenchmarkMethodRow[] }) {
  const method = methods.find(({ name }) => name === plan.method.name);
  const jitter = plan.jitterSeconds === 0 ? "none" : `up to ${formatSpan(plan.jitterSeconds * 1000)}`;
  return (
    <div className="grid gap-x-8 lg:grid-cols-2">
      <DefinitionList
        items={[
          { term: "Endpoints", value: plan.endpoints.map(({ name }) => name).join(", ") },
          { term: "Runs", value: <Recurrence cron={plan.cron} timeZone={plan.timeZone} /> },
          { term: "Jitter", value: jitter },
          {
            term: "Missed run",
            value: plan.missedPolicy === "skip" ? "skipped" : "run late",
          },
          { term: "Vantage point", value: plan.vantage.name },
          planSpending(plan),
          ...(plan.writtenBytesThisMonth === null
            ? [{ term: "Cost per slot", value: formatSlotCost(plan) }]
            : []),
          { term: "Next five runs", value: <NextRuns isPaused={plan.isPaused} instants={plan.nextRunsAt} /> },
        ]}
      />
      <DefinitionList
        items={[
          { term: "Method", value: methodTitle(plan, methods) },
          ...parameterItems(method, plan.method.parameters),
        ]}
      />
    </div>
  );
}
