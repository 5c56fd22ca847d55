/**
 * Floods the ingest as a program with made-up names or times would: its use of the store is bounded, and the answers
 * report what was refused.
 */
import { JsonMetricsSerializer, ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import {
  LABEL_VALUE_COUNT_MAX,
  OTLP_MOMENT_COUNT_MAX,
  OTLP_POINT_COUNT_MAX,
  SERIES_PER_METRIC_MAX,
  SERIES_PER_NODE_MAX,
} from "@stashlight/contracts/metrics";
import type { EnrolledIdentity } from "@stashlight/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFlood } from "./testing/flood.ts";
import { enrolTestNode, makeBatch, openTestIngest, post, send, type TestIngest } from "./testing/harness.ts";

let ingest: TestIngest;
let node: EnrolledIdentity;

beforeEach(async () => {
  ingest = await openTestIngest();
  ingest.installation.clock.set(new Date());
  node = await enrolTestNode(ingest, "otel");
});
afterEach(() => ingest.close());

const queryRows = async (sql: string) => (await ingest.installation.platform.metrics.query(sql)).rows;
const nowMs = () => ingest.installation.clock.now().getTime();

interface PartialSuccess {
  rejectedDataPoints: number;
  errorMessage: string;
}

/** The answer's partial success; undefined if everything was stored as it was sent. */
async function postJson(body: Uint8Array, encoding = "gzip"): Promise<PartialSuccess | undefined> {
  const headers = {
    authorization: `Bearer ${node.key}`,
    "content-type": "application/json",
    "content-encoding": encoding,
    "content-length": body.length,
  };
  const { status, text } = await send(ingest.origin, "POST", "/v1/metrics", headers, body);
  expect(status).toBe(200);
  const { partialSuccess } = JsonMetricsSerializer.deserializeResponse(Buffer.from(text));
  if (partialSuccess === undefined) return undefined;
  const { rejectedDataPoints, errorMessage } = partialSuccess;
  return { rejectedDataPoints: Number(rejectedDataPoints), errorMessage: errorMessage ?? "" };
}

/** A request of one gauge with a point at each of the given times. */
function gaugeAt(endsMs: readonly number[]): Buffer {
  const dataPoints = endsMs.map((endMs) => ({ timeUnixNano: `${endMs}000000`, asDouble: 1 }));
  const metrics = [{ name: "stashlight_client_connections", gauge: { dataPoints } }];
  return Buffer.from(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }));
}

test("eight requests of 54,268 points, each with a different id, leave a bounded number of rows", async () => {
  const pointCount = 54_268;
  for (let seed = 0; seed < 8; seed += 1) {
    const metric = "stashlight_fallbacks_total";
    const body = makeFlood({ metric, label: "reason", pointCount, seed, endMs: nowMs() - seed * 10_000 });
    const told = await postJson(body);
    const folded = OTLP_POINT_COUNT_MAX - (seed === 0 ? LABEL_VALUE_COUNT_MAX : 0);
    expect(told?.rejectedDataPoints).toBe(pointCount - OTLP_POINT_COUNT_MAX);
    expect(told?.errorMessage).toContain(
      `${metric} exceeds the ${OTLP_POINT_COUNT_MAX} points that one request may have (${pointCount - OTLP_POINT_COUNT_MAX} values)`,
    );
    expect(told?.errorMessage).toContain(`is counted under the value "other"`);
    expect(told?.errorMessage).toContain(`(${folded} values)`);
  }
  const [rows] = await queryRows(
    `SELECT (SELECT count(*)::int FROM metric.series) AS series, (SELECT count(*)::int FROM metric.sample_layout) AS layouts,
            (SELECT count(*)::int FROM metric.sample_raw) AS windows, (SELECT sum(increase)::int FROM bi.counter_raw) AS sum`,
  );
  // The first request fills 200 reasons and "other", and later ones only "other", so no accepted value is lost.
  expect(rows).toEqual({
    series: LABEL_VALUE_COUNT_MAX + 1,
    layouts: 2,
    windows: 8,
    sum: 8 * OTLP_POINT_COUNT_MAX,
  });
  const refused = await queryRows("SELECT reason, count::int FROM metric.refused ORDER BY reason");
  expect(refused).toEqual([
    { reason: "counted_as_other", count: 8 * OTLP_POINT_COUNT_MAX - LABEL_VALUE_COUNT_MAX },
    { reason: "too_many_points", count: 8 * (pointCount - OTLP_POINT_COUNT_MAX) },
  ]);
  expect(ingest.errors).toEqual([]);
}, 60_000);

test("a node that creates many series has a bounded number of them, and its known series continue", async () => {
  const labels = { tier: "pod" };
  const endMs = nowMs() - 60_000;
  expect(await post(ingest.origin, node.key, makeBatch(node, 1, endMs))).toMatchObject({ type: "accepted" });
  const metrics = [
    "stashlight_refusals_total",
    "stashlight_purges_refused_total",
    "stashlight_shards_written_total",
    "stashlight_shards_repaired_total",
    "stashlight_shards_recovered_total",
  ].map((name) => ({
    name,
    sum: {
      aggregationTemporality: 1,
      isMonotonic: true,
      dataPoints: Array.from({ length: 1_600 }, (_, i) => ({
        attributes: Object.entries({
          ...(name === "stashlight_purges_refused_total" ? { stash: "n" } : labels),
          device: `d${i % 190}`,
          ...(name.includes("refus")
            ? { reason: `r${Math.floor(i / 190)}` }
            : { modelled: `m${Math.floor(i / 190)}` }),
        }).map(([key, value]) => ({ key, value: { stringValue: value } })),
        timeUnixNano: `${endMs}000000`,
        asInt: "1",
      })),
    },
  }));
  const told = await postJson(
    Buffer.from(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })),
    "identity",
  );
  const [{ count }] = await queryRows("SELECT count(*)::int AS count FROM metric.series");
  expect(count).toBe(SERIES_PER_NODE_MAX);
  expect(told?.errorMessage).toContain(`a node at its limit of ${SERIES_PER_NODE_MAX} series`);
  // Four of the series belong to the node's own batch, and three metrics have one more series than their limit.
  expect(told?.rejectedDataPoints).toBe(1_600 * 5 - 3 * 100 - (SERIES_PER_NODE_MAX - 4) + 3);
  expect(SERIES_PER_METRIC_MAX).toBe(1_500);
  expect(await post(ingest.origin, node.key, makeBatch(node, 2, endMs + 10_000))).not.toHaveProperty(
    "remark",
  );
});

test("points of the year 9999, of an hour ahead and of forty days ago are rejected with a reason", async () => {
  const rightMs = nowMs();
  const told = await postJson(
    gaugeAt([Date.UTC(9999, 0), rightMs + 3_600_000, rightMs - 40 * 86_400_000, rightMs]),
    "identity",
  );
  expect(told?.rejectedDataPoints).toBe(3);
  expect(told?.errorMessage).toContain("is more than 5 minutes ahead of the ingest's clock (2 values)");
  expect(told?.errorMessage).toContain("is too old to be stored (1 value)");
  expect(await queryRows("SELECT ts FROM metric.sample_raw")).toEqual([{ ts: new Date(rightMs) }]);
  const refused = await queryRows("SELECT metric, reason, count::int FROM metric.refused ORDER BY reason");
  expect(refused).toEqual([
    { metric: "stashlight_client_connections", reason: "from_the_future", count: 2 },
    { metric: "stashlight_client_connections", reason: "too_old", count: 1 },
  ]);
});

test("a request with only impossible times is answered with all of its points rejected", async () => {
  const told = await postJson(gaugeAt([1, Date.UTC(9999, 0)]), "identity");
  expect(told?.rejectedDataPoints).toBe(2);
});

test("a request contains a bounded number of windows", async () => {
  const endMs = nowMs();
  const moments = Array.from({ length: OTLP_MOMENT_COUNT_MAX + 30 }, (_, i) => endMs - i);
  expect(await postJson(gaugeAt(moments), "identity")).toMatchObject({ rejectedDataPoints: 30 });
  expect(await queryRows("SELECT FROM metric.sample_raw")).toHaveLength(OTLP_MOMENT_COUNT_MAX);
});

test("an agent is notified of windows with impossible times, with its values counted together", async () => {
  const future = await post(ingest.origin, node.key, makeBatch(node, 1, nowMs() + 3_600_000));
  expect(future).toMatchObject({
    type: "accepted",
    remark: "The window is more than 5 minutes ahead of the ingest's clock (4 values)",
  });
  const right = makeBatch(node, 2, nowMs());
  const counters = Array.from({ length: LABEL_VALUE_COUNT_MAX + 1 }, (_, i) => ({
    metric: "stashlight_fallbacks_total" as const,
    labels: { reason: `r${i}` },
    total: 1,
    increase: 1,
  }));
  const folded = await post(ingest.origin, node.key, { ...right, window: { ...right.window, counters } });
  expect(folded).toMatchObject({ type: "accepted" });
  expect(folded).toHaveProperty("remark", expect.stringContaining(`counted under the value "other"`));
  const whole = await post(ingest.origin, node.key, makeBatch(node, 3, nowMs() - 10_000));
  expect(whole).toEqual({ type: "accepted", skewMs: expect.any(Number) });
});

test("a protobuf request is answered with the message that the specification requires", async () => {
  const name = Buffer.from("stashlight_client_connections");
  const point = Buffer.from("190100000000000000210000000000001040", "hex");
  const gauge = Buffer.concat([Buffer.from([0x0a, point.length]), point]);
  const metric = Buffer.concat([
    Buffer.from([0x0a, name.length]),
    name,
    Buffer.from([0x2a, gauge.length]),
    gauge,
  ]);
  const scope = Buffer.concat([Buffer.from([0x12, metric.length]), metric]);
  const resource = Buffer.concat([Buffer.from([0x12, scope.length]), scope]);
  const body = Buffer.concat([Buffer.from([0x0a, resource.length]), resource]);
  const response = await fetch(`${ingest.origin}/v1/metrics`, {
    method: "POST",
    headers: { authorization: `Bearer ${node.key}`, "content-type": "application/x-protobuf" },
    body,
  });
  expect(response.status).toBe(200);
  const told = ProtobufMetricsSerializer.deserializeResponse(new Uint8Array(await response.arrayBuffer()));
  expect(told.partialSuccess).toMatchObject({ errorMessage: expect.stringContaining("impossible value") });
  expect(Number(told.partialSuccess?.rejectedDataPoints)).toBe(1);
});
