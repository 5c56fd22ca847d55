import type { inferRouterOutputs } from "@trpc/server";
import { router } from "../trpc.ts";
import { accessKeyRouter } from "./access-key.ts";
import { alertRouter, annotationRouter, channelRouter } from "./alert.ts";
import {
  benchmarkPlanRouter,
  benchmarkReportRouter,
  benchmarkResultRouter,
  benchmarkRunRouter,
} from "./benchmark.ts";
import { driveRouter, failureRateRouter, fsyncProbeRouter } from "./drive.ts";
import { endpointRouter } from "./endpoint.ts";
import { dashboardRouter, metricRouter, traceRouter } from "./metric.ts";
import { linkRouter, nodeRouter } from "./node.ts";
import { plannerRouter } from "./planner.ts";
import { reportLinkRouter, weeklyReportRouter } from "./report.ts";
import { simulationRouter } from "./simulation.ts";
import { auditRouter, healthRouter, scheduleRouter, searchRouter } from "./system.ts";
import { accountRouter, apiTokenRouter, userRouter } from "./user.ts";
import { bucketRouter, forecastRouter, objectLocationRouter, vaultRouter } from "./vault.ts";

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
