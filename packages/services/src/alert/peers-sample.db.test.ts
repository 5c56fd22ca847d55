/** Alerts on drives that are slower than their peers, with the verdicts of the drive's page. */

import { type AlertQuery, peersMetric } from "@stashlight/contracts/alert";
import { expect, test, vi } from "vitest";
import { judgeDrivePeers } from "../drive-peers/index.ts";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../testing/index.ts";
import { ensureAlertRules } from "./built-in-rules.ts";
import { listFiring, listSlowDrives } from "./index.ts";
import { GROUPS_JUDGED_MAX, readPeerSamples } from "./peers-sample.ts";
import { firingAfter } from "./testing/firing-after.ts";

const { installation, admin } = useFreshInstallation("admin");

const DEVICES = ["s0", "s1", "s2", "s3", "s4", "s5"];

/** Ten minutes of six drives, of which the first takes `times` as long for the same bytes. */
async function reportWindow(node: TestNode, window: number, times: number): Promise<void> {
  const load = 1 + (window % 7) / 7;
  const labelled = DEVICES.map((device) => ({ tier: "stash", device }));
  const batch = node.batch({
    endMs: installation.clock.now().getTime() - 60_000,
    histograms: labelled.map((labels) => {
      const seconds = 0.002 * load * (labels.device === "s0" ? times : 1);
      return ["stashlight_fsync_seconds", labels, new Array<number>(30).fill(seconds)] as const;
    }),
    counters: labelled.map((labels) => [peersMetric, labels, Math.round(1e8 * load)] as const),
  });
  await accept(installation.platform, batch);
}

async function reportHours(node: TestNode, hours: number, times: number): Promise<void> {
  for (let window = 0; window < 6 * hours; window += 1) {
    installation.clock.advance(600_000);
    await reportWindow(node, window, times);
  }
}

test("a drive with more than seven slow hours fires with its page's sentence, and resolves once they are two days old", async () => {
  const { platform } = installation;
  await ensureAlertRules(platform);
  await platform.db.alertRule.deleteMany({ where: { NOT: { builtInKey: "drive-slow" } } });
  const node = await createTestNode(platform, "stash-1", false, "main");
  const firingWith = (minutes: number) =>
    firingAfter(minutes * 60_000, { installation, admin, report: async () => {} });
  await reportHours(node, 5, 3);
  expect(await firingWith(1)).toEqual([]);
  await reportHours(node, 5, 3);
  expect(await firingWith(1)).toEqual(["all vaults: Drive slower than its peers"]);
  const page = await judgeDrivePeers({ ctx: admin.ctx, input: { nodeId: node.id, device: "s0" } });
  const [firing] = await listFiring({ ctx: admin.ctx });
  expect(firing?.incidentSummary).toContain(`slow hours of the last 48, more than 7: ${page.sentence}`);
  expect(firing?.incidentSummary).toMatch(/ Slow since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/);
  expect(await listSlowDrives({ ctx: admin.ctx })).toMatchObject([
    { vault: "main", node: "stash-1", drive: "s0", sentence: expect.stringContaining(page.sentence) },
  ]);
  installation.clock.advance(42 * 3_600_000);
  await reportHours(node, 4, 1);
  // The rule's hour of staying would take hundreds of evaluations.
  await platform.db.alertRule.updateMany({ data: { keepFiringSeconds: 60 } });
  expect(await firingWith(3)).toEqual([]);
  expect(await listSlowDrives({ ctx: admin.ctx })).toEqual([]);
});

test("an evaluation judges a few groups of peers, the ones judged longest ago first, and each window once", async () => {
  const { platform, clock } = installation;
  const count = GROUPS_JUDGED_MAX + 1;
  for (let at = 0; at < count; at += 1) {
    const node = await createTestNode(platform, `stash-${at}`, false, `vault-${at}`);
    await reportWindow(node, 0, 1);
  }
  const query: AlertQuery = {
    metric: peersMetric,
    where: { tier: ["pod", "stash"] },
    groupBy: ["node", "device"],
    across: "max",
  };
  const condition = { kind: "peers" as const, threshold: 7 };
  const sampled = async () => {
    const samples = await readPeerSamples(platform, { query, condition }, clock.now().getTime());
    return samples.length / DEVICES.length;
  };
  expect(await sampled()).toBe(GROUPS_JUDGED_MAX);
  expect(await sampled()).toBe(count);
  const merges = vi.spyOn(platform.merger, "merge");
  expect(await sampled()).toBe(count);
  expect(merges).not.toHaveBeenCalled();
  clock.advance(600_000);
  expect(await sampled()).toBe(count);
  expect(merges).toHaveBeenCalled();
  merges.mockRestore();
});
