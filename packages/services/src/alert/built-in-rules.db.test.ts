import { expect, test } from "vitest";
import { revokeNode } from "../node/revoke.ts";
import { accept, createTestNode, type TestNode } from "../testing/index.ts";
import { ensureAlertRules } from "./built-in-rules.ts";
import { deleteAlertRule } from "./delete-rule.ts";
import { enableAlertRule } from "./enable-rule.ts";
import { evaluationIntervalMs } from "./evaluate-due.ts";
import { listAlertRules } from "./list-rules.ts";
import { useAlertTestBed } from "./testing/test-bed.ts";

const bed = useAlertTestBed();

test("built-in rules are created once, and an upgrade keeps an admin's changes", async () => {
  await ensureAlertRules(bed.installation.platform);
  const [first] = await listAlertRules({ ctx: bed.admin.ctx });
  bed.installation.clock.advance(1_000);
  await enableAlertRule({ ctx: bed.admin.ctx, input: { ruleId: first?.id ?? "", isEnabled: false } });
  // Rules as an earlier release created them; only the first was changed since.
  await bed.installation.platform.db.alertRule.updateMany({ data: { forSeconds: 3, description: "Old." } });
  await ensureAlertRules(bed.installation.platform);
  const rules = await listAlertRules({ ctx: bed.admin.ctx });
  expect(rules.map(({ name, sentence }) => `${name}: ${sentence}`)).toEqual([
    "Certificate ends within 14 days: below 14 days for 3 s",
    "Commits slow on HDD: average above 500 ms for 2 min",
    "Commits slow on SSD: average above 50 ms for 2 min",
    "Corrupt records wait for repair: above 0 records for 10 min",
    "Damage is correlated: reports yes",
    "Drive failed: increase above 0",
    "Drive failure predicted: reports no for 1 min",
    "Drive not running: reports no for 1 min",
    "Drive slower than its peers: more than 7 slow hours of the last 48",
    "Durable margin below the quorum: any value above 0 shards for 2 min",
    "File system 90 % full: above 90 % for 5 min",
    "fsync failed: increase above 0",
    "fsync slow on HDD: p99 above 500 ms or 3 times its usual for 2 min, judged from 20 samples in 5 min",
    "fsync slow on SSD: p99 above 50 ms or 3 times its usual for 2 min, judged from 20 samples in 5 min",
    "Index of objects 80 % full: above 80 % for 1 min",
    "Index of objects full: above 100 % for 1 min",
    "Index of objects full within 24 h: full in less than 24 h for 10 min",
    "Journal 90 % full: above 90 % for 5 min",
    "Many epochs behind an endpoint: above 40 % for 5 min",
    "Margin is thin: less than 50 % of the parity shards to spare for 5 min",
    "Nines below the target: fewer than 11 nines a year at best for 5 min",
    "Node silent: no value for 2 min",
    "Objects cannot be read: above 0 for 1 min",
    "Process keeps failing: reports no",
    "Purge is behind: p99 above 2 min for 2 min, judged from 20 samples in 5 min",
    "Reads of a drive fail: increase above 0",
    "Records of a drive fail their checksum: increase above 0 records",
    "Scraped store does not answer: reports no for 2 min",
    "Scrub is late: above 200 % for 1 h",
    "SSD worn out within 90 days: worn out in less than 90 days for 1 h",
    "Stash filling up: above 75 % for 5 min",
    "Stash full within the hour: full in less than 1 h for 2 min",
    "The vault sheds uploads: increase above 0 for 1 min",
    "Vault 80 % full: above 80 % for 1 min",
    "Vault full: above 95 % for 1 min",
    "Vault full within 24 h: full in less than 24 h for 10 min",
  ]);
  expect(rules.filter(({ isEnabled }) => !isEnabled)).toHaveLength(1);
  expect(await bed.evaluateNow()).toBe(35);
  await expect(
    deleteAlertRule({ ctx: bed.admin.ctx, input: { ruleId: first?.id ?? "" } }),
  ).rejects.toMatchObject({ code: "conflict" });
});

/** Reports one window of each coordinator, with this many of the 1,000 bytes for objects in its vault used. */
async function reportSpace(coordinators: readonly TestNode[], takenBytes: readonly number[]): Promise<void> {
  for (const [at, coordinator] of coordinators.entries()) {
    const batch = coordinator.batch({
      endMs: bed.nowMs(),
      gauges: [
        ["stashlight_vault_taken_bytes", {}, takenBytes[at] ?? 0],
        ["stashlight_vault_capacity_bytes", {}, 1000],
      ],
    });
    await accept(bed.installation.platform, batch);
  }
}

/** Keeps only the built-in vault rules, so that many evaluations take little time. */
async function ensureVaultRules(): Promise<void> {
  await ensureAlertRules(bed.installation.platform);
  const { db } = bed.installation.platform;
  await db.alertRule.deleteMany({ where: { NOT: { builtInKey: { startsWith: "vault-" } } } });
}

const vaultAlerts = async () =>
  (await bed.firing())
    .filter(({ ruleName, status }) => ruleName.startsWith("Vault") && status === "firing")
    .map(({ ruleName, labels }) => `${labels.vault}: ${ruleName}`)
    .sort();

test("each vault alerts on its own at 80 % and when full, and resolves once it has space again or is gone", async () => {
  await ensureVaultRules();
  const coordinators = await Promise.all(
    ["north", "north", "south"].map((vault, at) =>
      createTestNode(bed.installation.platform, `coordinator-${at}`, false, vault),
    ),
  );
  const evaluateFor = async (seconds: number, takenBytes: readonly number[]) => {
    for (let passed = 0; passed < seconds; passed += 15) {
      bed.installation.clock.advance(15_000);
      await reportSpace(coordinators, takenBytes);
      await bed.evaluateNow();
    }
  };
  // Both coordinators of the north report the same vault.
  await evaluateFor(120, [790, 800, 100]);
  expect(await vaultAlerts()).toEqual([]);
  await evaluateFor(120, [790, 830, 100]);
  expect(await vaultAlerts()).toEqual(["north: Vault 80 % full"]);
  await evaluateFor(120, [960, 980, 100]);
  expect(await vaultAlerts()).toEqual(["north: Vault 80 % full", "north: Vault full"]);
  await evaluateFor(180, [500, 500, 960]);
  expect(await vaultAlerts()).toEqual(["south: Vault 80 % full", "south: Vault full"]);
  const [, , south] = coordinators;
  await revokeNode({ ctx: bed.admin.ctx, input: { nodeId: south?.id ?? "", name: "coordinator-2" } });
  bed.installation.clock.advance(evaluationIntervalMs);
  await bed.evaluateNow();
  expect(await vaultAlerts()).toEqual([]);
});

test("a vault that will be full within a day alerts once its growth is known, and one that does not grow never alerts", async () => {
  await ensureVaultRules();
  // The tests of `evaluate` cover the duration of the condition.
  await bed.installation.platform.db.alertRule.updateMany({ data: { forSeconds: 0 } });
  const coordinators = await Promise.all(
    ["growing", "level", "benchmarked"].map((vault, at) =>
      createTestNode(bed.installation.platform, `coordinator-${at}`, false, vault),
    ),
  );
  const alerts: string[][] = [];
  // Grows by 20 of 1,000 bytes per hour and counts as full at 950: from 700 that takes 12.5 hours.
  for (let half = 0; half <= 40; half += 1) {
    bed.installation.clock.advance(1_800_000);
    await reportSpace(coordinators, [300 + 10 * half, 700, half % 4 === 2 ? 690 : 400]);
    if (![1, 10, 40].includes(half)) continue;
    await bed.evaluateNow();
    alerts.push(await vaultAlerts());
  }
  expect(alerts).toEqual([[], [], ["growing: Vault full within 24 h"]]);
});
