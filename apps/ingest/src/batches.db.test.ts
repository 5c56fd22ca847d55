import { gzipSync, zstdCompressSync } from "node:zlib";
import { approveNode, listNodes, revokeNode, rotateNodeKey } from "@stashlight/services/node";
import { BATCH_CONTENT_TYPE, type EnrolledIdentity, encodeBatch } from "@stashlight/telemetry";
import { beforeEach, expect, test, vi } from "vitest";
import { enrolTestNode, makeBatch, post, send, useTestIngest } from "./testing/harness.ts";

const ingest = await useTestIngest({
  batchBytesMax: 100_000,
  decodedBytesMax: 200_000,
});
let node: EnrolledIdentity;
let nodeCount = 0;

beforeEach(async () => {
  ingest.installation.clock.set(new Date());
  nodeCount += 1;
  node = await enrolTestNode(ingest, `pod-${nodeCount}`);
});

const nowMs = () => ingest.installation.clock.now().getTime();
const stored = async (nodeId = node.nodeId) => {
  const { rows } = await ingest.installation.platform.metrics.query(
    "SELECT count(*)::int AS windows, coalesce(sum(n), 0)::int AS samples FROM metric.hist_raw WHERE node_id = $1",
    [nodeId],
  );
  return rows[0];
};
const sendBatch = (body: Uint8Array, headers: Record<string, string | number> = {}, key = node.key) =>
  send(
    ingest.origin,
    "POST",
    "/v1/batches",
    {
      authorization: `Bearer ${key}`,
      "content-type": BATCH_CONTENT_TYPE,
      "content-length": body.length,
      ...headers,
    },
    body,
  );
const goodBytes = () => encodeBatch(makeBatch(node, 1, nowMs()));
const answerMessage = ({ text }: { text: string }) => (JSON.parse(text) as { message: string }).message;

test("a batch is stored before it is answered, and only once even if it arrives repeatedly", async () => {
  const batch = makeBatch(node, 1, nowMs());
  const answers = await Promise.all([1, 2, 3].map(() => post(ingest.origin, node.key, batch)));
  expect(answers.map(({ type }) => type)).toEqual(["accepted", "accepted", "accepted"]);
  expect(await post(ingest.origin, node.key, batch)).toMatchObject({ type: "accepted" });
  expect(await stored()).toEqual({ windows: 1, samples: 3 });
});

test.each([
  ["zstd", zstdCompressSync],
  ["gzip", gzipSync],
  ["identity", (bytes: Uint8Array) => bytes],
])("a batch in %s is accepted", async (encoding, compress) => {
  const { status } = await sendBatch(compress(goodBytes()), { "content-encoding": encoding });
  expect(status).toBe(200);
  expect(await stored()).toEqual({ windows: 1, samples: 3 });
});

test("a node's last contact is recorded, with its version, its clock and its spool", async () => {
  await sendBatch(goodBytes(), { "x-stashlight-sent-ms": nowMs() + 2500 });
  const ctx = ingest.admin.ctx;
  await vi.waitFor(
    async () => {
      const rows = await listNodes({ ctx });
      expect(rows.find(({ id }) => id === node.nodeId)).toMatchObject({
        agentVersion: "1.2.4",
        skewMs: 2500,
        spoolBytes: 4096,
        lastSeenAt: expect.any(Date),
      });
    },
    { timeout: 10_000 },
  );
});

test("a coordinator's S3 address is stored, but not one that a shell would read as a command", async () => {
  const row = async () => (await listNodes({ ctx: ingest.admin.ctx })).find(({ id }) => id === node.nodeId);
  const report = async (sequence: number, url: string) => {
    ingest.installation.clock.advance(6_000);
    const info = { metric: "stashlight_edge_info", labels: { url, region: "us-east-1" }, value: 1 } as const;
    const before = (await row())?.lastSeenAt ?? null;
    const batch = makeBatch(node, sequence, nowMs(), [info]);
    expect(await post(ingest.origin, node.key, batch)).toMatchObject({ type: "accepted" });
    await vi.waitFor(async () => expect((await row())?.lastSeenAt).not.toEqual(before), { timeout: 10_000 });
    return (await row())?.s3;
  };
  const s3 = { url: "https://s3.example.org:9000", region: "us-east-1" };
  expect(await report(1, s3.url)).toEqual(s3);
  expect(await report(2, "http://x;rm -rf ~")).toEqual(s3);
});

test.each([
  ["an unknown key", `Bearer slk_${"x".repeat(43)}`],
  ["a text that is not a key", "Bearer sesame"],
  ["no key", ""],
])("a batch with %s is refused", async (_, authorization) => {
  const answer = await sendBatch(goodBytes(), { authorization });
  expect(answer.status).toBe(401);
  expect(answerMessage(answer)).toMatch(/key/);
});

test("batches of a node that waits for approval are accepted only once it is approved", async () => {
  const waiting = await enrolTestNode(ingest, `waiting-${nodeCount}`, {});
  const batch = makeBatch(waiting, 1, nowMs());
  expect(await post(ingest.origin, waiting.key, batch)).toEqual({ type: "again", afterMs: 5000 });
  const status = await send(ingest.origin, "GET", "/v1/node", { authorization: `Bearer ${waiting.key}` });
  expect(JSON.parse(status.text)).toMatchObject({ nodeId: waiting.nodeId, status: "pending" });
  await approveNode({ ctx: ingest.admin.ctx, input: { nodeId: waiting.nodeId } });
  ingest.installation.clock.advance(5_000);
  expect(await post(ingest.origin, waiting.key, batch)).toMatchObject({ type: "accepted" });
  expect(await stored(waiting.nodeId)).toEqual({ windows: 1, samples: 3 });
});

test("a revoked node is refused permanently", async () => {
  await revokeNode({ ctx: ingest.admin.ctx, input: { nodeId: node.nodeId, name: node.name } });
  expect(await post(ingest.origin, node.key, makeBatch(node, 1, nowMs()))).toMatchObject({
    type: "refused",
    reason: expect.stringContaining("is revoked"),
  });
  expect(await stored()).toEqual({ windows: 0, samples: 0 });
});

test("both keys are valid while a node's key is rotated", async () => {
  const { key } = await rotateNodeKey({ ctx: ingest.admin.ctx, input: { nodeId: node.nodeId } });
  const answers = await Promise.all([
    post(ingest.origin, node.key, makeBatch(node, 1, nowMs() - 10_000)),
    post(ingest.origin, key, makeBatch(node, 2, nowMs())),
  ]);
  expect(answers.map(({ type }) => type)).toEqual(["accepted", "accepted"]);
});

test("a batch that is too large is refused, and the client receives the refusal", async () => {
  const large = new Uint8Array(8_000_000);
  const answer = await sendBatch(large);
  expect(answer.status).toBe(413);
  expect(answerMessage(answer)).toBe("The body has 8000000 bytes, and 100000 are allowed.");
});

test("a batch without its length, of another content type or in an unknown encoding is refused", async () => {
  const chunked = await send(
    ingest.origin,
    "POST",
    "/v1/batches",
    {
      authorization: `Bearer ${node.key}`,
      "content-type": BATCH_CONTENT_TYPE,
      "transfer-encoding": "chunked",
    },
    goodBytes(),
  );
  expect(chunked.status).toBe(411);
  expect((await sendBatch(goodBytes(), { "content-type": "application/json" })).status).toBe(415);
  expect((await sendBatch(goodBytes(), { "content-encoding": "br" })).status).toBe(415);
});

test.each([
  ["zstd", zstdCompressSync],
  ["gzip", gzipSync],
])(
  "decompression of a %s that grows a thousandfold stops at the limit, and a damaged one is refused as damaged",
  async (encoding, compress) => {
    const bomb = compress(new Uint8Array(100_000_000));
    expect(bomb.length).toBeLessThan(100_001);
    const before = process.memoryUsage().arrayBuffers;
    const bombed = await sendBatch(bomb, { "content-encoding": encoding });
    expect(bombed.status).toBe(413);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    const damaged = compress(goodBytes()).subarray(0, 40);
    const refused = await sendBatch(damaged, { "content-encoding": encoding });
    expect(refused).toMatchObject({ status: 400 });
  },
);

test("a body that is not a batch or belongs to another node is refused with the reason", async () => {
  const noise = await sendBatch(new TextEncoder().encode("not a batch"));
  expect(noise.status).toBe(400);
  expect(answerMessage(noise)).toMatch(/^A batch cannot be read: /);
  const foreign = encodeBatch({ ...makeBatch(node, 1, nowMs()), nodeId: "pod-of-others" });
  const answer = await sendBatch(foreign);
  expect(answer.status).toBe(409);
  expect(answerMessage(answer)).toBe(
    `The batch is from the node pod-of-others, and the key belongs to ${node.name}.`,
  );
});

test("impossible values are left out, counted once even if the batch arrives twice, and reported; the other values are stored", async () => {
  const batch = makeBatch(node, 1, nowMs());
  const [counter] = batch.window.counters;
  if (counter === undefined) throw new Error("the batch has a counter");
  const counters = [
    { ...counter, metric: "stashlight_made_up_total" as never },
    { ...counter, total: 0 },
  ];
  const asked = { ...batch, window: { ...batch.window, counters } };
  for (let time = 1; time <= 2; time += 1) {
    expect(await post(ingest.origin, node.key, asked)).toMatchObject({ type: "accepted" });
  }
  expect(await stored()).toEqual({ windows: 1, samples: 3 });
  const metrics = await send(ingest.origin, "GET", "/metrics");
  expect(metrics.text).toMatch(/stashlight_ingest_refused_values_total\{reason="unknown_metric"\} 2\n/);
  expect(metrics.text).toMatch(/stashlight_ingest_refused_values_total\{reason="impossible_value"\} 2\n/);
  const { rows } = await ingest.installation.platform.metrics.query(
    "SELECT metric, reason, count::int FROM metric.refused WHERE node_id = $1 ORDER BY metric",
    [node.nodeId],
  );
  expect(rows).toEqual([
    { metric: "stashlight_fsync_errors_total", reason: "impossible_value", count: 1 },
    { metric: "stashlight_made_up_total", reason: "unknown_metric", count: 1 },
  ]);
});

test("a node that exceeds its rate is given the time of its next attempt", async () => {
  const batch = makeBatch(node, 1, nowMs());
  const answers = await Promise.all(Array.from({ length: 70 }, () => post(ingest.origin, node.key, batch)));
  const types = answers.map(({ type }) => type);
  expect(types.filter((type) => type === "accepted")).toHaveLength(60);
  expect(answers.find(({ type }) => type === "again")).toEqual({ type: "again", afterMs: 1000 });
  expect(await stored()).toEqual({ windows: 1, samples: 3 });
});

test("unknown paths and methods are refused, and the process reports its health", async () => {
  expect((await send(ingest.origin, "GET", "/")).status).toBe(404);
  expect((await send(ingest.origin, "GET", "/v1/batches")).status).toBe(405);
  expect((await send(ingest.origin, "GET", "/__proto__")).status).toBe(404);
  expect((await send(ingest.origin, "GET", "/healthz")).status).toBe(200);
  expect((await send(ingest.origin, "GET", "/readyz")).status).toBe(200);
  expect(ingest.errors).toEqual([]);
});
