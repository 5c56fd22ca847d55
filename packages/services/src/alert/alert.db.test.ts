import { createChannelInput } from "@stashlight/contracts/alert/channel";
import { acknowledgeAlertsInput } from "@stashlight/contracts/alert/event";
import { type AlertRuleInput, alertRuleInput, previewAlertRuleInput } from "@stashlight/contracts/alert/rule";
import { createAlertSilenceInput, planMaintenanceInput } from "@stashlight/contracts/alert/silence";
import { WEEK_MS } from "@stashlight/contracts/time/duration";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createChannel } from "../channel/create.ts";
import { deliverAlerts } from "../channel/deliver.ts";
import { sign, signatureHeader, timestampHeader } from "../channel/message.ts";
import { revokeNode } from "../node/revoke.ts";
import { allowOutboundNetwork } from "../outbound/networks.ts";
import {
  accept,
  auditEvents,
  createTestNode,
  openReceiver,
  openTestInstallation,
  type Person,
  type Receiver,
  type TestInstallation,
  type TestNode,
} from "../testing/index.ts";
import { acknowledgeAlerts, withdrawAcknowledgement } from "./acknowledge.ts";
import { ensureAlertRules } from "./built-in.ts";
import { countFiring } from "./count-firing.ts";
import { createAlertRule } from "./create-rule.ts";
import { deleteAlertRule } from "./delete-rule.ts";
import { enableAlertRule } from "./enable-rule.ts";
import { endSilence } from "./end-silence.ts";
import { evaluateDueRules, evaluationIntervalMs } from "./evaluate-due.ts";
import { groupIntervalMs, groupWaitMs } from "./incident.ts";
import { listAlertEvents } from "./list-events.ts";
import { listFiring } from "./list-firing.ts";
import { listAlertRules } from "./list-rules.ts";
import { listSilences } from "./list-silences.ts";
import { planMaintenance } from "./plan-maintenance.ts";
import { previewAlertRule } from "./preview.ts";
import { silenceAlerts } from "./silence.ts";
import { updateAlertRule } from "./update-rule.ts";
import { usualHoursMin } from "./usual.ts";

const used = "stashlight_stash_used_bytes";
const capacity = "stashlight_stash_capacity_bytes";
let installation: TestInstallation;
let admin: Person;
let node: TestNode;
let receiver: Receiver;

beforeEach(async () => {
  installation = await openTestInstallation();
  // Noon, so that what is stored of some minutes lies in one day.
  const today = new Date(installation.clock.now());
  installation.clock.set(new Date(today.setUTCHours(12, 0, 0, 0)));
  admin = await installation.person("admin");
  node = await createTestNode(installation.platform, "stash-1");
  receiver = await openReceiver();
});
afterEach(async () => {
  await Promise.all([installation.close(), receiver.close()]);
});

const fail = (error: unknown) => {
  throw error;
};
const evaluateNow = (platform = installation.platform) => evaluateDueRules(platform, fail);
const nowMs = () => installation.clock.now().getTime();

/** A window of a stash device that is so full. */
const report = (share: number, device = "s1") =>
  accept(
    installation.platform,
    node.batch({
      endMs: nowMs(),
      gauges: [
        [used, { stash: "stash-1", device }, share * 1000],
        [capacity, { stash: "stash-1", device }, 1000],
      ],
    }),
  );

/** Time goes on by one look, at the end of which the device is so full, and the rules are evaluated. */
async function look(share: number | null): Promise<void> {
  installation.clock.advance(evaluationIntervalMs);
  if (share !== null) await report(share);
  await evaluateNow();
}

const occupancy = {
  name: "Stash full",
  query: { metric: used, groupBy: ["node", "device"] },
  condition: {
    kind: "threshold",
    statistic: "last",
    shareOf: capacity,
    comparison: "above",
    threshold: 0.75,
    windowSeconds: 30,
  },
  forSeconds: 15,
  keepFiringSeconds: 0,
  severity: "critical",
} as const;

const makeRule = (changes: Partial<AlertRuleInput> = {}) =>
  createAlertRule({ ctx: admin.ctx, input: alertRuleInput.parse({ ...occupancy, ...changes }) });
const makeWebhook = () =>
  createChannel({
    ctx: admin.ctx,
    input: createChannelInput.parse({
      name: "Ops",
      config: { kind: "webhook", url: `${receiver.url}/hook` },
    }),
  });
const allowLoopback = () => allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: "127.0.0.1/32" } });
const firing = () => listFiring({ ctx: admin.ctx });
const events = () => listAlertEvents({ ctx: admin.ctx, input: { fromMs: 0, toMs: 8e15, pageSize: 100 } });
/** Sends what is due once a first message has waited for others to join it. */
async function deliver(platform = installation.platform): Promise<number> {
  installation.clock.advance(groupWaitMs);
  return deliverAlerts(platform);
}
const told = () => receiver.posts.map(({ body }) => JSON.parse(body));

test("from a full device to the webhook and back, each told once, signed, with the chart's address", async () => {
  const { ruleId } = await makeRule();
  const { signingKey } = await makeWebhook();
  await allowLoopback();
  await look(0.5);
  expect(await firing()).toEqual([]);
  await look(0.8);
  expect(await firing()).toMatchObject([{ status: "pending", value: 0.8 }]);
  await look(0.82);
  const [alert] = await firing();
  expect(alert).toMatchObject({
    status: "firing",
    severity: "critical",
    labels: { node: "stash-1", device: "s1" },
    summary: "Stash full (node stash-1, device s1): 82 %, last value above 75 %.",
  });
  expect(await deliverAlerts(installation.platform)).toBe(0);
  expect(await deliver()).toBe(1);
  await look(0.9);
  expect(await deliverAlerts(installation.platform)).toBe(0);
  await look(0.2);
  expect(await firing()).toEqual([]);
  expect(await deliverAlerts(installation.platform)).toBe(1);

  const [fired, resolved] = told();
  expect(fired).toMatchObject({ kind: "firing", rule: { id: ruleId, name: "Stash full" }, value: 0.82 });
  expect(resolved).toMatchObject({ kind: "resolved", firingId: fired.id });
  expect(fired.url).toBe(`http://console.test${alert?.path}`);
  const [post] = receiver.posts;
  const timestamp = String(post?.headers[timestampHeader]);
  expect(post?.path).toBe("/hook");
  expect(post?.headers[signatureHeader]).toBe(`v1=${sign(signingKey ?? "", timestamp, post?.body ?? "")}`);
  expect((await events()).map(({ kind, delivered, waiting }) => [kind, delivered, waiting])).toEqual([
    ["resolved", 1, 0],
    ["firing", 1, 0],
  ]);
});

test("of several workers that look at once, one evaluates a rule, and one sends a message", async () => {
  await makeRule({ forSeconds: 0 });
  await makeWebhook();
  await allowLoopback();
  await report(0.9);
  const workers = [1, 2, 3].map(() => installation.anotherPlatform({ kind: "worker" }));
  const counts = await Promise.all(workers.map((platform) => evaluateNow(platform)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await events()).toHaveLength(1);
  installation.clock.advance(groupWaitMs);
  const sent = await Promise.all(workers.map((platform) => deliverAlerts(platform)));
  expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(told()).toHaveLength(1);
});

test("what a silence covers is kept and not told; what still fires at its end is", async () => {
  const { ruleId } = await makeRule({ forSeconds: 0 });
  await makeWebhook();
  await allowLoopback();
  const input = createAlertSilenceInput.parse({
    ruleId,
    labels: { device: ["s1"] },
    reason: "Drive is swapped",
    minutes: 60,
  });
  const { silenceId } = await silenceAlerts({ ctx: admin.ctx, input });
  await report(0.9, "s2");
  await look(0.9);
  expect(
    (await firing()).map(({ labels, silencedUntil }) => [labels.device, silencedUntil !== null]),
  ).toEqual([
    ["s1", true],
    ["s2", false],
  ]);
  await deliver();
  expect(told()).toMatchObject([{ labels: { device: "s2" } }]);
  await endSilence({ ctx: admin.ctx, input: { silenceId } });
  await look(0.9);
  expect(await deliver()).toBe(0);
  installation.clock.advance(groupIntervalMs);
  await report(0.9, "s2");
  await look(0.9);
  await deliverAlerts(installation.platform);
  expect(told().at(-1)).toMatchObject({ kind: "reminder", firingId: told()[0].id, groupCount: 2 });
});

test("channels are reminded of what goes on firing, unless it is silenced, and of nothing that is over", async () => {
  const { ruleId } = await makeRule({ forSeconds: 0, remindSeconds: 300 });
  await makeWebhook();
  await allowLoopback();
  await look(0.8);
  await deliver();
  const nextReminder = async () => {
    installation.clock.advance(300_000 - evaluationIntervalMs);
    await look(0.9);
  };
  await nextReminder();
  await look(0.9);
  expect(await deliverAlerts(installation.platform)).toBe(1);
  const silence = await silenceAlerts({
    ctx: admin.ctx,
    input: createAlertSilenceInput.parse({ ruleId, reason: "known", minutes: 60 }),
  });
  await nextReminder();
  expect(await deliverAlerts(installation.platform)).toBe(0);
  await endSilence({ ctx: admin.ctx, input: { silenceId: silence.silenceId } });
  // Two that the receiver does not take, of which the later one is enough, and which say nothing once it is over.
  receiver.statuses.push(500);
  await look(0.9);
  expect(await deliverAlerts(installation.platform)).toBe(0);
  await nextReminder();
  const { db } = installation.platform;
  expect(await db.alertDelivery.count({ where: { state: "waiting" } })).toBe(1);
  await look(0.1);
  await deliverAlerts(installation.platform);
  const [fired, reminded, refused, resolved, ...more] = told();
  expect([fired, reminded, refused, resolved].map(({ kind }) => kind)).toEqual([
    "firing",
    "reminder",
    "reminder",
    "resolved",
  ]);
  expect(more).toEqual([]);
  expect(reminded).toMatchObject({ firingId: fired.id, summary: expect.stringContaining("90 %") });
  expect(new Set([fired.id, reminded.id, refused.id, resolved.id]).size).toBe(4);
  expect((await events()).map(({ kind }) => kind)).toEqual(["resolved", "firing"]);
});

test("a stall of all drives is one message, which names the worst, and so is its end", async () => {
  await makeRule({ forSeconds: 0 });
  await makeWebhook();
  await allowLoopback();
  const devices = Array.from({ length: 21 }, (_, at) => `s${at}`);
  const lookAt = async (shares: readonly number[]): Promise<void> => {
    installation.clock.advance(evaluationIntervalMs);
    for (const [at, device] of devices.entries()) await report(shares[at] ?? 0.1, device);
    await evaluateNow();
  };
  await lookAt(devices.map((_, at) => (at < 9 ? 0.8 : 0.1)));
  await lookAt(devices.map((_, at) => (at === 12 ? 0.99 : 0.8)));
  const all = await firing();
  expect(all).toHaveLength(21);
  expect(new Set(all.map(({ vault, groupCount }) => `${vault} ${groupCount}`))).toEqual(new Set(["v 21"]));
  expect(await deliver()).toBe(1);
  await lookAt(devices.map((_, at) => (at < 20 ? 0.1 : 0.8)));
  expect(await deliver()).toBe(0);
  await lookAt([]);
  expect(await deliver()).toBe(1);
  const [fired, resolved, ...more] = told();
  expect(more).toEqual([]);
  expect(fired).toMatchObject({
    kind: "firing",
    summary:
      "Stash full (vault v, node stash-1): 21 of 21 drives, last value above 75 %; worst 99 % (device s12).",
    labels: { vault: "v", node: "stash-1" },
    value: 0.99,
    groupCount: 21,
  });
  expect(fired.groups).toHaveLength(21);
  expect(resolved).toMatchObject({ kind: "resolved", firingId: fired.id });
  expect((await events()).length).toBe(42);
});

test("a silence of a vault covers each of its drives, although their labels do not name it", async () => {
  const { ruleId } = await makeRule({ forSeconds: 0 });
  const labels = { vault: ["v"] };
  const input = createAlertSilenceInput.parse({ ruleId, labels, reason: "Rack is moved", minutes: 60 });
  await silenceAlerts({ ctx: admin.ctx, input });
  await report(0.9, "s2");
  await look(0.9);
  expect((await firing()).map(({ vault, silencedUntil }) => [vault, silencedUntil !== null])).toEqual([
    ["v", true],
    ["v", true],
  ]);
});

test("who acknowledges what fires is told and shown until it is over, and nobody is reminded meanwhile", async () => {
  const { ruleId } = await makeRule({ forSeconds: 0, remindSeconds: 300 });
  await makeWebhook();
  await allowLoopback();
  const acknowledge = (note: string, vault = "v") =>
    acknowledgeAlerts({
      ctx: admin.ctx,
      input: acknowledgeAlertsInput.parse({ ruleId, vault, note }),
    });
  await expect(acknowledge("too early")).rejects.toMatchObject({ code: "conflict" });
  await look(0.9);
  await deliver();
  await expect(acknowledge("elsewhere", "films")).rejects.toMatchObject({ code: "conflict" });
  await acknowledge("Swapping it");
  expect(await deliverAlerts(installation.platform)).toBe(1);
  expect(await firing()).toMatchObject([{ acknowledged: { by: "admin", note: "Swapping it" } }]);
  installation.clock.advance(300_000);
  await look(0.9);
  expect(await deliverAlerts(installation.platform)).toBe(0);
  // A drive that begins to fire besides is news.
  await report(0.95, "s2");
  await look(0.9);
  expect(await deliverAlerts(installation.platform)).toBe(1);
  await report(0.1, "s2");
  await look(0.1);
  expect(await deliverAlerts(installation.platform)).toBe(1);
  const summary = "Stash full (vault v): acknowledged by admin: Swapping it";
  const [fired, ...rest] = told();
  expect(rest).toMatchObject([
    { kind: "acknowledged", firingId: fired.id, summary, labels: { vault: "v" } },
    { kind: "reminder", groupCount: 2 },
    { kind: "resolved", firingId: fired.id },
  ]);
  expect((await events()).filter(({ kind }) => kind === "acknowledged")).toMatchObject([
    { summary, vault: "v" },
  ]);
  const trail = await auditEvents(installation.platform);
  expect(trail.at(-1)).toMatchObject({ action: "alert.acknowledged" });
  await look(0.9);
  expect(await firing()).toMatchObject([{ acknowledged: null }]);
});

test("an acknowledgement that is withdrawn is gone, and reminders are sent again", async () => {
  const { ruleId } = await makeRule({ forSeconds: 0, remindSeconds: 300 });
  await makeWebhook();
  await allowLoopback();
  const place = { ruleId, vault: "v" };
  const withdraw = () => withdrawAcknowledgement({ ctx: admin.ctx, input: place });
  await expect(withdraw()).rejects.toMatchObject({ code: "conflict" });
  await look(0.9);
  await deliver();
  await acknowledgeAlerts({ ctx: admin.ctx, input: { ...place, note: "On my way" } });
  await deliverAlerts(installation.platform);
  await withdraw();
  expect(await firing()).toMatchObject([{ acknowledged: null }]);
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "alert.acknowledgement_withdrawn",
  });
  installation.clock.advance(300_000);
  await look(0.9);
  await deliverAlerts(installation.platform);
  expect(told().at(-1)).toMatchObject({ kind: "reminder" });
});

test("in a maintenance window alerts are recorded and not told, and what still fires at its end is", async () => {
  await makeRule({ forSeconds: 0 });
  await makeWebhook();
  await allowLoopback();
  const plan = (changes: object) =>
    planMaintenance({
      ctx: admin.ctx,
      input: planMaintenanceInput.parse({
        labels: { vault: ["v"], node: ["stash-1"] },
        reason: "Rack is moved",
        startMs: nowMs() + evaluationIntervalMs,
        endMs: nowMs() + 4 * evaluationIntervalMs,
        ...changes,
      }),
    });
  await expect(plan({ labels: { node: ["stash-l"] } })).rejects.toMatchObject({ field: "labels.node" });
  await expect(plan({ startMs: nowMs() - 1, endMs: nowMs() })).rejects.toMatchObject({ field: "endMs" });
  await plan({});
  const silences = () => listSilences({ ctx: admin.ctx });
  expect(await silences()).toMatchObject([{ isActive: false, isMaintenance: true, isWeekly: false }]);
  await look(0.9);
  expect(await silences()).toMatchObject([{ isActive: true }]);
  expect(await firing()).toMatchObject([{ status: "firing", isInMaintenance: true }]);
  expect(await events()).toMatchObject([{ mutedBy: "maintenance by admin: Rack is moved" }]);
  await look(0.9);
  expect(await deliver()).toBe(0);
  await look(0.9);
  expect(await silences()).toEqual([]);
  expect(await deliver()).toBe(1);
  expect(told()).toMatchObject([{ kind: "firing" }]);
});

test("a weekly window holds again each week until somebody ends it", async () => {
  const [startMs, endMs] = [nowMs(), nowMs() + 3_600_000];
  const input = planMaintenanceInput.parse({ reason: "Backups", startMs, endMs, isWeekly: true });
  const { silenceId } = await planMaintenance({ ctx: admin.ctx, input });
  installation.clock.advance(WEEK_MS);
  const silences = () => listSilences({ ctx: admin.ctx });
  const endsAt = new Date(endMs + WEEK_MS);
  expect(await silences()).toMatchObject([{ isActive: true, isWeekly: true, endsAt }]);
  installation.clock.advance(3_600_000);
  expect(await silences()).toMatchObject([{ isActive: false, startsAt: new Date(startMs + 2 * WEEK_MS) }]);
  await endSilence({ ctx: admin.ctx, input: { silenceId } });
  expect(await silences()).toEqual([]);
});

test("causes are counted by rule and vault, without those that are silenced", async () => {
  const count = () => countFiring({ ctx: admin.ctx });
  const { ruleId } = await makeRule({ forSeconds: 0 });
  const input = alertRuleInput.parse({ ...occupancy, forSeconds: 0, name: "Fuller", severity: "info" });
  await createAlertRule({ ctx: admin.ctx, input });
  expect(await count()).toEqual({ causeCount: 0, worst: null });
  await report(0.9, "s2");
  await look(0.9);
  expect(await firing()).toHaveLength(4);
  expect(await count()).toEqual({ causeCount: 2, worst: "critical" });
  const silence = { ruleId, reason: "Swap", minutes: 10, labels: { device: ["s1"] } };
  await silenceAlerts({ ctx: admin.ctx, input: createAlertSilenceInput.parse(silence) });
  expect(await count()).toEqual({ causeCount: 2, worst: "critical" });
  await silenceAlerts({ ctx: admin.ctx, input: createAlertSilenceInput.parse({ ...silence, labels: {} }) });
  expect(await count()).toEqual({ causeCount: 1, worst: "info" });
});

test("a rule that does not want it reminds nobody", async () => {
  await makeRule({ forSeconds: 0, remindSeconds: 0 });
  await makeWebhook();
  await allowLoopback();
  await look(0.8);
  installation.clock.advance(86_400_000);
  await look(0.8);
  await deliver();
  expect(told().map(({ kind }) => kind)).toEqual(["firing"]);
});

test("a node that falls silent is noticed, and one that was revoked is not waited for", async () => {
  await makeRule({
    name: "Silent",
    query: { metric: used, where: {}, groupBy: ["node"], across: "sum" },
    condition: { kind: "absence", minutes: 1 },
    forSeconds: 0,
  });
  await look(0.1);
  for (let i = 0; i < 3; i += 1) await look(null);
  expect(await firing()).toEqual([]);
  await look(null);
  await look(null);
  expect(await firing()).toMatchObject([{ status: "firing", labels: { node: "stash-1" } }]);
  await revokeNode({ ctx: admin.ctx, input: { nodeId: node.id, name: node.name } });
  await look(null);
  expect(await firing()).toEqual([]);
  expect((await events()).map(({ kind }) => kind)).toEqual(["resolved", "firing"]);
});

test("what follows from a silent node is kept and not told, and its message that waits is withdrawn", async () => {
  const byNode: AlertRuleInput["query"] = { metric: used, where: {}, groupBy: ["node"], across: "sum" };
  const terms = { condition: { kind: "absence", minutes: 1 }, forSeconds: 0 } as const;
  const silent = await makeRule({ ...terms, name: "Node silent", query: byNode, forSeconds: 15 });
  await makeRule({ ...terms, name: "Drive missing", query: { ...byNode, groupBy: ["node", "device"] } });
  await makeWebhook();
  await allowLoopback();
  const evaluateSilentFirst = () =>
    installation.platform.db.alertRule.update({
      where: { id: silent.ruleId },
      data: { builtInKey: "node-silence", evaluatedAt: null },
    });
  await look(0.1);
  const isMissing = async () => (await firing()).some(({ status }) => status === "firing");
  for (let i = 0; i < 8 && !(await isMissing()); i += 1) await look(null);
  expect(await firing()).toMatchObject([
    { ruleName: "Drive missing", status: "firing", inhibitedBy: null },
    { ruleName: "Node silent", status: "pending" },
  ]);
  await evaluateSilentFirst();
  await look(null);
  expect(await firing()).toMatchObject([
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
  expect(await countFiring({ ctx: admin.ctx })).toEqual({ causeCount: 1, worst: "critical" });
  expect(await deliver()).toBe(1);
  expect((await events()).map(({ ruleName, mutedBy }) => [ruleName, mutedBy]).sort()).toEqual([
    ["Drive missing", "inhibited by Node silent: node stash-1 is silent"],
    ["Node silent", null],
  ]);
  await look(0.1);
  await deliverAlerts(installation.platform);
  expect(told().map(({ kind, rule }) => [kind, rule.name])).toEqual([
    ["firing", "Node silent"],
    ["resolved", "Node silent"],
  ]);
});

test("a stall of 21 drives of two kinds is one message and one end, although they recover one by one", async () => {
  const { db } = installation.platform;
  const drives = Array.from({ length: 21 }, (_, at) => `d${at}`);
  const slow = { condition: { ...occupancy.condition, windowSeconds: 30 }, forSeconds: 0 };
  const kinds = { "fsync-hdd": drives.slice(0, 20), "fsync-ssd": drives.slice(20) };
  for (const [builtInKey, device] of Object.entries(kinds)) {
    const query = { ...occupancy.query, where: { device }, groupBy: [...occupancy.query.groupBy] };
    const { ruleId } = await makeRule({ ...slow, name: builtInKey, query: { ...query, across: "sum" } });
    await db.alertRule.update({ where: { id: ruleId }, data: { builtInKey } });
  }
  await makeWebhook();
  await allowLoopback();
  const lookAt = async (slowCount: number): Promise<void> => {
    installation.clock.advance(evaluationIntervalMs);
    for (const [at, device] of drives.entries()) await report(20 - at < slowCount ? 0.9 : 0.1, device);
    await evaluateNow();
  };
  await lookAt(0);
  for (const slowCount of [21, 21, 21, 21, 2, 2, 0, 0]) {
    await lookAt(slowCount);
    await deliverAlerts(installation.platform);
  }
  expect(told()).toMatchObject([
    { kind: "firing", rule: { name: "fsync-hdd" }, groupCount: 20 },
    { kind: "resolved", rule: { name: "fsync-hdd" } },
  ]);
});

test("a rule that is changed, turned off or deleted ends what it fired, and the history stays", async () => {
  const { ruleId } = await makeRule({ forSeconds: 0 });
  const fire = async () => {
    await look(0.9);
    expect(await firing()).toHaveLength(1);
    installation.clock.advance(1_000);
  };
  await fire();
  const renamed = { ...alertRuleInput.parse({ ...occupancy, name: "Fuller", forSeconds: 0 }), ruleId };
  await updateAlertRule({ ctx: admin.ctx, input: renamed });
  expect(await firing()).toHaveLength(1);
  const condition = { ...renamed.condition, threshold: 0.8 } as AlertRuleInput["condition"];
  await updateAlertRule({ ctx: admin.ctx, input: { ...renamed, condition } });
  expect(await firing()).toEqual([]);
  await fire();
  await enableAlertRule({ ctx: admin.ctx, input: { ruleId, isEnabled: false } });
  expect(await firing()).toEqual([]);
  await enableAlertRule({ ctx: admin.ctx, input: { ruleId, isEnabled: true } });
  await fire();
  await deleteAlertRule({ ctx: admin.ctx, input: { ruleId } });
  expect((await events()).map(({ kind }) => kind)).toEqual(
    Array.from({ length: 3 }, () => ["resolved", "firing"]).flat(),
  );
});

test("a rule that cannot be evaluated says why and does not keep the others from it", async () => {
  const { ruleId } = await makeRule();
  await makeRule({ name: "Another" });
  const failures: unknown[] = [];
  await installation.platform.db.alertRule.update({
    where: { id: ruleId },
    data: { query: { ...occupancy.query, metric: "no_such_metric", where: {}, across: "sum" } },
  });
  const count = await evaluateDueRules(installation.platform, (error) => failures.push(error));
  expect(count).toBe(1);
  expect(failures).toHaveLength(1);
  const rules = await listAlertRules({ ctx: admin.ctx });
  expect(rules.map(({ name, lastError }) => [name, lastError !== null])).toEqual([
    ["Another", false],
    ["Stash full", true],
  ]);
});

test("the built-in rules are there from the start, once, and what an admin made of them stays", async () => {
  await ensureAlertRules(installation.platform);
  const [first] = await listAlertRules({ ctx: admin.ctx });
  installation.clock.advance(1_000);
  await enableAlertRule({ ctx: admin.ctx, input: { ruleId: first?.id ?? "", isEnabled: false } });
  // As an earlier release had them; the first one was changed since, the others were not.
  await installation.platform.db.alertRule.updateMany({ data: { forSeconds: 3, description: "Old." } });
  await ensureAlertRules(installation.platform);
  const rules = await listAlertRules({ ctx: admin.ctx });
  expect(rules.map(({ name, sentence }) => `${name}: ${sentence}`)).toEqual([
    "Certificate ends within 14 days: last value below 14 days for 3 s",
    "Commits slow on HDD: average above 500 ms for 2 min",
    "Commits slow on SSD: average above 50 ms for 2 min",
    "Corrupt records wait for repair: last value above 0 records for 10 min",
    "Damage is correlated: maximum above 0",
    "Drive expects to fail: last value below 1 for 1 min",
    "Drive failed: increase above 0",
    "Drive not running: last value below 1 for 1 min",
    "Durable margin below the quorum: maximum above 0 shards for 2 min",
    "File system 90 % full: last value above 90 % for 5 min",
    "fsync failed: increase above 0",
    "fsync slow on HDD: p99 above 500 ms or 3 times its usual for 2 min, silent with fewer than 20 samples in 5 min",
    "fsync slow on SSD: p99 above 50 ms or 3 times its usual for 2 min, silent with fewer than 20 samples in 5 min",
    "Journal 90 % full: last value above 90 % for 5 min",
    "Many epochs behind an endpoint: last value above 40 % for 5 min",
    "Node silent: no value for 2 min",
    "Objects cannot be read: last value above 0 for 1 min",
    "Process keeps failing: last value below 1",
    "Purge is behind: p99 above 2 min for 2 min, silent with fewer than 20 samples in 5 min",
    "Reads of a drive fail: increase above 0",
    "Records of a drive fail their checksum: increase above 0 records",
    "Scraped store does not answer: last value below 1 for 2 min",
    "Scrub is late: last value above 200 % for 1 h",
    "Stash filling up: last value above 75 % for 5 min",
    "Stash full within the hour: full in less than 1 h for 2 min",
    "The vault sheds uploads: increase above 0 for 1 min",
    "Vault 80 % full: last value above 80 % for 1 min",
    "Vault full: last value above 95 % for 1 min",
    "Vault full within 24 h: full in less than 24 h for 1 h",
  ]);
  expect(rules.filter(({ isEnabled }) => !isEnabled)).toHaveLength(1);
  expect(await evaluateNow()).toBe(28);
  await expect(deleteAlertRule({ ctx: admin.ctx, input: { ruleId: first?.id ?? "" } })).rejects.toMatchObject(
    { code: "conflict" },
  );
});

test("the time to full is told before the device is full", async () => {
  await makeRule({
    name: "Soon full",
    query: { metric: used, where: {}, groupBy: [], across: "sum" },
    condition: {
      kind: "time-to-full",
      capacityMetric: capacity,
      thresholdSeconds: 3600,
      windowSeconds: 900,
    },
    forSeconds: 0,
  });
  for (let minute = 0; minute < 12; minute += 1) {
    installation.clock.advance(60_000);
    await report(0.2 + minute * 0.01);
  }
  await evaluateNow();
  // 690 of 1,000 bytes are free and 10 come every minute, so it is full in 69 minutes; then 20 every minute.
  expect(await firing()).toEqual([]);
  for (let minute = 0; minute < 12; minute += 1) {
    installation.clock.advance(60_000);
    await report(0.33 + minute * 0.02);
  }
  await evaluateNow();
  expect(await firing()).toMatchObject([{ ruleName: "Soon full" }]);
});

/** Reports one window of each pod node, with this many live bytes of 1,000 usable ones. */
async function reportPods(pods: readonly TestNode[], liveBytes: readonly number[]): Promise<void> {
  for (const [at, pod] of pods.entries()) {
    const labels = { pod: `pod-${at}`, device: `p${at}` };
    const batch = pod.batch({
      endMs: nowMs(),
      gauges: [
        ["stashlight_pod_live_bytes", labels, liveBytes[at] ?? 0],
        ["stashlight_pod_taken_bytes", labels, liveBytes[at] ?? 0],
        ["stashlight_pod_usable_bytes", labels, 1000],
      ],
    });
    await accept(installation.platform, batch);
  }
}

/** Keeps only the built-in vault rules, so that many evaluations take little time. */
async function ensureVaultRules(): Promise<void> {
  await ensureAlertRules(installation.platform);
  const { db } = installation.platform;
  await db.alertRule.deleteMany({ where: { NOT: { builtInKey: { startsWith: "vault-" } } } });
}

const vaultAlerts = async () =>
  (await firing())
    .filter(({ ruleName, status }) => ruleName.startsWith("Vault") && status === "firing")
    .map(({ ruleName, labels }) => `${labels.vault}: ${ruleName}`)
    .sort();

test("each vault alerts on its own at 80 % and when full, and resolves once it has space again or is gone", async () => {
  await ensureVaultRules();
  const pods = await Promise.all(
    ["north", "north", "south"].map((vault, at) =>
      createTestNode(installation.platform, `pod-${at}`, false, vault),
    ),
  );
  const lookFor = async (seconds: number, liveBytes: readonly number[]) => {
    for (let passed = 0; passed < seconds; passed += 15) {
      installation.clock.advance(15_000);
      await reportPods(pods, liveBytes);
      await evaluateNow();
    }
  };
  await lookFor(120, [790, 800, 100]);
  expect(await vaultAlerts()).toEqual([]);
  // Both pods of a vault count together.
  await lookFor(120, [790, 830, 100]);
  expect(await vaultAlerts()).toEqual(["north: Vault 80 % full"]);
  await lookFor(120, [960, 980, 100]);
  expect(await vaultAlerts()).toEqual(["north: Vault 80 % full", "north: Vault full"]);
  await lookFor(120, [500, 500, 960]);
  expect(await vaultAlerts()).toEqual(["south: Vault 80 % full", "south: Vault full"]);
  const [, , south] = pods;
  await revokeNode({ ctx: admin.ctx, input: { nodeId: south?.id ?? "", name: "pod-2" } });
  installation.clock.advance(evaluationIntervalMs);
  await evaluateNow();
  expect(await vaultAlerts()).toEqual([]);
});

test("a vault that will be full within a day alerts once its growth is known, and one that does not grow never alerts", async () => {
  await ensureVaultRules();
  // The tests of `evaluate` cover the duration of the condition.
  await installation.platform.db.alertRule.updateMany({ data: { forSeconds: 0 } });
  const pods = await Promise.all(
    ["growing", "level"].map((vault, at) => createTestNode(installation.platform, `pod-${at}`, false, vault)),
  );
  // It grows by 30 of 1,000 bytes an hour: from 330 on it would be full in about 22 hours.
  for (let minute = 0; minute <= 60; minute += 2) {
    installation.clock.advance(120_000);
    await reportPods(pods, [300 + minute / 2, 700]);
    if (minute !== 20 && minute !== 60) continue;
    await evaluateNow();
    expect(await vaultAlerts()).toEqual(minute === 20 ? [] : ["growing: Vault full within 24 h"]);
  }
});

test("nobody is called for a node that the fleet simulator made", async () => {
  await makeRule({ forSeconds: 0 });
  const simulated = await createTestNode(installation.platform, "stash-2", true);
  const labels = { stash: "stash-2", device: "s1" };
  const batch = simulated.batch({
    endMs: nowMs(),
    gauges: [
      [used, labels, 999],
      [capacity, labels, 1000],
    ],
  });
  await accept(installation.platform, batch);
  await look(0.1);
  expect(await firing()).toEqual([]);
});

test("a drive that is three times slower than usual alerts below the line for all, and says what is usual", async () => {
  const fsync = "stashlight_fsync_seconds";
  const sync = (device: string, seconds: number) =>
    accept(
      installation.platform,
      node.batch({
        endMs: nowMs(),
        histograms: [[fsync, { tier: "stash", device }, Array.from({ length: 200 }, () => seconds)]],
      }),
    );
  const condition: AlertRuleInput["condition"] = {
    kind: "percentile",
    percentile: "p90",
    comparison: "above",
    threshold: 0.05,
    sampleCountMin: 20,
    windowSeconds: 60,
    usual: { times: 3, atLeast: 0.005 },
  };
  const query: AlertRuleInput["query"] = { metric: fsync, where: {}, groupBy: ["device"], across: "sum" };
  for (let hour = 0; hour <= usualHoursMin; hour += 1) {
    await sync("old", 0.004);
    installation.clock.advance(3_600_000);
  }
  await makeRule({ name: "Slow", query, condition, forSeconds: 0 });
  // One of them has no history, and so the line for all.
  await sync("old", 0.02);
  await sync("new", 0.02);
  await evaluateNow();
  const [alert, ...others] = await firing();
  expect(others).toEqual([]);
  expect(alert?.summary).toMatch(
    /^Slow \(device old\): p90 2\d(\.\d)? ms, n 200, above 3 times its usual 4(\.\d\d)? ms\.$/,
  );
  installation.clock.advance(evaluationIntervalMs);
  await sync("new", 0.09);
  await evaluateNow();
  expect((await firing()).map(({ labels }) => labels.device).sort()).toEqual(["new", "old"]);
});

test("a preview says how often a rule would have fired on what is stored", async () => {
  for (const share of [0.1, 0.1, 0.9, 0.9, 0.1, 0.1, 0.9, 0.1]) {
    installation.clock.advance(600_000);
    await report(share);
  }
  const preview = (changes: object) =>
    previewAlertRule({ ctx: admin.ctx, input: previewAlertRuleInput.parse({ ...occupancy, ...changes }) });
  expect(await preview({})).toMatchObject({
    firedCount: 2,
    sampleCount: 8,
    groupCount: 1,
    stepMs: 600_000,
    sentence: "On the last 14 days this would have fired 2 times.",
  });
  const [group] = (await preview({})).groups;
  expect(group?.values).toEqual([0.1, 0.1, 0.9, 0.9, 0.1, 0.1, 0.9, 0.1]);
  expect(group?.spans.map(({ status }) => status)).toEqual(["firing", "firing"]);
  expect(await preview({ forSeconds: 1_200 })).toMatchObject({ firedCount: 1 });
  const nothing = { query: { metric: "stashlight_client_connections" } };
  expect((await preview(nothing)).sentence).toMatch(/^Nothing that it could be held against/);
});
