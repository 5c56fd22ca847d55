import {
  LABEL_VALUE_COUNT_MAX,
  SAMPLE_LAYOUTS_PER_NODE_MAX,
  SERIES_PER_METRIC_MAX,
} from "@stashlight/contracts/metrics";
import { openMetricClient } from "@stashlight/db/metrics";
import { beforeEach, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import { KnownIds } from "./known-ids.ts";
import { nodeBounds, type SeriesName } from "./node-series.ts";

const { installation } = useFreshInstallation();
let node: TestNode;
let nowMs: number;

beforeEach(async () => {
  nowMs = installation.clock.now().getTime();
  node = await createTestNode(installation.platform, "otel");
});

const queryRows = async (sql: string) => (await installation.platform.metrics.query(sql)).rows;
const fallbacks = (reasons: readonly string[]) =>
  reasons.map((reason) => ["stashlight_fallbacks_total", { reason }, 1] as const);
const range = (count: number, prefix = "r") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const fallbackSeries = (reason: string): SeriesName => ({
  metric: "stashlight_fallbacks_total",
  labels: { reason },
});

test("concurrently flooded processes together create one series per allowed label value, and one for the rest", async () => {
  const platforms = [1, 2, 3, 4].map(() => installation.anotherPlatform());
  const told = await Promise.all(
    platforms.map((platform, i) =>
      accept(
        platform,
        node.batch({ endMs: nowMs - i * 10_000, counters: fallbacks(range(300, `process ${i} `)) }),
      ),
    ),
  );
  const [{ count }] = await queryRows("SELECT count(*)::int AS count FROM metric.series");
  expect(count).toBe(LABEL_VALUE_COUNT_MAX + 1);
  const folded = told.flat(2).reduce((sum, remark) => sum + remark.count, 0);
  expect(folded).toBe(4 * 300 - LABEL_VALUE_COUNT_MAX);
  const stored = await queryRows(
    `SELECT labels ->> 'reason' = 'other' AS is_other, sum(increase)::int AS sum FROM bi.counter_raw GROUP BY 1 ORDER BY 1`,
  );
  expect(stored).toEqual([
    { is_other: false, sum: LABEL_VALUE_COUNT_MAX },
    { is_other: true, sum: folded },
  ]);
  const refused = await queryRows("SELECT metric, reason, count::int FROM metric.refused");
  expect(refused).toEqual([
    { metric: "stashlight_fallbacks_total", reason: "counted_as_other", count: folded },
  ]);
});

test("combinations of two labels are bounded by the per-metric series limit", async () => {
  const counters = range(60, "d").flatMap((device) =>
    range(30).map((reason) => ["stashlight_refusals_total", { tier: "pod", device, reason }, 1] as const),
  );
  await accept(installation.platform, node.batch({ endMs: nowMs, counters }));
  const [{ count }] = await queryRows("SELECT count(*)::int AS count FROM metric.series");
  expect(count).toBe(SERIES_PER_METRIC_MAX + 1);
});

test("a window whose series are all known or beyond the limits needs no database query", async () => {
  const known = new KnownIds({ ...nodeBounds, labelValueCountMax: 3 });
  const { metrics } = installation.platform;
  const window = (reasons: readonly string[]) => [{ nodeId: node.id, names: reasons.map(fallbackSeries) }];
  const [first] = await known.series(metrics, window(["a", "b", "c", "d"]), nowMs);
  const gone = openMetricClient({
    url: "postgres://nobody@127.0.0.1:1/none",
    purpose: "tool",
    applicationName: "test",
    connectionsMax: 1,
  });
  expect((await known.series(gone, window(["a", "b", "c", "d"]), nowMs + 10_000))[0]).toBe(first);
  const [other] = await known.series(gone, window(["e", "f", "b", "a"]), nowMs + 20_000);
  expect(other?.fit.names).toEqual(["other", "b", "a"].map(fallbackSeries));
  expect(other?.ids).toEqual([first?.ids[3], first?.ids[1], first?.ids[0]]);
  await expect(known.series(gone, window(["a"]), nowMs + 86_400_000)).rejects.toThrow();
  await gone.end();
});

test("a full store accepts its known series, and new ones after some were forgotten", async () => {
  const known = new KnownIds({ ...nodeBounds, seriesCountMax: 2 });
  const { metrics } = installation.platform;
  const others = await createTestNode(installation.platform, "another");
  await known.series(metrics, [{ nodeId: node.id, names: [fallbackSeries("a")] }], nowMs);
  await known.series(metrics, [{ nodeId: others.id, names: [fallbackSeries("a")] }], nowMs);
  const both = [{ nodeId: node.id, names: [fallbackSeries("a"), fallbackSeries("b")] }];
  const [found] = await known.series(metrics, both, nowMs);
  expect(found?.fit.places).toEqual([0, -1]);
  expect(found?.fit.remarks).toEqual([
    { metric: "stashlight_fallbacks_total", reason: "store_full", count: 1 },
  ]);
  await metrics.query("DELETE FROM metric.series WHERE node_id = $1", [others.id]);
  const [later] = await known.series(metrics, both, nowMs + 60_000);
  expect(later?.fit.places).toEqual([0, 1]);
});

test("samples of a node at its limit of layouts are stored one by one, and read like all others", async () => {
  await installation.platform.metrics.query(
    `INSERT INTO metric.sample_layout (node_id, id, series_ids, gauge_count, digest)
     SELECT $1, nextval('metric.id'), ARRAY[1, 2], 0, sha256(i::text::bytea) FROM generate_series(1, $2) AS i`,
    [node.id, SAMPLE_LAYOUTS_PER_NODE_MAX],
  );
  const gauges = [["stashlight_client_connections", {}, 7]] as const;
  const window = { counters: fallbacks(["a", "b"]), gauges };
  await accept(installation.platform, node.batch({ ...window, endMs: nowMs - 10_000 }));
  await accept(installation.platform, node.batch({ ...window, endMs: nowMs }));
  const layouts = await queryRows(
    "SELECT count(*)::int AS count FROM metric.sample_layout WHERE cardinality(series_ids) = 1",
  );
  expect(layouts).toEqual([{ count: 3 }]);
  const read = await queryRows(
    `SELECT metric, sum(increase)::int AS value FROM bi.counter_raw GROUP BY 1
     UNION ALL SELECT metric, max(last)::int FROM bi.gauge_raw GROUP BY 1 ORDER BY 1`,
  );
  expect(read).toEqual([
    { metric: "stashlight_client_connections", value: 7 },
    { metric: "stashlight_fallbacks_total", value: 4 },
  ]);
});
