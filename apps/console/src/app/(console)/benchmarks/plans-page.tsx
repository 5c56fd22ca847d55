"use client";
import type { BenchmarkPlanRow } from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { lazyPart, lazyWhenOpen, UiLink } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesCombined, FileUp, Plus, Scale } from "lucide-react";
import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import { useEffect, useRef } from "react";
import { NextStep } from "../../../client/next-step.tsx";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useDialog } from "../../../client/use-dialog.ts";
import { QueryError } from "../query-state.tsx";
import { isUnderWay } from "./format-plan.ts";
import { ownVantage } from "./own-vantage.ts";
import { planRoleNeeded } from "./plan-actions.tsx";
import type { PlanStart } from "./plan-form.ts";

// Loads its columns in parallel with the page, as the table does.
const PlanTable = lazyPart(async () => (await import("./plan-table.tsx")).PlanTable);
PlanTable.preload();
const PlanDialog = lazyWhenOpen(async () => (await import("./plan-dialog.tsx")).PlanDialog);

const busyRefetchMs = 1_000;
const idleRefetchMs = 15_000;
const noPlans: BenchmarkPlanRow[] = [];

export function PlansPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const plans = useQuery(
    trpc.benchmarkPlan.list.queryOptions(undefined, {
      refetchInterval: ({ state }) =>
        state.data?.some(({ lastSlot }) => isUnderWay(lastSlot)) ? busyRefetchMs : idleRefetchMs,
    }),
  );
  const editor = useDialog<{ plan: BenchmarkPlanRow | null; start?: PlanStart }>();
  useComparisonFromLink((start) => editor.show({ plan: null, start }));
  const mayEdit = roleIncludes(role, "operator");
  return (
    <Page>
      <PageHeader
        title="Benchmarks"
        description="Schedules measure object stores or drives side by side, repeatedly, and keep every sample."
        action={
          <>
            <LinkButton href="/benchmarks/compare" variant="secondary" icon={<Scale aria-hidden="true" />}>
              Compare runs
            </LinkButton>
            <LinkButton href="/benchmarks/import" variant="secondary" icon={<FileUp aria-hidden="true" />}>
              Import
            </LinkButton>
            {mayEdit && (
              <Button variant="primary" icon={<Plus />} onClick={() => editor.show({ plan: null })}>
                New schedule
              </Button>
            )}
          </>
        }
      />
      <Section title="Schedules" description={mayEdit ? undefined : planRoleNeeded}>
        <PlanTable
          plans={plans.data ?? noPlans}
          status={plans.isPending ? "loading" : plans.data === undefined ? "error" : "ready"}
          error={<QueryError what="The schedules" error={plans.error} onRetry={() => void plans.refetch()} />}
          empty={<NoPlans role={role} onCreate={() => editor.show({ plan: null })} />}
          role={role}
          onEdit={(plan) => editor.show({ plan })}
          fallback={<Skeleton height={180} />}
        />
      </Section>
      {renderDialog(editor, (subject, shown) => (
        <PlanDialog {...subject} {...shown} />
      ))}
    </Page>
  );
}

/** A link can start a schedule that compares endpoints: "?compare=ID,ID". */
function useComparisonFromLink(begin: (start: PlanStart) => void): void {
  const [endpointIds, setEndpointIds] = useQueryState("compare", parseAsArrayOf(parseAsString));
  const begun = useRef(begin);
  begun.current = begin;
  useEffect(() => {
    if (endpointIds === null) return;
    begun.current({ name: "", endpointIds, vantageNodeId: ownVantage, methodName: "small-uploads" });
    void setEndpointIds(null);
  }, [endpointIds, setEndpointIds]);
}

function NoPlans({ role, onCreate }: { role: Role; onCreate: () => void }) {
  return (
    <NextStep
      icon={<ChartNoAxesCombined />}
      title="No schedules yet"
      step={{ label: "Create the first schedule", onTake: onCreate }}
      needs={{ role: "operator", own: role }}
    >
      First add the <UiLink href="/admin/endpoints">endpoints to compare</UiLink>, such as a bucket at
      Backblaze B2 and one at Amazon S3. A schedule then measures them every six hours with 100 uploads of 256
      kB and of 1 MB.
    </NextStep>
  );
}
