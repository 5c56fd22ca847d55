import { createAlertSilenceInput, planMaintenanceInput } from "@stashlight/contracts/alert";
import { WEEK_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { deliverAlerts } from "../channel/deliver.ts";
import { groupIntervalMs } from "./alert-grouping.ts";
import { endSilence } from "./end-silence.ts";
import { evaluationIntervalMs } from "./evaluate-due.ts";
import { listSilences } from "./list-silences.ts";
import { planMaintenance } from "./plan-maintenance.ts";
import { silenceAlerts } from "./silence.ts";
import { useAlertTestBed } from "./testing/test-bed.ts";

const bed = useAlertTestBed();

test("a silenced alert is recorded and not sent, and is sent at the end of the silence if it still fires", async () => {
  const { ruleId } = await bed.createRule({ forSeconds: 0 });
  await bed.createWebhook();
  await bed.allowLoopback();
  const input = createAlertSilenceInput.parse({
    ruleId,
    labels: { device: ["s1"] },
    reason: "Drive is swapped",
    minutes: 60,
  });
  const { silenceId } = await silenceAlerts({ ctx: bed.admin.ctx, input });
  await bed.report(0.9, "s2");
  await bed.evaluateNext(0.9);
  expect(
    (await bed.firing()).map(({ labels, silencedUntil }) => [labels.device, silencedUntil !== null]),
  ).toEqual([
    ["s1", true],
    ["s2", false],
  ]);
  await bed.deliver();
  expect(bed.messages()).toMatchObject([{ labels: { device: "s2" } }]);
  await endSilence({ ctx: bed.admin.ctx, input: { silenceId } });
  await bed.evaluateNext(0.9);
  expect(await bed.deliver()).toBe(0);
  bed.installation.clock.advance(groupIntervalMs);
  await bed.report(0.9, "s2");
  await bed.evaluateNext(0.9);
  await deliverAlerts(bed.installation.platform);
  expect(bed.messages().at(-1)).toMatchObject({
    kind: "joined",
    firingId: bed.messages()[0].id,
    groupCount: 2,
  });
});

test("a silence of a vault covers its drives, although their labels do not name the vault", async () => {
  const { ruleId } = await bed.createRule({ forSeconds: 0 });
  const labels = { vault: ["v"] };
  const input = createAlertSilenceInput.parse({ ruleId, labels, reason: "Rack is moved", minutes: 60 });
  await silenceAlerts({ ctx: bed.admin.ctx, input });
  await bed.report(0.9, "s2");
  await bed.evaluateNext(0.9);
  expect((await bed.firing()).map(({ vault, silencedUntil }) => [vault, silencedUntil !== null])).toEqual([
    ["v", true],
    ["v", true],
  ]);
});

test("a maintenance window records alerts without sending them, and at its end sends those that still fire", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.createWebhook();
  await bed.allowLoopback();
  const plan = (changes: object) =>
    planMaintenance({
      ctx: bed.admin.ctx,
      input: planMaintenanceInput.parse({
        labels: { vault: ["v"], node: ["stash-1"] },
        reason: "Rack is moved",
        startMs: bed.nowMs() + evaluationIntervalMs,
        endMs: bed.nowMs() + 4 * evaluationIntervalMs,
        ...changes,
      }),
    });
  await expect(plan({ labels: { node: ["stash-l"] } })).rejects.toMatchObject({ field: "labels.node" });
  await expect(plan({ startMs: bed.nowMs() - 1, endMs: bed.nowMs() })).rejects.toMatchObject({
    field: "endMs",
  });
  await plan({});
  const silences = () => listSilences({ ctx: bed.admin.ctx });
  expect(await silences()).toMatchObject([{ isActive: false, isMaintenance: true, isWeekly: false }]);
  await bed.evaluateNext(0.9);
  expect(await silences()).toMatchObject([{ isActive: true }]);
  expect(await bed.firing()).toMatchObject([{ status: "firing", isInMaintenance: true }]);
  expect(await bed.events()).toMatchObject([{ mutedBy: "maintenance by admin: Rack is moved" }]);
  await bed.evaluateNext(0.9);
  expect(await bed.deliver()).toBe(0);
  await bed.evaluateNext(0.9);
  expect(await silences()).toEqual([]);
  expect(await bed.deliver()).toBe(1);
  expect(bed.messages()).toMatchObject([{ kind: "firing" }]);
});

test("a weekly window recurs until it is ended", async () => {
  const [startMs, endMs] = [bed.nowMs(), bed.nowMs() + 3_600_000];
  const input = planMaintenanceInput.parse({ reason: "Backups", startMs, endMs, isWeekly: true });
  const { silenceId } = await planMaintenance({ ctx: bed.admin.ctx, input });
  bed.installation.clock.advance(WEEK_MS);
  const silences = () => listSilences({ ctx: bed.admin.ctx });
  const endsAt = new Date(endMs + WEEK_MS);
  expect(await silences()).toMatchObject([{ isActive: true, isWeekly: true, endsAt }]);
  bed.installation.clock.advance(3_600_000);
  expect(await silences()).toMatchObject([{ isActive: false, startsAt: new Date(startMs + 2 * WEEK_MS) }]);
  await endSilence({ ctx: bed.admin.ctx, input: { silenceId } });
  expect(await silences()).toEqual([]);
});
