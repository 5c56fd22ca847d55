/** Conditions that read more than the newest window, and previews of them. */
import { type AlertRuleInput, previewAlertRuleInput } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { accept } from "../testing/index.ts";
import { evaluationIntervalMs } from "./evaluate-due.ts";
import { previewAlertRule } from "./preview.ts";
import { capacity, occupancy, useAlertTestBed, used } from "./testing/test-bed.ts";
import { usualHoursMin } from "./usual-values.ts";

const bed = useAlertTestBed();

test("a time-to-full rule fires before the device is full", async () => {
  await bed.createRule({
    name: "Soon full",
    query: { metric: used, where: {}, groupBy: [], across: "sum" },
    condition: {
      kind: "time-to-full",
      capacityMetric: capacity,
      thresholdSeconds: 3600,
    },
    forSeconds: 0,
  });
  for (let tens = 0; tens < 48; tens += 1) {
    bed.installation.clock.advance(600_000);
    await bed.report(0.2);
  }
  for (let minute = 1; minute <= 15; minute += 1) {
    bed.installation.clock.advance(60_000);
    await bed.report(0.2 + minute * 0.005);
  }
  await bed.evaluateNow();
  // 725 of 1,000 bytes are free. The device grows by 5 per minute, so it is full in more than two hours; then by 25 per
  // minute.
  expect(await bed.firing()).toEqual([]);
  for (let minute = 1; minute <= 15; minute += 1) {
    bed.installation.clock.advance(60_000);
    await bed.report(0.275 + minute * 0.025);
  }
  await bed.evaluateNow();
  expect(await bed.firing()).toMatchObject([{ ruleName: "Soon full" }]);
});

test("a time-to-full rule is silent in the first hours of a store, however fast it fills", async () => {
  await bed.createRule({
    name: "Soon full",
    query: { metric: used, where: {}, groupBy: [], across: "sum" },
    condition: { kind: "time-to-full", capacityMetric: capacity, thresholdSeconds: 3600 },
    forSeconds: 0,
  });
  for (let minute = 0; minute <= 28; minute += 1) {
    bed.installation.clock.advance(60_000);
    await bed.report(0.03 + minute * 0.02);
  }
  await bed.evaluateNow();
  expect(await bed.firing()).toEqual([]);
});

test("a drive three times slower than usual fires below the common threshold, and its summary names the usual value", async () => {
  const fsync = "stashlight_fsync_seconds";
  const sync = (device: string, seconds: number) =>
    accept(
      bed.installation.platform,
      bed.node.batch({
        endMs: bed.nowMs(),
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
    bed.installation.clock.advance(3_600_000);
  }
  await bed.createRule({ name: "Slow", query, condition, forSeconds: 0 });
  // One of them has no history, and therefore the common threshold.
  await sync("old", 0.02);
  await sync("new", 0.02);
  await bed.evaluateNow();
  const [alert, ...others] = await bed.firing();
  expect(others).toEqual([]);
  expect(alert?.summary).toMatch(
    /^Slow \(device old\): p90 2\d(\.\d)? ms, n 200, above 3 times its usual 4(\.\d\d)? ms\.$/,
  );
  bed.installation.clock.advance(evaluationIntervalMs);
  await sync("new", 0.09);
  await bed.evaluateNow();
  expect((await bed.firing()).map(({ labels }) => labels.device).sort()).toEqual(["new", "old"]);
});

test("a preview counts how often a rule would have fired on stored data", async () => {
  for (const share of [0.1, 0.1, 0.9, 0.9, 0.1, 0.1, 0.9, 0.1]) {
    bed.installation.clock.advance(600_000);
    await bed.report(share);
  }
  const preview = (changes: object) =>
    previewAlertRule({
      ctx: bed.admin.ctx,
      input: previewAlertRuleInput.parse({ ...occupancy, ...changes }),
    });
  expect(await preview({})).toMatchObject({
    firedCount: 2,
    sampleCount: 8,
    groupCount: 1,
    stepMs: 600_000,
    sentence: "In the last 14 days this rule would have fired 2 times.",
  });
  const [group] = (await preview({})).groups;
  expect(group?.values).toEqual([0.1, 0.1, 0.9, 0.9, 0.1, 0.1, 0.9, 0.1]);
  expect(group?.spans.map(({ status }) => status)).toEqual(["firing", "firing"]);
  expect(await preview({ forSeconds: 1_200 })).toMatchObject({ firedCount: 1 });
  const nothing = { query: { metric: "stashlight_client_connections" } };
  expect((await preview(nothing)).sentence).toMatch(/^No values for this rule were stored/);
});
