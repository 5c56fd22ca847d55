import { zstdCompressSync } from "node:zlib";
import { getTrace, listTraces } from "@stashlight/services/trace";
import {
  createTraceRing,
  type EnrolledIdentity,
  postTraces,
  TRACES_CONTENT_TYPE,
  type TraceSnapshot,
} from "@stashlight/telemetry";
import { beforeEach, expect, test, vi } from "vitest";
import { defaultLimits } from "./limits.ts";
import { enrolTestNode, send, useTestIngest } from "./testing/harness.ts";

const ingest = await useTestIngest({ decodedTracesBytesMax: 100_000 });
let node: EnrolledIdentity;
let nodeCount = 0;

beforeEach(async () => {
  ingest.installation.clock.set(new Date());
  nodeCount += 1;
  node = await enrolTestNode(ingest, `coordinator-${nodeCount}`);
});

const nowMs = () => ingest.installation.clock.now().getTime();
const ctx = () => ingest.admin.ctx;

/** A trace in the form that a coordinator's ring keeps. */
function makeTrace(uploadId: string, startedAtMs = nowMs() - 5_000): TraceSnapshot {
  let clockMs = 0;
  const ring = createTraceRing({ nowMs: () => clockMs, wallClockMs: () => startedAtMs });
  const trace = ring.begin({ uploadId, bucket: "photos", sizeBytes: 100_000, shardCount: 3 });
  trace.mark("encodeStart", -2);
  trace.mark("encodeEnd", -1);
  trace.markShard("podSent", 0, 0.1);
  trace.markShard("podWritten", 0, 4);
  clockMs = 8;
  trace.mark("quorum");
  ring.finish(trace, { path: "stash", result: "stored" });
  const [snapshot] = ring.snapshot().recent;
  if (snapshot === undefined) throw new Error("The first upload is always kept.");
  return snapshot;
}

const post = (traces: readonly TraceSnapshot[], key = node.key) =>
  postTraces({ origin: ingest.origin, key: () => key, timeoutMs: 10_000, nowMs }, traces);

const sendBytes = (body: Uint8Array, headers: Record<string, string | number> = {}) =>
  send(
    ingest.origin,
    "POST",
    "/v1/traces",
    {
      authorization: `Bearer ${node.key}`,
      "content-type": TRACES_CONTENT_TYPE,
      "content-length": body.length,
      ...headers,
    },
    body,
  );
const encodeJson = (value: unknown) => Buffer.from(JSON.stringify(value));

const refused = async () => {
  const { rows } = await ingest.installation.platform.metrics.query(
    "SELECT reason, count::int FROM metric.refused WHERE node_id = $1 AND metric = 'upload_trace' ORDER BY reason",
    [node.nodeId],
  );
  return rows;
};
const listed = async () => {
  const range = { fromMs: nowMs() - 3_600_000, toMs: nowMs() + 3_600_000, countMax: 100 };
  const { traces } = await listTraces({ ctx: ctx(), input: range });
  return traces.filter(({ nodeName }) => nodeName === node.name);
};

test("a coordinator's traces are shown unchanged, and once even if they arrive repeatedly", async () => {
  const trace = makeTrace("once");
  const answers = await Promise.all([1, 2, 3].map(() => post([trace])));
  expect(answers.map(({ type }) => type)).toEqual(["accepted", "accepted", "accepted"]);
  expect(await listed()).toMatchObject([
    { uploadId: "once", bucket: "photos", path: "stash", result: "stored", totalSeconds: 0.01 },
  ]);
  expect((await getTrace({ ctx: ctx(), input: { uploadId: "once" } })).trace).toEqual(trace);
});

test("a trace that is malformed, too old or in the future is left out and counted; the others are stored", async () => {
  const good = makeTrace("good");
  const traces = [
    { ...good, uploadId: "../../etc" },
    { ...good, uploadId: "negative", sizeBytes: -1 },
    "no trace",
    makeTrace("old", nowMs() - 49 * 3_600_000),
    makeTrace("future", nowMs() + 3_000_000),
    good,
  ];
  expect((await sendBytes(encodeJson({ traces }))).status).toBe(200);
  expect((await listed()).map(({ uploadId }) => uploadId)).toEqual(["good"]);
  await vi.waitFor(async () =>
    expect(await refused()).toEqual([
      { reason: "from_the_future", count: 1 },
      { reason: "malformed", count: 3 },
      { reason: "too_old", count: 1 },
    ]),
  );
});

test.each([
  ["text that is not JSON", () => Buffer.from("{"), {}, 400],
  ["a field that every object inherits", () => Buffer.from('{"traces":[{"__proto__":{}}]}'), {}, 400],
  ["more traces than a request may have", () => encodeJson({ traces: Array(65).fill({}) }), {}, 400],
  ["another content type", () => encodeJson({ traces: [] }), { "content-type": "application/json" }, 415],
  [
    "a body that decompresses beyond the limit",
    () => zstdCompressSync(Buffer.alloc(200_000, 32)),
    { "content-encoding": "zstd" },
    413,
  ],
  ["an unknown key", () => encodeJson({ traces: [] }), { authorization: "Bearer unknown" }, 401],
])("a request with %s is refused permanently", async (_, body, headers, status) => {
  expect((await sendBytes(body(), headers)).status).toBe(status);
});

test("a node that waits for approval is asked to retry, and none of its traces are stored", async () => {
  node = await enrolTestNode(ingest, `waits-${nodeCount}`, { isAutoApproved: false });
  expect(await post([makeTrace("waits")])).toMatchObject({ type: "again" });
  expect(await listed()).toEqual([]);
});

test("a node that exceeds its rate of posts is asked to post again later", async () => {
  const { burst } = defaultLimits.tracesPerNode;
  const results = await Promise.all(Array.from({ length: burst + 10 }, () => post([])));
  const counts = Map.groupBy(results, ({ type }) => type);
  expect(counts.get("again")).toHaveLength(10);
  expect(counts.get("accepted")).toHaveLength(burst);
  expect(ingest.errors).toEqual([]);
});
