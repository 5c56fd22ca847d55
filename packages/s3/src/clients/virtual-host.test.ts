/** Buckets as labels of the host. */
import { Agent } from "node:http";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { testKeys } from "../testing/start-edge.ts";
import { useEdge } from "../testing/use-edge.ts";

const edge = await useEdge({ baseDomains: ["example.test", "s3.example.test"] });

test("a bucket name before a base domain means the same as one in the path", async () => {
  const config = {
    region: "us-east-1",
    maxAttempts: 1,
    credentials: { accessKeyId: testKeys.writer.id, secretAccessKey: testKeys.writer.secret },
  };
  // Resolves every name to loopback, so that no resolver is queried.
  const httpAgent = new Agent({
    lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  const byHost = new S3Client({
    ...config,
    endpoint: `http://s3.example.test:${edge.port}`,
    requestHandler: { httpAgent },
  });
  const byPath = new S3Client({ ...config, endpoint: edge.url, forcePathStyle: true });
  await byHost.send(new CreateBucketCommand({ Bucket: "dotted.name" }));
  await byHost.send(new PutObjectCommand({ Bucket: "dotted.name", Key: "/a//b/../c", Body: "x" }));
  expect(edge.store.find({ bucket: "dotted.name", key: "/a//b/../c" })?.bytes.toString()).toBe("x");
  const got = await byPath.send(new GetObjectCommand({ Bucket: "dotted.name", Key: "/a//b/../c" }));
  expect(await got.Body?.transformToString()).toBe("x");
  byHost.destroy();
  byPath.destroy();
});
