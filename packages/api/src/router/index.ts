import type { inferRouterOutputs } from "@trpc/server";
import { router } from "../trpc.ts";
import { accessKeyRouter } from "./access-key.ts";
import { accountRouter } from "./account.ts";
import { alertRouter } from "./alert.ts";
import { annotationRouter } from "./annotation.ts";
import { apiTokenRouter } from "./api-token.ts";
import { auditRouter } from "./audit.ts";
import { benchmarkPlanRouter } from "./benchmark-plan.ts";
import { benchmarkReportRouter } from "./benchmark-report.ts";
import { benchmarkResultRouter } from "./benchmark-result.ts";
import { benchmarkRunRouter } from "./benchmark-run.ts";
import { bucketRouter } from "./bucket.ts";
import { channelRouter } from "./channel.ts";
import { dashboardRouter } from "./dashboard.ts";
import { driveRouter } from "./drive.ts";
import { endpointRouter } from "./endpoint.ts";
import { failureRateRouter } from "./failure-rate.ts";
import { forecastRouter } from "./forecast.ts";
import { fsyncProbeRouter } from "./fsync-probe.ts";
import { healthRouter } from "./health.ts";
import { linkRouter } from "./link.ts";
import { metricRouter } from "./metric.ts";
import { nodeRouter } from "./node.ts";
import { objectLocationRouter } from "./object-location.ts";
import { plannerRouter } from "./planner.ts";
import { reportLinkRouter } from "./report-link.ts";
import { scheduleRouter } from "./schedule.ts";
import { searchRouter } from "./search.ts";
import { simulationRouter } from "./simulation.ts";
import { traceRouter } from "./trace.ts";
import { userRouter } from "./user.ts";
import { vaultRouter } from "./vault.ts";
import { weeklyReportRouter } from "./weekly-report.ts";

export const appRouter = router({
  accessKey: accessKeyRouter,
  account: accountRouter,
  alert: alertRouter,
  annotation: annotationRouter,
  apiToken: apiTokenRouter,
  audit: auditRouter,
  benchmarkPlan: benchmarkPlanRouter,
  benchmarkReport: benchmarkReportRouter,
  benchmarkResult: benchmarkResultRouter,
  benchmarkRun: benchmarkRunRouter,
  bucket: bucketRouter,
  channel: channelRouter,
  dashboard: dashboardRouter,
  drive: driveRouter,
  endpoint: endpointRouter,
  failureRate: failureRateRouter,
  forecast: forecastRouter,
  fsyncProbe: fsyncProbeRouter,
  health: healthRouter,
  link: linkRouter,
  node: nodeRouter,
  metric: metricRouter,
  objectLocation: objectLocationRouter,
  planner: plannerRouter,
  reportLink: reportLinkRouter,
  schedule: scheduleRouter,
  search: searchRouter,
  simulation: simulationRouter,
  trace: traceRouter,
  user: userRouter,
  vault: vaultRouter,
  weeklyReport: weeklyReportRouter,
});

export type AppRouter = typeof appRouter;
/** Output of each procedure, by its path. */
export type ApiOutputs = inferRouterOutputs<AppRouter>;
