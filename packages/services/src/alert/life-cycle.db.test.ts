/** Tests rules from their evaluation to the message in a channel, and how their alerts are resolved. */
import { type AlertRuleInput, alertRuleInput } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { deliverAlerts } from "../channel/deliver.ts";
import { sign, signatureHeader, timestampHeader } from "../channel/message.ts";
import { revokeNode } from "../node/revoke.ts";
import { accept, createTestNode } from "../testing/index.ts";
import { groupWaitMs } from "./alert-grouping.ts";
import { deleteAlertRule } from "./delete-rule.ts";
import { enableAlertRule } from "./enable-rule.ts";
import { evaluateDueRules, evaluationIntervalMs, watchedIntervalMs } from "./evaluate-due.ts";
import { listAlertRules } from "./list-rules.ts";
import { capacity, occupancy, useAlertTestBed, used } from "./testing/test-bed.ts";
import { updateAlertRule } from "./update-rule.ts";

const bed = useAlertTestBed();

test("a full device sends one signed message with the chart's address, and its recovery another", async () => {
  const { ruleId } = await bed.createRule();
  const { signingKey } = await bed.createWebhook();
  await bed.allowLoopback();
  await bed.evaluateNext(0.5);
  expect(await bed.firing()).toEqual([]);
  await bed.evaluateNext(0.8);
  expect(await bed.firing()).toMatchObject([{ status: "pending", value: 0.8 }]);
  await bed.evaluateNext(0.82);
  const [alert] = await bed.firing();
  expect(alert).toMatchObject({
    status: "firing",
    severity: "critical",
    labels: { node: "stash-1", device: "s1" },
    summary: "Stash full (node stash-1, device s1): 82 %, above 75 %.",
  });
  expect(await deliverAlerts(bed.installation.platform)).toBe(0);
  expect(await bed.deliver()).toBe(1);
  await bed.evaluateNext(0.9);
  expect(await bed.firing()).toMatchObject([{ value: 0.9, incidentEnd: null }]);
  expect(await deliverAlerts(bed.installation.platform)).toBe(0);
  await bed.evaluateNext(0.2);
  expect(await bed.firing()).toEqual([]);
  expect(await deliverAlerts(bed.installation.platform)).toBe(1);

  const [fired, resolved] = bed.messages();
  expect(fired).toMatchObject({ kind: "firing", rule: { id: ruleId, name: "Stash full" }, value: 0.82 });
  expect(resolved).toMatchObject({ kind: "resolved", firingId: fired.id });
  expect(fired.url).toBe(`http://console.test${alert?.path}`);
  const [post] = bed.receiver.posts;
  const timestamp = String(post?.headers[timestampHeader]);
  expect(post?.path).toBe("/hook");
  expect(post?.headers[signatureHeader]).toBe(`v1=${sign(signingKey ?? "", timestamp, post?.body ?? "")}`);
  expect((await bed.events()).map(({ kind, delivered, waiting }) => [kind, delivered, waiting])).toEqual([
    ["resolved", 1, 0],
    ["firing", 1, 0],
  ]);
  expect(await bed.incidents()).toMatchObject([
    {
      summary: "Stash full (node stash-1, device s1): above 75 %; worst 90 %.",
      worst: "90 %",
      groupCount: 1,
      notified: { delivered: ["Ops"] },
      mutedBy: null,
    },
  ]);
});

test("an alert that fires before and after a stop of the product names the time without evaluations everywhere", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.createWebhook();
  await bed.allowLoopback();
  await bed.evaluateNext(0.9);
  await bed.deliver();
  bed.installation.clock.advance(3_600_000 - evaluationIntervalMs - groupWaitMs);
  await bed.evaluateNext(0.9);
  const pause = "not evaluated for 1 h since it began.";
  expect(await bed.firing()).toMatchObject([
    { summary: expect.stringContaining(pause), incidentSummary: expect.stringContaining(pause) },
  ]);
  expect(await bed.incidents()).toMatchObject([{ endedAt: null, summary: expect.stringContaining(pause) }]);
  await bed.evaluateNext(0.2);
  await deliverAlerts(bed.installation.platform);
  expect(bed.messages().at(-1)).toMatchObject({ kind: "resolved", summary: expect.stringContaining(pause) });
  expect(await bed.incidents()).toMatchObject([{ summary: expect.stringContaining(pause) }]);
});

test("a firing rule is evaluated sooner than others, so that its value is current", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.evaluateNext(0.5);
  bed.installation.clock.advance(watchedIntervalMs);
  await bed.report(0.9);
  expect(await bed.evaluateNow()).toBe(0);
  bed.installation.clock.advance(evaluationIntervalMs - watchedIntervalMs);
  expect(await bed.evaluateNow()).toBe(1);
  expect(await bed.firing()).toMatchObject([{ status: "firing", value: 0.9 }]);
  bed.installation.clock.advance(watchedIntervalMs);
  await bed.report(0.85);
  expect(await bed.evaluateNow()).toBe(1);
  expect(await bed.firing()).toMatchObject([{ status: "firing", value: 0.85 }]);
});

test("a rule is evaluated once and its message sent once when several workers poll", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.createWebhook();
  await bed.allowLoopback();
  await bed.report(0.9);
  const workers = [1, 2, 3].map(() => bed.installation.anotherPlatform({ kind: "worker" }));
  const counts = await Promise.all(workers.map((platform) => bed.evaluateNow(platform)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await bed.events()).toHaveLength(1);
  bed.installation.clock.advance(groupWaitMs);
  const sent = await Promise.all(workers.map((platform) => deliverAlerts(platform)));
  expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(bed.messages()).toHaveLength(1);
});

test("a silent node fires an alert, and revoking the node resolves it", async () => {
  await bed.createRule({
    name: "Silent",
    query: { metric: used, where: {}, groupBy: ["node"], across: "sum" },
    condition: { kind: "absence", minutes: 1 },
    forSeconds: 0,
  });
  await bed.evaluateNext(0.1);
  for (let i = 0; i < 3; i += 1) await bed.evaluateNext(null);
  expect(await bed.firing()).toEqual([]);
  await bed.evaluateNext(null);
  await bed.evaluateNext(null);
  expect(await bed.firing()).toMatchObject([{ status: "firing", labels: { node: "stash-1" } }]);
  await revokeNode({ ctx: bed.admin.ctx, input: { nodeId: bed.node.id, name: bed.node.name } });
  await bed.evaluateNext(null);
  expect(await bed.firing()).toEqual([]);
  expect((await bed.events()).map(({ kind }) => kind)).toEqual(["resolved", "firing"]);
});

test("changing, disabling or deleting a rule resolves its alerts but keeps their history", async () => {
  const { ruleId } = await bed.createRule({ forSeconds: 0 });
  const fire = async () => {
    await bed.evaluateNext(0.9);
    expect(await bed.firing()).toHaveLength(1);
    bed.installation.clock.advance(1_000);
  };
  await fire();
  const renamed = { ...alertRuleInput.parse({ ...occupancy, name: "Fuller", forSeconds: 0 }), ruleId };
  await updateAlertRule({ ctx: bed.admin.ctx, input: renamed });
  expect(await bed.firing()).toHaveLength(1);
  const condition = { ...renamed.condition, threshold: 0.8 } as AlertRuleInput["condition"];
  await updateAlertRule({ ctx: bed.admin.ctx, input: { ...renamed, condition } });
  expect(await bed.firing()).toEqual([]);
  await fire();
  await enableAlertRule({ ctx: bed.admin.ctx, input: { ruleId, isEnabled: false } });
  expect(await bed.firing()).toEqual([]);
  await enableAlertRule({ ctx: bed.admin.ctx, input: { ruleId, isEnabled: true } });
  await fire();
  await deleteAlertRule({ ctx: bed.admin.ctx, input: { ruleId } });
  expect((await bed.events()).map(({ kind }) => kind)).toEqual(
    Array.from({ length: 3 }, () => ["resolved", "firing"]).flat(),
  );
  const incidents = await bed.incidents();
  expect(incidents.map(({ endedAt }) => endedAt !== null)).toEqual([true, true, true]);
});

test("a rule that cannot be evaluated shows the reason, and the others are still evaluated", async () => {
  const { ruleId } = await bed.createRule();
  await bed.createRule({ name: "Another" });
  const failures: unknown[] = [];
  await bed.installation.platform.db.alertRule.update({
    where: { id: ruleId },
    data: { query: { ...occupancy.query, metric: "no_such_metric", where: {}, across: "sum" } },
  });
  const count = await evaluateDueRules(bed.installation.platform, (error) => failures.push(error));
  expect(count).toBe(1);
  expect(failures).toHaveLength(1);
  const rules = await listAlertRules({ ctx: bed.admin.ctx });
  expect(rules.map(({ name, lastError }) => [name, lastError !== null])).toEqual([
    ["Another", false],
    ["Stash full", true],
  ]);
});

test("a simulated node fires no alert", async () => {
  await bed.createRule({ forSeconds: 0 });
  const simulated = await createTestNode(bed.installation.platform, "stash-2", true);
  const labels = { stash: "stash-2", device: "s1" };
  const batch = simulated.batch({
    endMs: bed.nowMs(),
    gauges: [
      [used, labels, 999],
      [capacity, labels, 1000],
    ],
  });
  await accept(bed.installation.platform, batch);
  await bed.evaluateNext(0.1);
  expect(await bed.firing()).toEqual([]);
});
