/** Tests reminders, and acknowledgements that suppress them. */
import { acknowledgeAlertsInput, createAlertSilenceInput } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { deliverAlerts } from "../channel/deliver.ts";
import { auditEvents } from "../testing/index.ts";
import { acknowledgeAlerts, withdrawAcknowledgement } from "./acknowledge.ts";
import { endSilence } from "./end-silence.ts";
import { evaluationIntervalMs } from "./evaluate-due.ts";
import { silenceAlerts } from "./silence.ts";
import { useAlertTestBed } from "./testing/test-bed.ts";

const bed = useAlertTestBed();

test("channels get reminders while an alert fires, but not while it is silenced nor after it has resolved", async () => {
  const { ruleId } = await bed.createRule({ forSeconds: 0, remindSeconds: 300 });
  await bed.createWebhook();
  await bed.allowLoopback();
  await bed.evaluateNext(0.8);
  await bed.deliver();
  const nextReminder = async () => {
    bed.installation.clock.advance(300_000 - evaluationIntervalMs);
    await bed.evaluateNext(0.9);
  };
  await nextReminder();
  await bed.evaluateNext(0.9);
  expect(await deliverAlerts(bed.installation.platform)).toBe(1);
  const silence = await silenceAlerts({
    ctx: bed.admin.ctx,
    input: createAlertSilenceInput.parse({ ruleId, reason: "known", minutes: 60 }),
  });
  await nextReminder();
  expect(await deliverAlerts(bed.installation.platform)).toBe(0);
  await endSilence({ ctx: bed.admin.ctx, input: { silenceId: silence.silenceId } });
  // The receiver rejects two reminders; only the later one is retried, and neither after the alert has ended.
  bed.receiver.statuses.push(500);
  await bed.evaluateNext(0.9);
  expect(await deliverAlerts(bed.installation.platform)).toBe(0);
  await nextReminder();
  const { db } = bed.installation.platform;
  expect(await db.alertDelivery.count({ where: { state: "waiting" } })).toBe(1);
  await bed.evaluateNext(0.1);
  await deliverAlerts(bed.installation.platform);
  const [fired, reminded, refused, resolved, ...more] = bed.messages();
  expect([fired, reminded, refused, resolved].map(({ kind }) => kind)).toEqual([
    "firing",
    "reminder",
    "reminder",
    "resolved",
  ]);
  expect(more).toEqual([]);
  expect(reminded).toMatchObject({ firingId: fired.id, summary: expect.stringContaining("90 %") });
  expect(new Set([fired.id, reminded.id, refused.id, resolved.id]).size).toBe(4);
  expect((await bed.events()).map(({ kind }) => kind)).toEqual(["resolved", "firing"]);
});

test("a rule without reminders sends none", async () => {
  await bed.createRule({ forSeconds: 0, remindSeconds: 0 });
  await bed.createWebhook();
  await bed.allowLoopback();
  await bed.evaluateNext(0.8);
  bed.installation.clock.advance(86_400_000);
  await bed.evaluateNext(0.8);
  await bed.deliver();
  expect(bed.messages().map(({ kind }) => kind)).toEqual(["firing"]);
});

test("an acknowledgement is sent to channels, is shown until the alert resolves, and suppresses reminders", async () => {
  const { ruleId } = await bed.createRule({ forSeconds: 0, remindSeconds: 300 });
  await bed.createWebhook();
  await bed.allowLoopback();
  const acknowledge = (note: string, vault = "v") =>
    acknowledgeAlerts({
      ctx: bed.admin.ctx,
      input: acknowledgeAlertsInput.parse({ ruleId, vault, note }),
    });
  await expect(acknowledge("too early")).rejects.toMatchObject({ code: "conflict" });
  await bed.evaluateNext(0.9);
  await bed.deliver();
  await expect(acknowledge("elsewhere", "films")).rejects.toMatchObject({ code: "conflict" });
  await acknowledge("Swapping it");
  expect(await deliverAlerts(bed.installation.platform)).toBe(1);
  expect(await bed.firing()).toMatchObject([{ acknowledged: { by: "admin", note: "Swapping it" } }]);
  bed.installation.clock.advance(300_000);
  await bed.evaluateNext(0.9);
  expect(await deliverAlerts(bed.installation.platform)).toBe(0);
  // Another drive that begins to fire is still sent.
  await bed.report(0.95, "s2");
  await bed.evaluateNext(0.9);
  expect(await deliverAlerts(bed.installation.platform)).toBe(1);
  const [alert] = await bed.firing();
  const pause = "not evaluated for 6 min since it began";
  const worst = `above 75 %; worst 95 % (device s2); ${pause}.`;
  expect(alert?.incidentSummary).toBe(`Stash full (vault v, node stash-1): 2 of 2 drives, ${worst}`);
  await bed.report(0.1, "s2");
  await bed.evaluateNext(0.1);
  expect(await deliverAlerts(bed.installation.platform)).toBe(1);
  const summary = "Stash full (vault v): acknowledged by admin: Swapping it";
  const [fired, ...rest] = bed.messages();
  expect(rest).toMatchObject([
    { kind: "acknowledged", firingId: fired.id, summary, labels: { vault: "v" } },
    {
      kind: "joined",
      summary: `Stash full (vault v, node stash-1): 2 of 2 drives, 1 of them new, ${worst}`,
      groupCount: 2,
    },
    {
      kind: "resolved",
      firingId: fired.id,
      summary: `Stash full (vault v, node stash-1): resolved, 2 drives had fired; ${pause}.`,
      groups: [{ labels: { node: "stash-1", device: "s1" } }, { labels: { node: "stash-1", device: "s2" } }],
    },
  ]);
  expect(await bed.incidents()).toMatchObject([
    {
      summary: `Stash full (vault v, node stash-1): 2 drives, ${worst}`,
      groupCount: 2,
      acknowledgement: "admin: Swapping it",
      endedAt: expect.any(Date),
      notified: { delivered: ["Ops"], waiting: [], failed: [] },
    },
  ]);
  expect((await bed.events()).filter(({ kind }) => kind === "acknowledged")).toMatchObject([
    { summary, labels: { vault: "v" } },
  ]);
  const trail = await auditEvents(bed.installation.platform);
  expect(trail.at(-1)).toMatchObject({ action: "alert.acknowledged" });
  await bed.evaluateNext(0.9);
  expect(await bed.firing()).toMatchObject([{ acknowledged: null }]);
});

test("a withdrawn acknowledgement disappears, and reminders resume", async () => {
  const { ruleId } = await bed.createRule({ forSeconds: 0, remindSeconds: 300 });
  await bed.createWebhook();
  await bed.allowLoopback();
  const place = { ruleId, vault: "v" };
  const withdraw = () => withdrawAcknowledgement({ ctx: bed.admin.ctx, input: place });
  await expect(withdraw()).rejects.toMatchObject({ code: "conflict" });
  await bed.evaluateNext(0.9);
  await bed.deliver();
  await acknowledgeAlerts({ ctx: bed.admin.ctx, input: { ...place, note: "On my way" } });
  await deliverAlerts(bed.installation.platform);
  await withdraw();
  expect(await bed.firing()).toMatchObject([{ acknowledged: null }]);
  expect((await auditEvents(bed.installation.platform)).at(-1)).toMatchObject({
    action: "alert.acknowledgement_withdrawn",
  });
  bed.installation.clock.advance(300_000);
  await bed.evaluateNext(0.9);
  await deliverAlerts(bed.installation.platform);
  expect(bed.messages().at(-1)).toMatchObject({ kind: "reminder" });
});
