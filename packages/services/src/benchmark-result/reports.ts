/** Reports of benchmarks: the comparison at the time of sharing. */
import type { BenchmarkReportDocument, createBenchmarkReportInput } from "@stashlight/contracts/benchmark";
import { benchmarkReportColumns } from "@stashlight/db/columns/benchmark-result";
import { methodTitle } from "../benchmark/method.ts";
import { requireRole, type Verb } from "../context.ts";
import { type IssuedReport, issueReport, readReport } from "../report-link/links.ts";
import type { WithCalculator } from "./calculator.ts";
import { compareFigures } from "./compare.ts";
import { computeChanges } from "./find-changes.ts";
import { readProvenance } from "./provenance.ts";
import { findPlanOfResults } from "./results-plan.ts";
import { readFigures } from "./run-columns.ts";
import { readRestoreTimes } from "./sweep/get-restore-time.ts";
import { readSweep } from "./sweep/get-sweep.ts";
import { toHistory } from "./to-history.ts";

const historyPointCountMax = 400;

/** Computes the comparison and stores it. */
export async function createBenchmarkReport({
  ctx,
  input,
}: Verb<typeof createBenchmarkReportInput, WithCalculator>): Promise<IssuedReport> {
  requireRole(ctx, "operator");
  const { platform } = ctx;
  const { title, lifetimeDays, sweepPlanIds, restore: restored, ...question } = input;
  const { planId, fromMs, toMs, minimumEffect } = question;
  const period = { fromMs, toMs };
  const plan = await findPlanOfResults(platform.db, planId);
  const comparison = await compareFigures(platform, question);
  const figures = await readFigures(platform, question, [question.endpointAId, question.endpointBId]);
  const sweep =
    sweepPlanIds && (await readSweep(platform, { planIds: sweepPlanIds, ...period, minimumEffect }));
  const restoreQuestion = restored && { planId, ...period, ...restored };
  const restore = restoreQuestion && {
    question: restoreQuestion,
    times: await readRestoreTimes(platform, restoreQuestion),
  };
  const provenance = await readProvenance(platform, sweepPlanIds ?? [planId], period);
  const createdAt = platform.now();
  const document: BenchmarkReportDocument = {
    title,
    createdAt,
    comparison,
    history: toHistory({ ...question, figures, pointCountMax: historyPointCountMax, events: [] }),
    changes: await computeChanges(platform, figures),
    method: { title: methodTitle(plan.method), parameters: plan.method.parameters },
    sweep,
    restore,
    provenance,
  };
  return issueReport(ctx, "benchmark", {
    title,
    subjectName: plan.name,
    lifetimeDays,
    document: benchmarkReportColumns.document.write(document),
    createdAt,
  });
}

/** Serves everyone who has the link, signed in or not. */
export const readBenchmarkReport = ({
  ctx,
  input,
}: Verb<{ token: string }>): Promise<BenchmarkReportDocument & { expiresAt: Date }> =>
  readReport(ctx, "benchmark", input.token, benchmarkReportColumns.document);
