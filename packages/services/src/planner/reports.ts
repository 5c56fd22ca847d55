/** Links to plans, as they were when somebody shared them. */
import type { PlanReportDocument, sharePlanInput } from "@stashlight/contracts/planner";
import type { ReportLinkRow } from "@stashlight/contracts/report-link";
import { planReportColumns } from "@stashlight/db/columns/plan-scenario";
import type { z } from "zod";
import { type Context, requireRole, type Verb } from "../context.ts";
import {
  type IssuedReport,
  issueReport,
  listReports,
  type ReportKind,
  readReport,
  revokeReport,
} from "../report-link/links.ts";
import { askedOf, findScenario } from "./find.ts";

const planReports: ReportKind = {
  kind: "plan",
  targetKind: "plan report",
  path: "/plan",
  shared: "plan.report_shared",
  revoked: "plan.report_revoked",
};

export async function sharePlan({
  ctx,
  input,
}: Verb<z.output<typeof sharePlanInput>>): Promise<IssuedReport> {
  requireRole(ctx, "operator");
  const { scenarioId, title, lifetimeDays } = input;
  const scenario = await findScenario(ctx.platform.db, scenarioId);
  const createdAt = ctx.platform.now();
  const document: PlanReportDocument = {
    title,
    name: scenario.name,
    note: scenario.note,
    createdAt,
    ...askedOf(scenario),
  };
  return issueReport(ctx, planReports, {
    title,
    subjectName: scenario.name,
    lifetimeDays,
    document: planReportColumns.document.write(document),
    createdAt,
  });
}

export const listPlanReports = ({ ctx }: { ctx: Context }): Promise<ReportLinkRow[]> =>
  listReports(ctx, planReports);

export const revokePlanReport = ({ ctx, input }: Verb<{ reportId: string }>): Promise<void> =>
  revokeReport(ctx, planReports, input.reportId);

/** For whoever holds the link, signed in or not. */
export async function readPlanReport({
  ctx,
  input,
}: Verb<{ token: string }>): Promise<PlanReportDocument & { expiresAt: Date }> {
  const report = await readReport(ctx, planReports, input.token);
  return {
    ...planReportColumns.document.read(report.document, report.id),
    createdAt: report.createdAt,
    expiresAt: report.expiresAt,
  };
}
