import { beforeAll, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useSharedInstallation } from "../testing/index.ts";
import { ensureAlertRules } from "./built-in-rules.ts";
import { firingAfter } from "./testing/firing-after.ts";

const GB = 1e9;
const FIRES_WITHIN_MS = 400_000;

const { installation, admin } = useSharedInstallation("admin");
let nodes: readonly TestNode[];

beforeAll(async () => {
  await ensureOccupancyRule();
  nodes = [
    await createTestNode(installation.platform, "stash-1", false, "east"),
    await createTestNode(installation.platform, "stash-2", false, "west"),
  ];
});

/** Creates only this rule, because other built-in rules would be evaluated at every interval too. */
async function ensureOccupancyRule(): Promise<void> {
  await ensureAlertRules(installation.platform);
  await installation.platform.db.alertRule.deleteMany({ where: { NOT: { builtInKey: "stash-occupancy" } } });
}

/** The first node's vault has a stash of 1 GB, the second's an empty one. */
async function report(usedBytes: number, emptyBytes: number): Promise<void> {
  const endMs = installation.clock.now().getTime();
  const gauges = (used: number, capacity: number) => [
    ["stashlight_stash_used_bytes", { stash: "s0" }, used] as const,
    ["stashlight_stash_capacity_bytes", { stash: "s0" }, capacity] as const,
  ];
  const batches = nodes.map((node, at) =>
    node.batch({ endMs, gauges: at === 0 ? gauges(usedBytes, GB) : gauges(0, emptyBytes) }),
  );
  await accept(installation.platform, ...batches);
}

const firingWith = (usedBytes: number, emptyBytes = 100 * GB): Promise<string[]> =>
  firingAfter(FIRES_WITHIN_MS, { installation, admin, report: () => report(usedBytes, emptyBytes) });

test("a full stash fires under its vault's name although the stashes of other vaults are empty", async () => {
  expect(await firingWith(0.9 * GB)).toEqual(["east: Stash filling up"]);
  expect(await firingWith(0.1 * GB)).toEqual([]);
});

test("an alert for all vaults together resolves once an upgrade groups its rule by vault", async () => {
  const { db } = installation.platform;
  const rule = await db.alertRule.findFirstOrThrow();
  const { groupBy: _vault, ...query } = rule.query as Record<string, unknown>;
  await db.alertRule.updateMany({ data: { query: { ...query, groupBy: [] } as object } });
  expect(await firingWith(0.9 * GB, 0.01 * GB)).toEqual(["all vaults: Stash filling up"]);
  await ensureOccupancyRule();
  expect(await firingWith(0.9 * GB, 0.01 * GB)).toEqual(["east: Stash filling up"]);
});
