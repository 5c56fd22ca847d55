import { type AccessKey, S3Error, type S3ErrorCode } from "@stashlight/s3";
import { S3Client } from "@stashlight/s3/client";
import { startEdge, testKeys } from "@stashlight/s3/testing";
import { createRecorder } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { EdgeMetrics } from "./edge-metrics.ts";

/** Returns an edge's counters after one upload, which is refused with this code, or stored if the code is null. */
async function countUpload(code: S3ErrorCode | null, key: AccessKey = testKeys.writer) {
  const refuse = async ({ operation }: { operation: string }) => {
    if (code !== null && operation === "PutObject") throw new S3Error(code);
    return () => undefined;
  };
  const edge = await startEdge({ admit: refuse });
  const writer = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: testKeys.writer });
  const client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: key });
  try {
    await writer.createBucket("photos");
    await client.putObject({ bucket: "photos", key: "k", body: Buffer.from("mine") }).catch(() => undefined);
  } finally {
    writer.close();
    client.close();
    await edge.close();
  }
  const recorder = createRecorder({ nowMs: () => 0 });
  const metrics = new EdgeMetrics(recorder, () => 0);
  for (const request of edge.requests.slice(1)) metrics.count(request);
  return recorder.takeWindow().counters.map(({ metric, labels }) => [metric, labels]);
}

test.each<[S3ErrorCode, string]>([
  ["InsufficientStorage", "507"],
  ["SlowDown", "503"],
  ["AccessDenied", "403"],
  ["InternalError", "500"],
])("an upload refused with %s is counted by its status and reason", async (code, status) => {
  const counters = await countUpload(code);
  expect(counters).toContainEqual(["stashlight_requests_total", { operation: "PutObject", status }]);
  expect(counters).toContainEqual(["stashlight_uploads_total", { path: "direct", result: code }]);
});

test("a stored upload is counted as stored", async () => {
  const counters = await countUpload(null);
  expect(counters).toContainEqual(["stashlight_requests_total", { operation: "PutObject", status: "200" }]);
  expect(counters).toContainEqual(["stashlight_uploads_total", { path: "stash", result: "stored" }]);
});

test("an upload with a wrong signature is counted, although its operation is unknown", async () => {
  const stranger = { ...testKeys.writer, secret: "wrong/secret+00000000" };
  expect(await countUpload(null, stranger)).toContainEqual([
    "stashlight_requests_total",
    { operation: "unknown", status: "403" },
  ]);
});
