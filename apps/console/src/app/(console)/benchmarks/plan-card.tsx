"use client";
import type { BenchmarkMethodRow } from "@stashlight/contracts/benchmark/method";
import type { BenchmarkPlanRow } from "@stashlight/contracts/benchmark/plan";
import type { Role } from "@stashlight/contracts/user/roles";
import { formatBytes, lazyPart, UiLink } from "@stashlight/ui";
import { DefinitionList } from "@stashlight/ui/data";
import { Badge, Skeleton } from "@stashlight/ui/feedback";
import { LastOccurrence, NextRuns, Recurrence } from "../jobs/occurrence.tsx";
import { PlanActions } from "./plan-actions.tsx";
import { benchmarkStatus, formatDollars, formatProgress } from "./plan-words.ts";

// Comes beside the page: words of verdicts are many.
const PlanVerdict = lazyPart(async () => (await import("./plan-verdict.tsx")).PlanVerdict);

interface PlanCardProps {
  plan: BenchmarkPlanRow;
  methods: readonly BenchmarkMethodRow[];
  role: Role;
  onEdit: () => void;
}

export function PlanCard({ plan, methods, role, onEdit }: PlanCardProps) {
  const headingId = `plan-${plan.id}`;
  return (
    <article
      aria-labelledby={headingId}
      className="flex flex-col gap-3 rounded-md border border-line bg-surface px-4 py-3"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={headingId} className="text-md font-medium text-ink">
              <UiLink href={`/benchmarks/plans/${plan.id}`}>{plan.name}</UiLink>
            </h3>
            <PlanBadges plan={plan} />
          </div>
          {plan.description !== "" && (
            <p className="max-w-[72ch] text-pretty text-muted">{plan.description}</p>
          )}
        </div>
        <PlanActions plan={plan} role={role} onEdit={onEdit} />
      </div>
      <div className="border-t border-line pt-3">
        <PlanVerdict planId={plan.id} role={role} fallback={<Skeleton height={32} />} />
      </div>
      <div className="grid gap-x-8 border-t border-line pt-1 lg:grid-cols-2">
        <DefinitionList
          items={[
            { term: "Endpoints", value: plan.endpoints.map(({ name }) => name).join(", ") },
            { term: "Method", value: titleOf(plan, methods) },
            { term: "Runs", value: <Recurrence cron={plan.cron} timeZone={plan.timeZone} /> },
            spendingOf(plan),
            { term: "Last slot", value: <LastSlot plan={plan} /> },
          ]}
        />
        <DefinitionList
          items={[
            {
              term: "Next five runs",
              value: <NextRuns isPaused={plan.isPaused} instants={plan.nextRunsAt} />,
            },
          ]}
        />
      </div>
    </article>
  );
}

export const titleOf = ({ method }: BenchmarkPlanRow, methods: readonly BenchmarkMethodRow[]) =>
  methods.find(({ name }) => name === method.name)?.title ?? method.name;

export function PlanBadges({ plan }: { plan: BenchmarkPlanRow }) {
  return (
    <>
      {plan.isPaused && <Badge status="warning">Paused</Badge>}
      {plan.isBuiltIn && <Badge>built in</Badge>}
    </>
  );
}

function LastSlot({ plan: { lastSlot } }: { plan: BenchmarkPlanRow }) {
  const last =
    lastSlot === null ? null : { ...lastSlot, outcome: lastSlot.outcome ?? formatProgress(lastSlot) };
  return <LastOccurrence last={last} statusOf={benchmarkStatus} />;
}

/** What a plan used up this month: money at stores, writes on drives. */
export const spendingOf = (plan: BenchmarkPlanRow) =>
  plan.writtenBytesThisMonth === null
    ? { term: "Spent this month", value: <Spending plan={plan} /> }
    : { term: "Written this month", value: <Written plan={plan} /> };

function Written({ plan: { writtenBytesThisMonth, writtenBytesPerMonth } }: { plan: BenchmarkPlanRow }) {
  return (
    <span className="tabular-nums">
      {formatBytes(writtenBytesThisMonth ?? 0)}{" "}
      <span className="text-muted">
        {writtenBytesPerMonth === null ? "no limit" : `of at most ${formatBytes(writtenBytesPerMonth)}`}
      </span>
    </span>
  );
}

function Spending({ plan: { spentThisMonth, budgetPerMonth } }: { plan: BenchmarkPlanRow }) {
  if (spentThisMonth === null) {
    return <span className="text-muted">unknown without a price list for every endpoint and run</span>;
  }
  const spent = formatDollars(spentThisMonth);
  if (budgetPerMonth === null) {
    return (
      <span className="tabular-nums">
        {spent} <span className="text-muted">no budget</span>
      </span>
    );
  }
  const share = budgetPerMonth === 0 ? 1 : Math.min(1, spentThisMonth / budgetPerMonth);
  return (
    <span className="flex flex-wrap items-center gap-2 tabular-nums">
      {spent} of {formatDollars(budgetPerMonth)}
      <span
        role="img"
        aria-label={`${Math.round(share * 100)} % of the month's budget`}
        className="h-1.5 w-24 overflow-hidden rounded-full bg-unknown-soft"
      >
        <span style={{ width: `${share * 100}%` }} className="block h-full rounded-full bg-accent" />
      </span>
    </span>
  );
}
