"use client";
import type { PlanReportDocument } from "@stashlight/contracts/planner";
import { lazyPart } from "@stashlight/ui";
import { createApiClient } from "../../client/trpc.tsx";
import { SharedReport } from "../shared-report.tsx";

const SharedPlan = lazyPart(async () => (await import("./shared-plan.tsx")).SharedPlan);

const read = (token: string): Promise<PlanReportDocument & { expiresAt: Date }> =>
  createApiClient().planner.readReport.mutate({ token });

/** Shows a plan as it was when it was shared. */
export function SharedPlanPage() {
  return (
    <SharedReport title="Plan" read={read}>
      {(report, waiting) => <SharedPlan report={report} fallback={waiting} />}
    </SharedReport>
  );
}
