import type { Context } from "@stashlight/services/context";
import type { Platform } from "@stashlight/services/platform";
import { ensureSchedules } from "@stashlight/services/schedule";
import { testPassword, testScenario, useSharedInstallation } from "@stashlight/services/testing";
import { beforeAll, expect, test } from "vitest";
import { appRouter } from "./router/index.ts";

/** "ok", or the error code of the procedure. */
type Outcome =
  | "ok"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "invalid_input"
  | "precondition_failed"
  | "link_expired";
type Outcomes = Record<"nobody" | "viewer" | "operator" | "admin", Outcome>;

const everybody = (outcome: Outcome): Outcomes => ({
  nobody: outcome,
  viewer: outcome,
  operator: outcome,
  admin: outcome,
});
const signedIn = (outcome: Outcome): Outcomes => ({ ...everybody(outcome), nobody: "unauthenticated" });
const operators = (outcome: Outcome): Outcomes => ({ ...signedIn(outcome), viewer: "forbidden" });
const admins = (outcome: Outcome): Outcomes => ({ ...operators(outcome), operator: "forbidden" });

const token = "x".repeat(43);
const newPassword = "a long enough pass phrase";
const range = { fromMs: 0, toMs: 1 };
const missing = { userId: "nobody-at-all" };
const missingNode = { nodeId: "00000000-0000-4000-8000-000000000000" };
const missingRule = { ruleId: missingNode.nodeId };
const missingChannel = { channelId: missingNode.nodeId };
const query = { metric: "stashlight_connections" };
const condition = { kind: "threshold", statistic: "last", comparison: "above", threshold: 1 };
const missingDrive = { node: "stash-1", device: "s0" };
const missingPlan = { planId: missingNode.nodeId };
const missingScenario = { scenarioId: missingNode.nodeId };
const missingRun = { runId: missingNode.nodeId };
const method = { name: "small-uploads" };
const planFields = { name: "Plan", endpointIds: [missingNode.nodeId], method, cron: "0 */6 * * *" };
const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI" };
const endpointFields = {
  name: "B2",
  kind: "b2",
  url: "https://s3.us-west-004.backblazeb2.com",
  region: "us-west-004",
  bucket: "benchmarks",
};
const missingAccessKey = { keyId: missingNode.nodeId };
const missingEndpoint = { endpointId: missingNode.nodeId };
const subject = { ...missingPlan, ...range, operation: "PUT", sizeBytes: 1 };
const otherId = "00000000-0000-4000-8000-000000000001";
const comparison = { ...subject, endpointAId: missingNode.nodeId, endpointBId: otherId };
const webhook = { kind: "webhook", url: "https://hooks.example.org/alerts" };

const missingDashboard = { dashboardId: missingNode.nodeId };
const missingPanel = { panelId: missingNode.nodeId };
const panelQuery = { metric: "stashlight_connections", where: {}, splitBy: null, statistic: "sum" };
const missingSimulation = { simulationId: missingNode.nodeId };
const scenario = testScenario();

const rule = {
  id: "logs",
  isEnabled: true,
  form: "filter",
  abortAfterDays: null,
  filter: { prefix: "", tags: [], sizeBytesAbove: null, sizeBytesBelow: null },
  expiration: { kind: "days", days: 30 },
};

/** Every procedure: its input, and its outcome for each role. A missing procedure fails the test. */
const table: Record<string, [input: unknown, outcomes: Outcomes]> = {
  "account.settings": [undefined, signedIn("ok")],
  "account.updateProfile": [{ name: "Renamed" }, signedIn("ok")],
  "account.changePassword": [{ currentPassword: "not it", newPassword }, signedIn("invalid_input")],
  "account.endSession": [{ sessionId: "none" }, signedIn("not_found")],
  "account.startTotp": [{ password: "not it" }, signedIn("invalid_input")],
  "account.confirmTotp": [{ code: "000000" }, signedIn("invalid_input")],
  "account.disableTotp": [{ password: "not it" }, signedIn("invalid_input")],
  "account.renewBackupCodes": [{ password: testPassword }, signedIn("conflict")],
  "account.firstSteps": [undefined, signedIn("ok")],
  "account.hideFirstSteps": [{ isHidden: true }, signedIn("ok")],
  "accessKey.list": [undefined, admins("ok")],
  "accessKey.create": [
    { vault: "main", owner: "ada", name: "Backups", permission: "write", buckets: null },
    admins("precondition_failed"),
  ],
  "accessKey.update": [
    { ...missingAccessKey, name: "Backups", permission: "read", buckets: ["photos"] },
    admins("not_found"),
  ],
  "accessKey.rotate": [missingAccessKey, admins("not_found")],
  "accessKey.disable": [{ ...missingAccessKey, isDisabled: true }, admins("not_found")],
  "accessKey.delete": [{ ...missingAccessKey, name: "Backups" }, admins("not_found")],
  "apiToken.list": [undefined, signedIn("ok")],
  "apiToken.listAll": [undefined, admins("ok")],
  "apiToken.create": [{ name: "CI", scopes: ["runs:start"], lifetimeDays: 1 }, operators("ok")],
  "apiToken.revoke": [{ tokenId: missingNode.nodeId }, signedIn("not_found")],
  "alert.listFiring": [undefined, signedIn("ok")],
  "alert.countFiring": [undefined, signedIn("ok")],
  "alert.listIncidents": [range, signedIn("ok")],
  "alert.listRules": [undefined, signedIn("ok")],
  "alert.getRule": [missingRule, signedIn("not_found")],
  "alert.preview": [{ query, condition }, signedIn("ok")],
  "alert.replay": [{ ...missingRule, ...range }, signedIn("not_found")],
  "alert.createRule": [{ name: "Rule", query, condition }, admins("ok")],
  "alert.updateRule": [{ ...missingRule, name: "Another", query, condition }, admins("not_found")],
  "alert.enableRule": [{ ...missingRule, isEnabled: false }, admins("not_found")],
  "alert.deleteRule": [missingRule, admins("not_found")],
  "alert.acknowledge": [{ ...missingRule, vault: "main" }, operators("not_found")],
  "alert.withdrawAcknowledgement": [{ ...missingRule, vault: "main" }, operators("not_found")],
  "alert.listMaintenance": [range, signedIn("ok")],
  "alert.listSilences": [undefined, signedIn("ok")],
  "alert.silence": [{ reason: "Maintenance", minutes: 1 }, operators("ok")],
  "alert.planMaintenance": [{ reason: "Rack is moved", startMs: 1, endMs: 2 }, operators("invalid_input")],
  "alert.endSilence": [{ silenceId: missingNode.nodeId }, operators("not_found")],
  "annotation.list": [range, signedIn("ok")],
  "annotation.create": [{ text: "Deploy" }, operators("ok")],
  "annotation.delete": [{ annotationId: missingNode.nodeId }, operators("not_found")],
  "benchmarkPlan.list": [undefined, signedIn("ok")],
  "benchmarkPlan.get": [missingPlan, signedIn("not_found")],
  "benchmarkPlan.listMethods": [undefined, signedIn("ok")],
  "benchmarkPlan.listVantages": [undefined, signedIn("ok")],
  "benchmarkPlan.preview": [{ method, cron: "0 */6 * * *" }, signedIn("ok")],
  "benchmarkPlan.create": [planFields, operators("not_found")],
  "benchmarkPlan.update": [{ ...missingPlan, ...planFields }, operators("not_found")],
  "benchmarkPlan.delete": [{ ...missingPlan, name: "Plan" }, operators("not_found")],
  "benchmarkPlan.pause": [{ ...missingPlan, isPaused: true }, operators("not_found")],
  "benchmarkPlan.runNow": [missingPlan, operators("not_found")],
  "benchmarkReport.create": [{ ...comparison, title: "Report" }, operators("not_found")],
  "benchmarkReport.read": [{ token }, everybody("link_expired")],
  "benchmarkResult.listSubjects": [missingPlan, signedIn("not_found")],
  "benchmarkResult.history": [subject, signedIn("not_found")],
  "benchmarkResult.changes": [subject, signedIn("not_found")],
  "benchmarkResult.compare": [comparison, signedIn("not_found")],
  "benchmarkResult.countSlots": [comparison, signedIn("not_found")],
  "benchmarkResult.runRest": [comparison, operators("not_found")],
  "benchmarkResult.planVerdict": [missingPlan, signedIn("not_found")],
  "benchmarkResult.runUntilVerdict": [missingPlan, operators("not_found")],
  "benchmarkResult.omission": [subject, signedIn("not_found")],
  "benchmarkResult.sweep": [{ planIds: [missingPlan.planId], ...range }, signedIn("not_found")],
  "benchmarkResult.restoreTime": [
    { ...missingPlan, ...range, objectBytes: 1, objectCount: 1, connectionCount: 1 },
    signedIn("not_found"),
  ],
  "benchmarkResult.latestVerdicts": [undefined, signedIn("ok")],
  "benchmarkResult.compareRuns": [
    { runAId: missingNode.nodeId, runBId: otherId, operation: "PUT", sizeBytes: 1 },
    signedIn("precondition_failed"),
  ],
  "benchmarkResult.listComparable": [undefined, signedIn("ok")],
  "benchmarkResult.listImported": [undefined, signedIn("ok")],
  "benchmarkResult.deleteImported": [missingRun, operators("not_found")],
  "benchmarkResult.listWatches": [missingPlan, signedIn("ok")],
  "benchmarkResult.setWatch": [
    { ...missingPlan, operation: "PUT", sizeBytes: 1, regression: { kind: "change-point" } },
    operators("not_found"),
  ],
  "benchmarkResult.removeWatch": [{ watchId: missingNode.nodeId }, operators("not_found")],
  "benchmarkRun.listMarks": [range, signedIn("ok")],
  "benchmarkRun.listSlots": [range, signedIn("ok")],
  "benchmarkRun.get": [missingRun, signedIn("not_found")],
  "benchmarkRun.samples": [{ ...missingRun, operation: "PUT", sizeBytes: 1 }, signedIn("not_found")],
  "benchmarkRun.cancelSlot": [{ ...missingPlan, plannedAtMs: 0 }, operators("not_found")],
  "bucket.ask": [
    { vault: "main", question: { type: "view", bucket: "photos" } },
    signedIn("precondition_failed"),
  ],
  "bucket.preview": [{ vault: "main", bucket: "photos", rules: [rule] }, operators("precondition_failed")],
  "bucket.save": [
    { vault: "main", bucket: "photos", rules: [], revision: "none" },
    operators("precondition_failed"),
  ],
  "bucket.read": [{ questionId: missingNode.nodeId }, signedIn("not_found")],
  "bucket.listDeletions": [{ vault: "main", bucket: "photos" }, signedIn("ok")],
  "channel.list": [undefined, admins("ok")],
  "channel.create": [{ name: "Ops", config: webhook }, admins("ok")],
  "channel.update": [{ ...missingChannel, name: "Other", config: webhook }, admins("not_found")],
  "channel.delete": [missingChannel, admins("not_found")],
  "channel.test": [missingChannel, admins("not_found")],
  "channel.listDenied": [undefined, admins("ok")],
  "channel.listNetworks": [undefined, admins("ok")],
  "channel.allowNetwork": [{ cidr: "127.0.0.1/32" }, admins("ok")],
  "channel.removeNetwork": [{ cidr: "127.0.0.1/32" }, admins("ok")],
  "audit.list": [range, admins("ok")],
  "audit.verify": [undefined, admins("ok")],
  "dashboard.list": [undefined, signedIn("ok")],
  "dashboard.get": [missingDashboard, signedIn("not_found")],
  "dashboard.create": [{ name: "On call" }, signedIn("ok")],
  "dashboard.rename": [{ ...missingDashboard, name: "Night" }, signedIn("not_found")],
  "dashboard.delete": [missingDashboard, signedIn("not_found")],
  "dashboard.share": [{ ...missingDashboard, isShared: true }, signedIn("not_found")],
  "dashboard.setStart": [missingDashboard, signedIn("not_found")],
  "dashboard.pinPanel": [
    { ...missingDashboard, title: "Connections", query: panelQuery },
    signedIn("not_found"),
  ],
  "dashboard.renamePanel": [{ ...missingPanel, title: "Open" }, signedIn("not_found")],
  "dashboard.movePanel": [{ ...missingPanel, beforePanelId: null }, signedIn("not_found")],
  "dashboard.removePanel": [missingPanel, signedIn("not_found")],
  "drive.list": [undefined, signedIn("ok")],
  "drive.get": [{ driveId: missingNode.nodeId }, signedIn("not_found")],
  "drive.getRun": [missingRun, signedIn("not_found")],
  "drive.judgePeers": [{ ...missingNode, device: "p0" }, signedIn("not_found")],
  "drive.compare": [{}, signedIn("ok")],
  "endpoint.list": [undefined, signedIn("ok")],
  "endpoint.listDenied": [undefined, operators("ok")],
  "endpoint.create": [{ ...endpointFields, credentials }, admins("ok")],
  "endpoint.update": [{ ...missingEndpoint, ...endpointFields }, admins("not_found")],
  "endpoint.rotateCredentials": [{ ...missingEndpoint, credentials }, admins("not_found")],
  "endpoint.duplicate": [missingEndpoint, admins("not_found")],
  "endpoint.delete": [{ ...missingEndpoint, name: "B2" }, admins("not_found")],
  "endpoint.check": [missingEndpoint, operators("not_found")],
  "forecast.list": [{}, signedIn("ok")],
  "forecast.wear": [{ ...missingNode, device: "s0" }, signedIn("ok")],
  "fsyncProbe.list": [missingDrive, signedIn("ok")],
  "fsyncProbe.latest": [{ vault: "main" }, signedIn("ok")],
  "fsyncProbe.request": [missingDrive, operators("not_found")],
  "health.read": [undefined, signedIn("ok")],
  "health.outgrown": [undefined, signedIn("ok")],
  "health.telemetry": [undefined, signedIn("ok")],
  "link.describe": [{ token }, everybody("link_expired")],
  "link.completeSetup": [
    { token, name: "Ada", email: "ada@example.org", password: newPassword },
    everybody("link_expired"),
  ],
  "link.acceptInvitation": [{ token, name: "Ada", password: newPassword }, everybody("link_expired")],
  "link.resetPassword": [{ token, password: newPassword }, everybody("link_expired")],
  "node.list": [undefined, signedIn("ok")],
  "node.listSilences": [undefined, signedIn("ok")],
  "node.get": [missingNode, signedIn("not_found")],
  "node.approve": [missingNode, admins("not_found")],
  "node.revoke": [{ ...missingNode, name: "pod-1" }, admins("not_found")],
  "node.rotateKey": [missingNode, admins("not_found")],
  "node.listTokens": [undefined, admins("ok")],
  "node.createToken": [{ vault: "main", role: "pod" }, admins("ok")],
  "node.revokeToken": [{ tokenId: missingNode.nodeId }, admins("not_found")],
  "metric.query": [{ ...range, metric: "stashlight_connections" }, signedIn("ok")],
  "metric.heatmap": [{ ...range, metric: "stashlight_fsync_seconds" }, signedIn("ok")],
  "metric.labels": [{ metric: "stashlight_fsync_seconds" }, signedIn("ok")],
  "metric.stalls": [{ ...range, tier: "pod", overSeconds: 1 }, signedIn("ok")],
  "objectLocation.ask": [{ bucket: "photos", key: "cat.jpg" }, operators("precondition_failed")],
  "objectLocation.read": [{ askId: missingNode.nodeId }, operators("not_found")],
  "planner.liveInputs": [range, signedIn("ok")],
  "planner.listScenarios": [undefined, signedIn("ok")],
  "planner.getScenario": [missingScenario, signedIn("not_found")],
  "planner.createScenario": [{ name: "Plan", input: {} }, operators("invalid_input")],
  "planner.updateScenario": [{ ...missingScenario, input: {}, updatedAtMs: 0 }, operators("invalid_input")],
  "planner.renameScenario": [{ ...missingScenario, name: "Plan" }, operators("not_found")],
  "planner.deleteScenario": [{ ...missingScenario, name: "Plan" }, operators("not_found")],
  "planner.setDefaultScenario": [missingScenario, operators("not_found")],
  "planner.share": [{ ...missingScenario, title: "Plan" }, operators("not_found")],
  "planner.readReport": [{ token }, everybody("link_expired")],
  "reportLink.list": [{ kind: "plan" }, signedIn("ok")],
  "reportLink.revoke": [{ kind: "plan", reportId: missingNode.nodeId }, operators("not_found")],
  "simulation.list": [undefined, signedIn("ok")],
  "simulation.get": [missingSimulation, signedIn("not_found")],
  "simulation.liveVault": [range, signedIn("ok")],
  "simulation.start": [{ name: "Steady day", scenario }, operators("ok")],
  "simulation.cancel": [missingSimulation, operators("not_found")],
  "simulation.delete": [missingSimulation, operators("not_found")],
  "search.find": [{ text: "vault" }, signedIn("ok")],
  "trace.list": [range, signedIn("ok")],
  "trace.get": [{ uploadId: "none" }, signedIn("not_found")],
  "failureRate.list": [undefined, signedIn("ok")],
  "failureRate.ofPlace": [{ ...missingNode, device: "p0" }, signedIn("ok")],
  "failureRate.mark": [{ drive: "none", state: "failed" }, operators("not_found")],
  "schedule.list": [undefined, signedIn("ok")],
  "schedule.listRuns": [range, signedIn("ok")],
  "schedule.runNow": [{ scheduleId: "none" }, operators("not_found")],
  "schedule.pause": [{ scheduleId: "housekeeping", isPaused: true }, admins("ok")],
  "vault.list": [undefined, signedIn("ok")],
  "vault.listDurability": [undefined, signedIn("ok")],
  "vault.listLostObjects": [{ vault: "main" }, signedIn("ok")],
  "weeklyReport.settings": [undefined, signedIn("ok")],
  "weeklyReport.subscribe": [{ isWanted: true }, signedIn("ok")],
  "weeklyReport.sendNow": [undefined, signedIn("precondition_failed")],
  "user.list": [undefined, admins("ok")],
  "user.listInvitations": [undefined, admins("ok")],
  "user.invite": [{ email: "new@example.org", role: "viewer" }, admins("ok")],
  "user.revokeInvitation": [{ invitationId: "none" }, admins("not_found")],
  "user.changeRole": [{ ...missing, role: "admin" }, admins("not_found")],
  "user.disable": [missing, admins("not_found")],
  "user.enable": [missing, admins("not_found")],
  "user.endSessions": [missing, admins("not_found")],
  "user.issuePasswordLink": [missing, admins("not_found")],
  "user.disableTwoFactor": [missing, admins("not_found")],
};

const { installation } = useSharedInstallation();
const contexts = new Map<string, Context<Platform>>();

beforeAll(async () => {
  await ensureSchedules(installation.platform);
  contexts.set("nobody", installation.nobody);
  for (const role of ["viewer", "operator", "admin"] as const) {
    contexts.set(role, (await installation.person(role)).ctx);
  }
  // Another admin, so that none in the table is the last one.
  await installation.person("admin");
});

const paths = Object.keys(appRouter._def.procedures);

test("the table names every procedure, and nothing else", () => {
  expect(Object.keys(table).sort()).toEqual([...paths].sort());
});

async function callOutcome(path: string, who: string): Promise<string> {
  const ctx = contexts.get(who);
  if (ctx === undefined) throw new Error(`no context for ${who}`);
  const caller = appRouter.createCaller({
    ctx,
    requestHeaders: new Headers(),
    requestId: "test",
    setCookies: () => {},
    reportError: (error) => {
      throw error;
    },
  });
  const [router = "", name = ""] = path.split(".");
  const procedures = caller[router as keyof typeof caller] as unknown as Record<
    string,
    (input: unknown) => Promise<unknown>
  >;
  try {
    await procedures[name]?.(table[path]?.[0]);
    return "ok";
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code ?? String(error);
  }
}

test.each(
  paths.flatMap((path) => ["nobody", "viewer", "operator", "admin"].map((who) => [path, who] as const)),
)("%s as %s has the outcome in the table", async (path, who) => {
  expect(await callOutcome(path, who)).toBe(table[path]?.[1][who as keyof Outcomes]);
});
