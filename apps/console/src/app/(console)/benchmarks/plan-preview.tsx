"use client";
import type { BenchmarkPlanPreview } from "@stashlight/contracts/benchmark";
import { formatBytes, formatCount } from "@stashlight/ui";
import { DefinitionList } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { formatDuration } from "../../../client/duration.ts";
import { describeError } from "../../../client/errors.ts";
import { Instants } from "../jobs/occurrence.tsx";
import { formatDollars, formatTogether, formatWear, slotLimitProblem } from "./format-plan.ts";
import { monthOfPlan } from "./plan-month.ts";
import type { usePreview } from "./use-preview.ts";

/** Next runs, requests, bytes and cost of the plan in the form. */
export function PlanPreview({
  preview,
  costPerSlotMax,
  budgetPerMonth,
  isOfDrives,
}: {
  preview: ReturnType<typeof usePreview>;
  costPerSlotMax: number | null;
  budgetPerMonth: number | null;
  isOfDrives: boolean;
}) {
  return (
    <section
      aria-label="Preview"
      aria-live="polite"
      className="flex flex-col gap-2 rounded-md border border-line px-4 py-3"
    >
      <h3 className="font-medium text-ink">What it will do</h3>
      {preview.isError && (
        <Callout status="warning" title="No preview available">
          {describeError(preview.error)}
        </Callout>
      )}
      {preview.data === undefined && !preview.isError && <Skeleton height={160} />}
      {preview.data !== undefined &&
        !preview.isError &&
        (isOfDrives ? (
          <ToldOfDrives told={preview.data} />
        ) : (
          <Told told={preview.data} costPerSlotMax={costPerSlotMax} budgetPerMonth={budgetPerMonth} />
        ))}
    </section>
  );
}

/** Upper bounds of time, bytes written and wear, because the writes to a drive are not known in advance. */
function ToldOfDrives({ told }: Pick<ToldProps, "told">) {
  const { nextRunsAt, estimatedSeconds, writtenBytesPerRun, writtenBytesPerMonth, wear } = told;
  return (
    <DefinitionList
      items={[
        { term: "Next five runs", value: <Instants instants={nextRunsAt} /> },
        {
          term: "Per drive and run",
          value: `at most ${formatBytes(writtenBytesPerRun)} written, at most about ${formatDuration(estimatedSeconds * 1000)}`,
        },
        { term: "Per drive and month", value: `at most ${formatBytes(writtenBytesPerMonth)} written` },
        {
          term: "Wear",
          value: wear.length === 0 ? "unknown, because no drive has an endurance label" : formatWear(wear),
        },
      ]}
    />
  );
}

interface ToldProps {
  told: BenchmarkPlanPreview;
  costPerSlotMax: number | null;
  budgetPerMonth: number | null;
}

function Told({ told, costPerSlotMax, budgetPerMonth }: ToldProps) {
  const { nextRunsAt, requestsPerRun, uploadedBytesPerRun, downloadedBytesPerRun, estimatedSeconds, costs } =
    told;
  const downloaded = downloadedBytesPerRun === 0 ? "" : `, ${formatBytes(downloadedBytesPerRun)} downloaded`;
  const problem = slotLimitProblem(costs, costPerSlotMax);
  const month = monthOfPlan(told, budgetPerMonth);
  return (
    <>
      <DefinitionList
        items={[
          { term: "Next five runs", value: <Instants instants={nextRunsAt} /> },
          {
            term: "Per endpoint and run",
            value: `${formatCount(requestsPerRun)} ${requestsPerRun === 1 ? "request" : "requests"}, ${formatBytes(uploadedBytesPerRun)} uploaded${downloaded}, about ${formatDuration(estimatedSeconds * 1000)}`,
          },
          { term: "Cost", value: <Costs costs={costs} /> },
          ...(costPerSlotMax === null
            ? []
            : [{ term: "Limit per slot", value: formatDollars(costPerSlotMax) }]),
        ]}
      />
      <FigurePanel
        title="How much does a month use?"
        metric={month.metric}
        figure={month.figure}
        source="estimated from the method"
        exportName="plan-month"
        heightPx={150}
      />
      {problem !== null && (
        <Callout status="warning" title="Limit per slot exceeded">
          {problem}
        </Callout>
      )}
    </>
  );
}

function Costs({ costs }: Pick<BenchmarkPlanPreview, "costs">) {
  if (costs.length === 0) return <span className="text-muted">Choose endpoints to see the cost.</span>;
  return (
    <ul className="flex flex-col tabular-nums">
      {costs.map((cost) => (
        <li key={cost.endpointId}>
          {cost.endpointName}:{" "}
          {cost.perRun === null || cost.perMonth === null ? (
            <span className="text-muted">unknown without a price list</span>
          ) : (
            `${formatDollars(cost.perRun)} per run, ${formatDollars(cost.perMonth)} per month`
          )}
        </li>
      ))}
      {costs.length > 1 && <li className="font-medium">Together: {formatTogether(costs)}</li>}
    </ul>
  );
}
