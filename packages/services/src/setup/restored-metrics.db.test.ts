/** Tests that charts show restored metrics, including those older than a new database's partitions. */
import { join } from "node:path";
import { type MetricAnswer, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";
import { backUp, restore } from "@stashlight/db/backup";
import { rewriteBackup } from "@stashlight/db/backup/testing";
import { ensurePartitions } from "@stashlight/db/metrics";
import { createEmptyDatabase, type TestDatabase, testProfile } from "@stashlight/db/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { backupKey } from "../backup/backup-key.ts";
import { queryMetric } from "../metrics/query/index.ts";
import { runRollUp } from "../metrics/roll-up/index.ts";
import type { Platform } from "../platform.ts";
import {
  accept,
  createTestNode,
  openTestInstallation,
  type Person,
  type TestInstallation,
  type TestNode,
} from "../testing/index.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const fsync = "stashlight_fsync_seconds";
const used = "stashlight_stash_used_bytes";
const written = "stashlight_shards_written_total";
const key = backupKey("a secret of the tests, long enough to be taken for one");
const labels = { tier: "stash", device: "s1" } as const;

let installation: TestInstallation;
let viewer: Person;
let node: TestNode;
const folder = useSharedFolder();
let nowMs: number;
const empty: TestDatabase[] = [];

const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  installation = await openTestInstallation();
  viewer = await installation.person("viewer");
  node = await createTestNode(installation.platform, "stash-1");
  nowMs = Math.floor(installation.clock.now().getTime() / HOUR_MS) * HOUR_MS;
  await measure(nowMs - 120 * DAY_MS);
  await measure(nowMs);
});
afterAll(async () => {
  await installation.close();
  await Promise.all(empty.map((database) => database.drop()));
});

/** Stores some windows before this moment and rolls them up. */
async function measure(endMs: number): Promise<void> {
  const { platform, clock } = installation;
  clock.set(new Date(endMs));
  await ensurePartitions(platform.metrics, new Date(endMs));
  const batches = Array.from({ length: 12 }, (_, window) =>
    node.batch({
      endMs: endMs - HOUR_MS + window * 10_000,
      histograms: [[fsync, labels, [0.001 * (window + 1), 0.002]]],
      gauges: [[used, { stash: "stash-1", device: "s1" }, 1000 + window]],
      counters: [[written, labels, 10 * window]],
    }),
  );
  await accept(platform, ...batches);
  clock.set(new Date(endMs + HOUR_MS));
  await runRollUp(platform);
}

/** The figures of a chart of two hours, and of one of half a year. */
function charts(platform: Platform): Promise<MetricAnswer[]> {
  const ctx = { ...viewer.ctx, platform };
  const asked = [fsync, used, written].flatMap((metric) =>
    [2 * HOUR_MS, 180 * DAY_MS].map((rangeMs) =>
      metricQueryInput.parse({ metric, fromMs: nowMs + HOUR_MS - rangeMs, toMs: nowMs + HOUR_MS }),
    ),
  );
  return Promise.all(asked.map((input) => queryMetric({ ctx, input })));
}

async function restoreAnew(path: string) {
  const database = await createEmptyDatabase();
  empty.push(database);
  const restored = await restore({
    ownerUrl: database.ownerUrl,
    path,
    profile: testProfile(),
    trust: { type: "key", key },
  });
  return { restored, platform: installation.anotherPlatform({ databaseUrl: database.runtimeUrl }) };
}

test("charts of a restored console show the same figures, and new measurements join them", async () => {
  const path = at("with-metrics");
  const { ownerUrl } = installation.database;
  const end = await backUp({ url: ownerUrl, path, nowMs, key, hasMetrics: true });
  expect(end.metricRowCount).toBeGreaterThan(24);
  const { restored, platform } = await restoreAnew(path);
  expect(restored).toMatchObject({ rowCount: end.rowCount, metricRowCount: end.metricRowCount });
  const shown = await charts(installation.platform);
  for (const { series } of shown) expect(series[0]?.endMs.length).toBeGreaterThan(0);
  // A chart of half a year has both times.
  expect(shown[1]?.series[0]?.endMs.length).toBeGreaterThanOrEqual(2);
  expect(await charts(platform)).toEqual(shown);

  const device = { tier: "stash", device: "new" } as const;
  const next = node.batch({ endMs: nowMs + HOUR_MS - 10_000, histograms: [[fsync, device, [0.5]]] });
  await accept(platform, next);
  const [recent] = await charts(platform);
  expect(recent?.sourceSeriesCount).toBe((shown[0]?.sourceSeriesCount ?? 0) + 1);
});

test("a file without the option has no metrics, and a missing row of metrics is detected", async () => {
  const { ownerUrl } = installation.database;
  const end = await backUp({ url: ownerUrl, path: at("without"), nowMs, key });
  expect(end.metricRowCount).toBeNull();
  const { platform } = await restoreAnew(at("without"));
  for (const { series } of await charts(platform)) expect(series).toEqual([]);

  await backUp({ url: ownerUrl, path: at("whole"), nowMs, key, hasMetrics: true });
  await rewriteBackup(at("whole"), {
    to: at("less"),
    key,
    change: (items) =>
      items.toSpliced(
        items.findLastIndex(({ type }) => type === "row"),
        1,
      ),
  });
  await expect(restoreAnew(at("less"))).rejects.toThrow(/is not whole/);
});
