/**
 * Public API as a table: paths, scopes, inputs and answers. The table routes and parses requests, validates answers and
 * generates the OpenAPI document, so the document cannot differ from them.
 */
import type { z } from "zod";
import { createAnnotationInput } from "../annotation/annotation.ts";
import type { ApiScope } from "../api-token/scopes.ts";
import { benchmarkPlanIdInput } from "../benchmark/plan.ts";
import {
  acknowledgeBody,
  acknowledgedAnswer,
  alertsAnswer,
  silenceBody,
  silencedAnswer,
  silenceEndedAnswer,
  silencePath,
  silencesAnswer,
} from "./alerts.ts";
import { annotatedAnswer } from "./annotations.ts";
import {
  listSlotsParameters,
  planAnswer,
  planPath,
  plansAnswer,
  runAnswer,
  runPath,
  slotsAnswer,
  startedAnswer,
  verdictAnswer,
} from "./benchmarks.ts";
import {
  driveMarkedAnswer,
  driveStatsAnswer,
  driveStatsBody,
  drivesAnswer,
  markDriveBody,
} from "./drives.ts";
import { healthAnswer } from "./health.ts";
import { metricAnswer, queryMetricParameters } from "./metrics.ts";
import { vaultsAnswer } from "./vaults.ts";

export interface ApiOperation {
  readonly method: "GET" | "POST";
  /** Below `publicApiPath`, with names of path parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly scope: ApiScope;
  readonly summary: string;
  readonly inPath?: z.ZodObject;
  readonly inQuery?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly status: 200 | 201 | 202;
  /** Name of the answer's schema in the document. */
  readonly answerName: string;
  readonly answer: z.ZodObject;
}

export const publicApiPath = "/api/v1";

const read = { method: "GET", status: 200 } as const;

export const apiOperations = {
  readHealth: {
    ...read,
    path: "/health",
    tag: "Health",
    scope: "health:read",
    summary: "The state of Stashlight and of its vaults, with checks, versions and processes.",
    answerName: "Health",
    answer: healthAnswer,
  },
  queryMetric: {
    ...read,
    path: "/metrics/query",
    tag: "Metrics",
    scope: "metrics:read",
    summary: "One statistic of a metric over a range, by labels.",
    inQuery: queryMetricParameters,
    answerName: "Metric",
    answer: metricAnswer,
  },
  listVaults: {
    ...read,
    path: "/vaults",
    tag: "Vaults",
    scope: "vaults:read",
    summary: "Every vault with its state, its fill and its forecasts.",
    answerName: "Vaults",
    answer: vaultsAnswer,
  },
  listAlerts: {
    ...read,
    path: "/alerts",
    tag: "Alerts",
    scope: "alerts:read",
    summary: "Firing and pending alerts, one for each rule and vault.",
    answerName: "Alerts",
    answer: alertsAnswer,
  },
  acknowledgeAlert: {
    method: "POST",
    path: "/alerts/acknowledgements",
    tag: "Alerts",
    scope: "alerts:write",
    summary: "Acknowledges the firing alerts of a rule in a vault: channels get no reminders until they end.",
    body: acknowledgeBody,
    status: 201,
    answerName: "Acknowledged",
    answer: acknowledgedAnswer,
  },
  listSilences: {
    ...read,
    path: "/silences",
    tag: "Alerts",
    scope: "alerts:read",
    summary: "Silences and maintenance windows that are not over.",
    answerName: "Silences",
    answer: silencesAnswer,
  },
  silenceAlerts: {
    method: "POST",
    path: "/silences",
    tag: "Alerts",
    scope: "alerts:write",
    summary: "Silences alerts of a rule, or of all rules, by labels: they are recorded but not sent.",
    body: silenceBody,
    status: 201,
    answerName: "Silenced",
    answer: silencedAnswer,
  },
  endSilence: {
    method: "POST",
    path: "/silences/{silenceId}/end",
    tag: "Alerts",
    scope: "alerts:write",
    summary: "Ends a silence now; alerts that still fire are sent.",
    inPath: silencePath,
    status: 200,
    answerName: "SilenceEnded",
    answer: silenceEndedAnswer,
  },
  listPlans: {
    ...read,
    path: "/plans",
    tag: "Benchmarks",
    scope: "plans:read",
    summary: "Every benchmark schedule, with its next slots and its last one.",
    answerName: "Plans",
    answer: plansAnswer,
  },
  readPlan: {
    ...read,
    path: "/plans/{planId}",
    tag: "Benchmarks",
    scope: "plans:read",
    summary: "One benchmark plan.",
    inPath: planPath,
    answerName: "Plan",
    answer: planAnswer,
  },
  readVerdict: {
    ...read,
    path: "/plans/{planId}/verdict",
    tag: "Benchmarks",
    scope: "runs:read",
    summary: "The verdict on a schedule's first two endpoints, from the newest two weeks.",
    inPath: planPath,
    answerName: "Verdict",
    answer: verdictAnswer,
  },
  listRuns: {
    ...read,
    path: "/runs",
    tag: "Benchmarks",
    scope: "runs:read",
    summary: "Slots planned in a range with the runs in them, newest first; skipped ones have the reason.",
    inQuery: listSlotsParameters,
    answerName: "Slots",
    answer: slotsAnswer,
  },
  readRun: {
    ...read,
    path: "/runs/{runId}",
    tag: "Benchmarks",
    scope: "runs:read",
    summary: "One run with the figures of each operation and size.",
    inPath: runPath,
    answerName: "Run",
    answer: runAnswer,
  },
  startRun: {
    method: "POST",
    path: "/runs",
    tag: "Benchmarks",
    scope: "runs:start",
    summary: "Queues a slot of a schedule for now.",
    body: benchmarkPlanIdInput.strict(),
    status: 202,
    answerName: "Started",
    answer: startedAnswer,
  },
  annotate: {
    method: "POST",
    path: "/annotations",
    tag: "Charts",
    scope: "annotations:write",
    summary: "Marks a moment or a span on the charts: a deploy, a swapped drive.",
    body: createAnnotationInput.strict(),
    status: 201,
    answerName: "Annotated",
    answer: annotatedAnswer,
  },
  listDrives: {
    ...read,
    path: "/drives",
    tag: "Drives",
    scope: "drives:read",
    summary: "The fleet's drives with their marks, the failure rates of models, and imported counts.",
    answerName: "Drives",
    answer: drivesAnswer,
  },
  markDrive: {
    method: "POST",
    path: "/drives/marks",
    tag: "Drives",
    scope: "drives:write",
    summary: "Marks a drive as failed (which counts as a failure of its model), as retired, or as in use.",
    body: markDriveBody,
    status: 201,
    answerName: "DriveMarked",
    answer: driveMarkedAnswer,
  },
  importDriveStats: {
    method: "POST",
    path: "/drive-stats",
    tag: "Drives",
    scope: "drives:write",
    summary: "Stores drive days and failures by model and quarter; replaces quarters that exist.",
    body: driveStatsBody,
    status: 201,
    answerName: "DriveStats",
    answer: driveStatsAnswer,
  },
} as const satisfies Record<string, ApiOperation>;

export type ApiOperationName = keyof typeof apiOperations;

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type PartOf<Name extends ApiOperationName, Part extends string> = (typeof apiOperations)[Name] extends {
  [Key in Part]: infer Schema;
}
  ? OutputOf<Schema>
  : unknown;

/** Everything that a request of the operation carries, as one object. */
export type ApiInput<Name extends ApiOperationName> = PartOf<Name, "inPath"> &
  PartOf<Name, "inQuery"> &
  PartOf<Name, "body">;
export type ApiAnswer<Name extends ApiOperationName> = z.input<(typeof apiOperations)[Name]["answer"]>;
