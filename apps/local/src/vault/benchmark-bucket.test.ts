import { benchmarkBucket } from "@stashlight/contracts/upload";
import { S3Client } from "@stashlight/s3/client";
import { startEdge, testKeys } from "@stashlight/s3/testing";
import { expect, onTestFinished, test } from "vitest";
import { createBenchmarkBucket } from "./benchmark-bucket.ts";

const { id, secret } = testKeys.writer;
const s3At = (endpoint: string) => ({
  s3: { endpoint, region: "us-east-1", accessKeyId: id, secret },
});

test("createBenchmarkBucket creates the bucket, and succeeds again if it exists", async () => {
  const edge = await startEdge();
  const client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: testKeys.writer });
  onTestFinished(async () => {
    client.close();
    await edge.close();
  });
  for (let start = 0; start < 2; start++) await createBenchmarkBucket(s3At(edge.url));
  await client.putObject({ bucket: benchmarkBucket, key: "a", body: Buffer.from("a") });
});

test("createBenchmarkBucket resolves even if the vault is unreachable", async () => {
  const edge = await startEdge();
  const { url } = edge;
  await edge.close();
  await expect(createBenchmarkBucket(s3At(url))).resolves.toBeUndefined();
});
