import { DAY_SECONDS } from "@stashlight/contracts/time";
import { beforeAll, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useSharedInstallation } from "../testing/index.ts";
import { ensureAlertRules } from "./built-in-rules.ts";
import { firingAfter } from "./testing/firing-after.ts";

const { installation, admin } = useSharedInstallation("admin");

beforeAll(async () => {
  const today = new Date(installation.clock.now());
  installation.clock.set(new Date(today.setUTCHours(12, 0, 0, 0)));
  await ensureAlertRules(installation.platform);
  await installation.platform.db.alertRule.deleteMany({
    where: { NOT: { builtInKey: "certificate-ends" } },
  });
});

test("a vault alerts once when the first of its certificates expires within 14 days, until all are renewed", async () => {
  const names = ["north", "north", "south"];
  const nodes = await Promise.all(
    names.map((vault, at) => createTestNode(installation.platform, `pod-${at}`, false, vault)),
  );
  const firingWith = (daysLeft: readonly number[]) =>
    firingAfter(165_000, { installation, admin, report: () => report(nodes, daysLeft) });
  expect(await firingWith([14.1, 89, 15])).toEqual([]);
  expect(await firingWith([13.9, 13.8, 15])).toEqual(["north: Certificate ends within 14 days"]);
  // The renewal is incomplete until all nodes have it.
  expect(await firingWith([90, 13.8, 15])).toEqual(["north: Certificate ends within 14 days"]);
  expect(await firingWith([90, 90, 16])).toEqual([]);
});

async function report(nodes: readonly TestNode[], daysLeft: readonly number[]): Promise<void> {
  const labels = { certificate: "node", issuer: "authority" };
  const endMs = installation.clock.now().getTime();
  const batches = nodes.map((node, at) =>
    node.batch({
      endMs,
      gauges: [["stashlight_certificate_remaining_seconds", labels, (daysLeft[at] ?? 0) * DAY_SECONDS]],
    }),
  );
  await accept(installation.platform, ...batches);
}
