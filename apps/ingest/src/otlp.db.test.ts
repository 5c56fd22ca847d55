import { gzipSync } from "node:zlib";
import { JsonMetricsSerializer, ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  AggregationType,
  MeterProvider,
  MetricReader,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import { decodeBuckets, type EnrolledIdentity, ExponentialHistogram } from "@stashlight/telemetry";
import { beforeEach, describe, expect, test } from "vitest";
import { enrolTestNode, send, useTestIngest } from "./testing/harness.ts";

const ingest = await useTestIngest({ batchBytesMax: 100_000, decodedBytesMax: 200_000 });
let node: EnrolledIdentity;
let nodeCount = 0;

beforeEach(async () => {
  ingest.installation.clock.set(new Date());
  nodeCount += 1;
  node = await enrolTestNode(ingest, `otel-${nodeCount}`);
});

const encodings = [
  { encoding: "protobuf", contentType: "application/x-protobuf", serializer: ProtobufMetricsSerializer },
  { encoding: "json", contentType: "application/json", serializer: JsonMetricsSerializer },
] as const;

class TestReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

type Meter = ReturnType<MeterProvider["getMeter"]>;

/** Collects the metrics of `measure` with OpenTelemetry's SDK. */
async function collected(
  measure: (meter: Meter) => void,
  preference = AggregationTemporality.DELTA,
): Promise<ResourceMetrics> {
  const reader = new TestReader({
    aggregationTemporalitySelector: (type) =>
      String(type) === "UP_DOWN_COUNTER" ? AggregationTemporality.CUMULATIVE : preference,
    aggregationSelector: (type) =>
      String(type) === "HISTOGRAM"
        ? { type: AggregationType.EXPONENTIAL_HISTOGRAM, options: { maxSize: 960 } }
        : { type: AggregationType.DEFAULT },
  });
  const resource = resourceFromAttributes({ "service.name": "a drive" });
  const provider = new MeterProvider({ resource, readers: [reader] });
  measure(provider.getMeter("test"));
  const { resourceMetrics } = await reader.collect();
  await provider.shutdown();
  return resourceMetrics;
}

const drive = { tier: "stash", device: "s1" };
const latencies = [0.0004, 0.001, 0.0011, 0.002, 0.0021, 0.5, 1, 2, 3.25];

const post = (body: Uint8Array, contentType: string, headers: Record<string, string> = {}) =>
  send(
    ingest.origin,
    "POST",
    "/v1/metrics",
    {
      authorization: `Bearer ${node.key}`,
      "content-type": contentType,
      "content-length": body.length,
      ...headers,
    },
    body,
  );
const queryRows = async (sql: string) =>
  (await ingest.installation.platform.metrics.query(sql, [node.nodeId])).rows;
const histogramRows = () =>
  queryRows(
    "SELECT metric, labels, n::int, min, max, sum, buckets FROM metric.hist_raw JOIN metric.series s ON s.id = series_id WHERE s.node_id = $1",
  );
const sampleRows = (kind: "gauge" | "counter") =>
  queryRows(
    `SELECT metric, ${kind === "gauge" ? "last" : "increase"} AS value FROM bi.${kind}_raw
      WHERE node = (SELECT name FROM node WHERE id = $1) ORDER BY 1`,
  );

const measureAll = (meter: Meter): void => {
  const seconds = meter.createHistogram("stashlight_fsync_seconds", { unit: "s" });
  for (const value of latencies) seconds.record(value, drive);
  meter.createCounter("stashlight_fsync_errors_total").add(2, drive);
  meter.createUpDownCounter("stashlight_client_connections").add(7);
};

describe.each(encodings)("OTLP in $encoding", ({ encoding, contentType, serializer }) => {
  const serializeMetrics = async (...given: Parameters<typeof collected>): Promise<Uint8Array> =>
    serializer.serializeRequest(await collected(...given)) as Uint8Array;

  test("the SDK's metrics are stored once, in the form of an agent's metrics", async () => {
    const body = await serializeMetrics((meter) => {
      measureAll(meter);
      meter.createGauge("stashlight_agent_spool_bytes", { unit: "By" }).record(4096);
    });
    for (const _ of [1, 2]) {
      const answer = await post(body, contentType);
      expect(answer).toMatchObject({ status: 200, text: encoding === "json" ? "{}" : "" });
      expect(answer.headers["content-type"]).toBe(contentType);
    }
    const [row, ...others] = await histogramRows();
    expect(others).toEqual([]);
    const expected = new ExponentialHistogram();
    for (const value of latencies) expected.record(value);
    const { sum, min, max, buckets } = expected.content();
    expect(row).toMatchObject({ metric: "stashlight_fsync_seconds", labels: drive, n: 9, min, max });
    expect(row.sum).toBeCloseTo(sum, 12);
    expect(decodeBuckets(row.buckets)).toEqual(buckets);
    expect(await sampleRows("counter")).toEqual([{ metric: "stashlight_fsync_errors_total", value: 2 }]);
    expect(await sampleRows("gauge")).toEqual([
      { metric: "stashlight_agent_spool_bytes", value: 4096 },
      { metric: "stashlight_client_connections", value: 7 },
    ]);
  });

  test("values that cannot be stored are reported and counted, and the rest is stored", async () => {
    const body = await serializeMetrics((meter) => {
      measureAll(meter);
      meter.createCounter("http_requests_total").add(1);
      meter.createGauge("stashlight_agent_spool_bytes", { unit: "ms" }).record(1);
      meter.createHistogram("stashlight_encode_seconds").record(-1);
      meter.createCounter("stashlight_drive_failures_total").add(1, { tier: "tape", device: "s1" });
    });
    const { status, text } = await post(body, contentType);
    expect(status).toBe(200);
    for (const words of [
      "http_requests_total is not in the metric catalogue",
      "stashlight_agent_spool_bytes has a unit that differs",
      "stashlight_drive_failures_total has attributes that differ",
    ]) {
      expect(text).toContain(words);
    }
    expect(await histogramRows()).toHaveLength(1);
    expect(await sampleRows("counter")).toHaveLength(1);
  });

  test("cumulative totals are refused, because their increase is unknown", async () => {
    const body = await serializeMetrics(measureAll, AggregationTemporality.CUMULATIVE);
    const { status, text } = await post(body, contentType);
    expect(status).toBe(200);
    expect(text).toContain("stashlight_fsync_seconds has the wrong temporality");
    expect(await histogramRows()).toEqual([]);
    expect(await sampleRows("gauge")).toHaveLength(1);
  });

  test("a gzip body of unannounced length is accepted", async () => {
    const body = await serializeMetrics(measureAll);
    const response = await fetch(`${ingest.origin}/v1/metrics`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${node.key}`,
        "content-type": contentType,
        "content-encoding": "gzip",
      },
      body: new Blob([gzipSync(body)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(200);
    expect(await histogramRows()).toHaveLength(1);
  });

  test("a malformed request is refused permanently, and the answer has its encoding", async () => {
    const answer = await post(Buffer.from("{]"), contentType);
    expect(answer).toMatchObject({ status: 400, headers: { "content-type": contentType } });
    expect(answer.text).toContain("The OTLP request cannot be read");
    const stranger = await post(Buffer.from("{}"), contentType, { authorization: "Bearer slk_wrong" });
    expect(stranger).toMatchObject({ status: 401, headers: { "content-type": contentType } });
  });
});

test("an unknown encoding is refused with a list of the accepted ones", async () => {
  const { status, text } = await post(Buffer.from("a 1"), "text/plain");
  expect(status).toBe(415);
  expect(text).toContain("application/x-protobuf and application/json");
});
