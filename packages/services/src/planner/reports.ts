/** Links to plans, as they were when they were shared. */
import type { PlanReportDocument, sharePlanInput } from "@stashlight/contracts/planner";
import { planReportColumns } from "@stashlight/db/columns/plan-scenario";
import { requireRole, type Verb } from "../context.ts";
import { type IssuedReport, issueReport, readReport } from "../report-link/links.ts";
import { findScenario, toAskedPlan } from "./stored-scenario.ts";

export async function sharePlan({ ctx, input }: Verb<typeof sharePlanInput>): Promise<IssuedReport> {
  requireRole(ctx, "operator");
  const { scenarioId, title, lifetimeDays } = input;
  const scenario = await findScenario(ctx.platform.db, scenarioId);
  const createdAt = ctx.platform.now();
  const document: PlanReportDocument = {
    title,
    name: scenario.name,
    note: scenario.note,
    createdAt,
    ...toAskedPlan(scenario),
  };
  return issueReport(ctx, "plan", {
    title,
    subjectName: scenario.name,
    lifetimeDays,
    document: planReportColumns.document.write(document),
    createdAt,
  });
}

/** Serves everyone who has the link, signed in or not. */
export const readPlanReport = ({
  ctx,
  input,
}: Verb<{ token: string }>): Promise<PlanReportDocument & { expiresAt: Date }> =>
  readReport(ctx, "plan", input.token, planReportColumns.document);
