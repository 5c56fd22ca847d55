import { alertRuleInput, replayAlertRuleInput } from "@stashlight/contracts/alert";
import { beforeEach, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../testing/index.ts";
import { createAlertRule } from "./create-rule.ts";
import { replayAlertRule } from "./replay-rule.ts";

const used = "stashlight_stash_used_bytes";
const capacity = "stashlight_stash_capacity_bytes";
const minuteMs = 60_000;
const { installation, admin } = useFreshInstallation("admin");
let node: TestNode;

beforeEach(async () => {
  // Noon, so that minutes of stored data are within one day.
  installation.clock.set(new Date(new Date(installation.clock.now()).setUTCHours(12, 0, 0, 0)));
  node = await createTestNode(installation.platform, "stash-1");
});

const nowMs = () => installation.clock.now().getTime();

/** Reports, a minute later, that the devices are this full. */
async function report(shares: Record<string, number>): Promise<void> {
  installation.clock.advance(minuteMs);
  const gauges = Object.entries(shares).flatMap(([device, share]) => [
    [used, { stash: "stash-1", device }, share * 1000] as const,
    [capacity, { stash: "stash-1", device }, 1000] as const,
  ]);
  await accept(
    installation.platform,
    node.batch({ endMs: nowMs(), gauges: gauges.map((each) => [...each]) }),
  );
}

const createRule = async (terms: { forSeconds: number; keepFiringSeconds: number }) => {
  const { ruleId } = await createAlertRule({
    ctx: admin.ctx,
    input: alertRuleInput.parse({
      name: "Stash full",
      query: { metric: used, groupBy: ["node", "device"] },
      condition: {
        kind: "threshold",
        statistic: "last",
        shareOf: capacity,
        comparison: "above",
        threshold: 0.75,
        windowSeconds: 60,
      },
      ...terms,
    }),
  });
  return ruleId;
};

test("a rule's chart shows the values used in evaluations, and when the rule was pending and firing", async () => {
  const startMs = nowMs();
  for (const share of [0.2, 0.8, 0.9, 0.9, 0.3, 0.4]) await report({ s1: share, s2: 0.1 });
  const ruleId = await createRule({ forSeconds: 120, keepFiringSeconds: 0 });
  const replayed = (changes: object = {}) =>
    replayAlertRule({
      ctx: admin.ctx,
      input: replayAlertRuleInput.parse({ ruleId, fromMs: startMs, toMs: nowMs(), ...changes }),
    });
  const minute = (count: number) => startMs + count * minuteMs;
  const told = await replayed();
  expect(told).toMatchObject({ stepMs: minuteMs, groupCount: 2, sampleCount: 12 });
  expect(told.groups.map(({ labels, values }) => [labels.device, values])).toEqual([
    ["s1", [0.2, 0.8, 0.9, 0.9, 0.3, 0.4]],
    ["s2", [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]],
  ]);
  expect(told.groups[0]?.spans).toEqual([
    { status: "pending", startMs: minute(2), endMs: minute(3) },
    { status: "firing", startMs: minute(3), endMs: minute(5) },
  ]);
  expect(told.groups[1]?.spans).toEqual([]);
  const ofOne = await replayed({ labels: { node: "stash-1", device: "s2" } });
  expect(ofOne.groups.map(({ labels }) => labels.device)).toEqual(["s2"]);
});

test("an alert that still fires has no end, and precedes groups that are ok", async () => {
  const startMs = nowMs();
  for (const share of [0.2, 0.9, 0.95]) await report({ s1: 0.1, s2: share });
  const ruleId = await createRule({ forSeconds: 0, keepFiringSeconds: 600 });
  const { groups } = await replayAlertRule({
    ctx: admin.ctx,
    input: replayAlertRuleInput.parse({ ruleId, fromMs: startMs, toMs: nowMs() }),
  });
  expect(groups.map(({ labels }) => labels.device)).toEqual(["s2", "s1"]);
  expect(groups[0]?.spans).toEqual([{ status: "firing", startMs: startMs + 2 * minuteMs, endMs: null }]);
});

test("a range without measurements has no groups, and an unknown rule is refused", async () => {
  const ruleId = await createRule({ forSeconds: 0, keepFiringSeconds: 0 });
  const ask = (id: string) =>
    replayAlertRule({
      ctx: admin.ctx,
      input: replayAlertRuleInput.parse({ ruleId: id, fromMs: nowMs() - 1, toMs: nowMs() }),
    });
  expect(await ask(ruleId)).toMatchObject({ groupCount: 0, sampleCount: 0, groups: [] });
  await expect(ask("00000000-0000-4000-8000-000000000000")).rejects.toThrow("There is no such rule.");
});
