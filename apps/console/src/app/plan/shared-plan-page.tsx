"use client";
import type { PlanReportDocument } from "@stashlight/contracts/planner";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { AuthCard, Page, PageHeader } from "@stashlight/ui/layout";
import { lazy, Suspense } from "react";
import { createApiClient } from "../../client/trpc.tsx";
import { useShared } from "../../client/use-shared.ts";

const SharedPlan = lazy(async () => ({ default: (await import("./shared-plan.tsx")).SharedPlan }));

const read = (token: string): Promise<PlanReportDocument & { expiresAt: Date }> =>
  createApiClient().planner.readReport.mutate({ token });

/** A plan as it was when it was shared, for whoever has the link. */
export function SharedPlanPage() {
  const shared = useShared(read);
  if (shared.state === "gone") {
    return (
      <AuthCard title="This link does not work">
        <Callout status="warning" title={shared.message} />
      </AuthCard>
    );
  }
  return (
    <main className="mx-auto max-w-6xl">
      {shared.state === "reading" ? (
        <Waiting />
      ) : (
        <Suspense fallback={<Waiting />}>
          <SharedPlan report={shared.report} />
        </Suspense>
      )}
    </main>
  );
}

function Waiting() {
  return (
    <Page>
      <PageHeader title="Plan" />
      <Skeleton height={480} />
    </Page>
  );
}
