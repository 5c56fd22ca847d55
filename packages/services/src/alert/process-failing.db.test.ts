import { beforeAll, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useSharedInstallation } from "../testing/index.ts";
import { ensureAlertRules } from "./built-in-rules.ts";
import { firingAfter } from "./testing/firing-after.ts";

const { installation, admin } = useSharedInstallation("admin");

beforeAll(async () => {
  const today = new Date(installation.clock.now());
  installation.clock.set(new Date(today.setUTCHours(12, 0, 0, 0)));
  await ensureAlertRules(installation.platform);
  await installation.platform.db.alertRule.deleteMany({ where: { NOT: { builtInKey: "process-failing" } } });
});

test("a process that keeps failing alerts until it is stable, and two of them are two alerts", async () => {
  const node = await createTestNode(installation.platform, "coordinator-1", false, "north");
  const countFiring = async (steadiness: Readonly<Record<string, number>>) =>
    (await firingAfter(105_000, { installation, admin, report: () => report(node, steadiness) })).length;
  expect(await countFiring({ Worker: 1, Probe: 1 })).toBe(0);
  expect(await countFiring({ Worker: 1, Probe: 0 })).toBe(1);
  expect(await countFiring({ Worker: 0, Probe: 0 })).toBe(2);
  expect(await countFiring({ Worker: 1, Probe: 0 })).toBe(1);
  expect(await countFiring({ Worker: 1, Probe: 1 })).toBe(0);
});

async function report(node: TestNode, steadiness: Readonly<Record<string, number>>): Promise<void> {
  const endMs = installation.clock.now().getTime();
  const gauges = Object.entries(steadiness).map(
    ([process, value]) => ["stashlight_process_steady", { process }, value] as const,
  );
  await accept(installation.platform, node.batch({ endMs, gauges }));
}
