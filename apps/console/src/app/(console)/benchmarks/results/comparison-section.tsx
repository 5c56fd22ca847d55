"use client";
import type {
  BenchmarkPlanRow,
  BenchmarkSubjectChoice,
  createBenchmarkReportInput,
} from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { lazyWhenOpen } from "@stashlight/ui";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Share2 } from "lucide-react";
import type { z } from "zod";
import { toProblem } from "../../../../client/errors.ts";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryError } from "../../query-state.tsx";
import { Comparison } from "./comparison.tsx";
import { ComparisonChooser, useComparisonChoice } from "./comparison-choice.tsx";
import { Omission } from "./omission.tsx";
import { SlotsNeeded } from "./slots-needed.tsx";

const ShareDialog = lazyWhenOpen(
  async () => (await import("../../report-links/share-dialog.tsx")).ShareDialog,
);

interface ComparisonSectionProps {
  plan: BenchmarkPlanRow;
  subject: BenchmarkSubjectChoice;
  period: { fromMs: number; toMs: number };
  /** End of the period for slots that are queued now. */
  nextSlotsUntilMs: number;
  role: Role;
  /** Content of a shared report apart from the comparison. */
  shared: Pick<z.input<typeof createBenchmarkReportInput>, "sweepPlanIds" | "restore">;
}

export function ComparisonSection(props: ComparisonSectionProps) {
  if (props.plan.endpoints.length >= 2) return <Chosen {...props} />;
  return (
    <Section title="Which is faster?">
      <Callout status="info" title="This schedule measures one endpoint">
        A comparison needs two endpoints in the same schedule, because only runs of the same slot are
        compared. Edit the schedule to add another endpoint.
      </Callout>
    </Section>
  );
}

function Chosen({ plan, subject, period, nextSlotsUntilMs, role, shared }: ComparisonSectionProps) {
  const trpc = useTRPC();
  const choice = useComparisonChoice(plan);
  const share = useDialog<true>();
  const create = useMutation(trpc.benchmarkReport.create.mutationOptions());
  const { operation, sizeBytes, connectionCount } = subject;
  const asked = { planId: plan.id, operation, sizeBytes, connectionCount, ...period };
  const { endpointAId, endpointBId, minimumEffect, hasPublished } = choice;
  const question = { ...asked, endpointAId, endpointBId, minimumEffect };
  const comparison = useQuery(
    trpc.benchmarkResult.compare.queryOptions(question, { placeholderData: keepPreviousData }),
  );
  const omission = useQuery(
    trpc.benchmarkResult.omission.queryOptions(asked, { placeholderData: keepPreviousData }),
  );
  const isRefused = comparison.isError && toProblem(comparison.error).reason === "precondition_failed";
  return (
    <Section
      title="Which is faster?"
      actions={
        roleIncludes(role, "operator") && (
          <Button
            variant="secondary"
            icon={<Share2 aria-hidden="true" />}
            disabled={comparison.data === undefined || comparison.isError}
            onClick={() => share.show(true)}
          >
            Share report
          </Button>
        )
      }
    >
      <ComparisonChooser plan={plan} choice={choice} />
      <SlotsNeeded question={{ ...question, toMs: nextSlotsUntilMs }} role={role} />
      {isRefused && (
        <Callout status="info" title="Nothing to compare in this time range">
          {toProblem(comparison.error).message}
        </Callout>
      )}
      {comparison.isError && !isRefused && (
        <QueryError
          what="The comparison"
          error={comparison.error}
          onRetry={() => void comparison.refetch()}
        />
      )}
      {comparison.isPending && <Skeleton height={360} />}
      {comparison.data !== undefined && !comparison.isError && (
        <Comparison comparison={comparison.data} hasPublished={hasPublished} />
      )}
      {omission.data !== undefined && omission.data.length > 0 && <Omission views={omission.data} />}
      {renderDialog(share, (_, shown) => (
        <ShareDialog
          subjectName={plan.name}
          description="Anyone with the link can read the comparison, the figures by size and the restore times as they are now, without signing in. The report names the endpoints' addresses and the machine that measured, but neither buckets nor keys."
          share={(fields) => create.mutateAsync({ ...question, ...shared, ...fields })}
          {...shown}
        />
      ))}
    </Section>
  );
}
