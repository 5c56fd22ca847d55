/** Tests alerts with one cause: grouped into one message, inhibited by another alert, counted once. */
import { type AlertRuleInput, alertRuleInput, createAlertSilenceInput } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { deliverAlerts } from "../channel/deliver.ts";
import { countFiring } from "./count-firing.ts";
import { createAlertRule } from "./create-rule.ts";
import { evaluationIntervalMs } from "./evaluate-due.ts";
import { silenceAlerts } from "./silence.ts";
import { occupancy, useAlertTestBed, used } from "./testing/test-bed.ts";

const bed = useAlertTestBed();

test("a stall of all drives sends one message that names the worst drive, and one when it ends", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.createWebhook();
  await bed.allowLoopback();
  const devices = Array.from({ length: 21 }, (_, at) => `s${at}`);
  const evaluateAt = async (shares: readonly number[]): Promise<void> => {
    bed.installation.clock.advance(evaluationIntervalMs);
    for (const [at, device] of devices.entries()) await bed.report(shares[at] ?? 0.1, device);
    await bed.evaluateNow();
  };
  await evaluateAt(devices.map((_, at) => (at < 9 ? 0.8 : 0.1)));
  await evaluateAt(devices.map((_, at) => (at === 12 ? 0.99 : 0.8)));
  const all = await bed.firing();
  expect(all).toHaveLength(21);
  expect(new Set(all.map(({ vault, groupCount }) => `${vault} ${groupCount}`))).toEqual(new Set(["v 21"]));
  expect(await bed.deliver()).toBe(1);
  await evaluateAt(devices.map((_, at) => (at < 20 ? 0.1 : 0.8)));
  expect(await bed.deliver()).toBe(0);
  await evaluateAt([]);
  expect(await bed.deliver()).toBe(1);
  const [fired, resolved, ...more] = bed.messages();
  expect(more).toEqual([]);
  expect(fired).toMatchObject({
    kind: "firing",
    summary: "Stash full (vault v, node stash-1): 21 of 21 drives, above 75 %; worst 99 % (device s12).",
    labels: { vault: "v", node: "stash-1" },
    value: 0.99,
    groupCount: 21,
  });
  expect(fired.groups).toHaveLength(21);
  expect(resolved).toMatchObject({ kind: "resolved", firingId: fired.id });
  expect((await bed.events()).length).toBe(42);
});

test("a stall of 21 drives of two kinds sends one message and one resolution, although they recover one by one", async () => {
  const { db } = bed.installation.platform;
  const drives = Array.from({ length: 21 }, (_, at) => `d${at}`);
  const slow = { condition: { ...occupancy.condition, windowSeconds: 30 }, forSeconds: 0 };
  const kinds = { "fsync-hdd": drives.slice(0, 20), "fsync-ssd": drives.slice(20) };
  for (const [builtInKey, device] of Object.entries(kinds)) {
    const query = { ...occupancy.query, where: { device }, groupBy: [...occupancy.query.groupBy] };
    const { ruleId } = await bed.createRule({
      ...slow,
      name: builtInKey,
      query: { ...query, across: "sum" },
    });
    await db.alertRule.update({ where: { id: ruleId }, data: { builtInKey } });
  }
  await bed.createWebhook();
  await bed.allowLoopback();
  const evaluateAt = async (slowCount: number): Promise<void> => {
    bed.installation.clock.advance(evaluationIntervalMs);
    for (const [at, device] of drives.entries()) await bed.report(20 - at < slowCount ? 0.9 : 0.1, device);
    await bed.evaluateNow();
  };
  await evaluateAt(0);
  for (const slowCount of [21, 21, 21, 21, 2, 2, 0, 0]) {
    await evaluateAt(slowCount);
    await deliverAlerts(bed.installation.platform);
  }
  expect(bed.messages()).toMatchObject([
    { kind: "firing", rule: { name: "fsync-hdd" }, groupCount: 20 },
    { kind: "resolved", rule: { name: "fsync-hdd" } },
  ]);
});

test("an alert caused by a silent node is recorded but not sent, and its queued message is withdrawn", async () => {
  const byNode: AlertRuleInput["query"] = { metric: used, where: {}, groupBy: ["node"], across: "sum" };
  const terms = { condition: { kind: "absence", minutes: 1 }, forSeconds: 0 } as const;
  const silent = await bed.createRule({ ...terms, name: "Node silent", query: byNode, forSeconds: 15 });
  await bed.createRule({
    ...terms,
    name: "Drive missing",
    query: { ...byNode, groupBy: ["node", "device"] },
  });
  await bed.createWebhook();
  await bed.allowLoopback();
  const evaluateSilentFirst = () =>
    bed.installation.platform.db.alertRule.update({
      where: { id: silent.ruleId },
      data: { builtInKey: "node-silence", evaluatedAt: null },
    });
  await bed.evaluateNext(0.1);
  const isMissing = async () => (await bed.firing()).some(({ status }) => status === "firing");
  for (let i = 0; i < 8 && !(await isMissing()); i += 1) await bed.evaluateNext(null);
  expect(await bed.firing()).toMatchObject([
    { ruleName: "Drive missing", status: "firing", inhibitedBy: null },
    { ruleName: "Node silent", status: "pending" },
  ]);
  await evaluateSilentFirst();
  await bed.evaluateNext(null);
  expect(await bed.firing()).toMatchObject([
    {
      ruleName: "Drive missing",
      inhibitedBy: {
        ruleId: silent.ruleId,
        ruleName: "Node silent",
        reason: "node stash-1 is silent",
      },
    },
    { ruleName: "Node silent", status: "firing", inhibitedBy: null },
  ]);
  expect(await countFiring({ ctx: bed.admin.ctx })).toEqual({ causeCount: 1, worst: "critical" });
  expect(await bed.deliver()).toBe(1);
  expect((await bed.events()).map(({ ruleName, mutedBy }) => [ruleName, mutedBy]).sort()).toEqual([
    ["Drive missing", "inhibited by Node silent: node stash-1 is silent"],
    ["Node silent", null],
  ]);
  await bed.evaluateNext(0.1);
  await deliverAlerts(bed.installation.platform);
  expect(bed.messages().map(({ kind, rule }) => [kind, rule.name])).toEqual([
    ["firing", "Node silent"],
    ["resolved", "Node silent"],
  ]);
});

test("causes are counted by rule and vault, without silenced ones", async () => {
  const count = () => countFiring({ ctx: bed.admin.ctx });
  const { ruleId } = await bed.createRule({ forSeconds: 0 });
  const input = alertRuleInput.parse({ ...occupancy, forSeconds: 0, name: "Fuller", severity: "info" });
  await createAlertRule({ ctx: bed.admin.ctx, input });
  expect(await count()).toEqual({ causeCount: 0, worst: null });
  await bed.report(0.9, "s2");
  await bed.evaluateNext(0.9);
  expect(await bed.firing()).toHaveLength(4);
  expect(await count()).toEqual({ causeCount: 2, worst: "critical" });
  const silence = { ruleId, reason: "Swap", minutes: 10, labels: { device: ["s1"] } };
  await silenceAlerts({ ctx: bed.admin.ctx, input: createAlertSilenceInput.parse(silence) });
  expect(await count()).toEqual({ causeCount: 2, worst: "critical" });
  await silenceAlerts({
    ctx: bed.admin.ctx,
    input: createAlertSilenceInput.parse({ ...silence, labels: {} }),
  });
  expect(await count()).toEqual({ causeCount: 1, worst: "info" });
});
