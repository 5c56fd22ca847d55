"use client";
import type { BenchmarkMethodRow, BenchmarkPlanRow } from "@stashlight/contracts/benchmark";
import { formatBytes } from "@stashlight/ui";
import { Badge } from "@stashlight/ui/feedback";
import { formatDollars } from "./format-plan.ts";

export const methodTitle = ({ method }: BenchmarkPlanRow, methods: readonly BenchmarkMethodRow[]) =>
  methods.find(({ name }) => name === method.name)?.title ?? method.name;

export function PlanBadges({ plan }: { plan: BenchmarkPlanRow }) {
  return (
    <>
      {plan.isPaused && <Badge status="warning">Paused</Badge>}
      {plan.isBuiltIn && <Badge>built in</Badge>}
    </>
  );
}

/** Describes what a schedule used this month: money at stores, writes on drives. */
export const planSpending = (plan: BenchmarkPlanRow) => ({
  term: plan.writtenBytesThisMonth === null ? "Spent this month" : "Written this month",
  value: <UsedThisMonth plan={plan} />,
});

const UsedThisMonth = ({ plan }: { plan: BenchmarkPlanRow }) =>
  plan.writtenBytesThisMonth === null ? <Spending plan={plan} /> : <Written plan={plan} />;

/** Shorter form for a table cell: "$1.20 of $5.00". */
export function formatUsedThisMonth(plan: BenchmarkPlanRow): string {
  const { writtenBytesThisMonth, writtenBytesPerMonth, spentThisMonth, budgetPerMonth } = plan;
  if (writtenBytesThisMonth !== null) {
    const written = formatBytes(writtenBytesThisMonth);
    return writtenBytesPerMonth === null
      ? written
      : `${written} of at most ${formatBytes(writtenBytesPerMonth)}`;
  }
  if (spentThisMonth === null) return "unknown";
  const spent = formatDollars(spentThisMonth);
  return budgetPerMonth === null ? spent : `${spent} of ${formatDollars(budgetPerMonth)}`;
}

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
