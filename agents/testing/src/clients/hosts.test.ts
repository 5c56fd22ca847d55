/** Tests buckets as host names, with the domains in vault.json. */
import { Agent } from "node:http";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestVault, type TestVault } from "../harness/vault.ts";

const DOMAIN = "s3.example.org";
let vault: TestVault;
const clients: S3Client[] = [];

beforeAll(async () => {
  vault = await startTestVault({
    amend: (file) => ({
      ...file,
      nodes: file.nodes.map((node) =>
        node.role === "coordinator" ? { ...node, s3: { ...node.s3, domains: [DOMAIN] } } : node,
      ),
    }),
  });
});

afterAll(async () => {
  for (const client of clients) client.destroy();
  await vault.close();
});

function openClient(host: string, forcePathStyle: boolean): S3Client {
  const [key] = vault.file.accessKeys;
  if (key === undefined) throw new Error("The vault has no access key.");
  const client = new S3Client({
    endpoint: `http://${host}:${vault.s3Port}`,
    region: "us-east-1",
    maxAttempts: 1,
    forcePathStyle,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    // Resolves every name to loopback, so that no resolver is queried.
    requestHandler: {
      httpAgent: new Agent({
        lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
      }),
    },
  });
  clients.push(client);
  return client;
}

test("virtual-hosted and path-style addresses reach the same bucket", async () => {
  const byHost = openClient(DOMAIN, false);
  const byPath = openClient("127.0.0.1", true);
  for (const Bucket of ["photos", "album"]) await byPath.send(new CreateBucketCommand({ Bucket }));
  await byHost.send(new PutObjectCommand({ Bucket: "photos", Key: "album/x", Body: "here" }));
  const found = await byPath.send(new GetObjectCommand({ Bucket: "photos", Key: "album/x" }));
  expect(await found.Body?.transformToString()).toBe("here");
  expect((await byPath.send(new ListObjectsV2Command({ Bucket: "album" }))).KeyCount).toBe(0);
});

test("a virtual-hosted request to an unknown domain is refused, and nothing is written", async () => {
  const byHost = openClient("elsewhere.example.org", false);
  const byPath = openClient("127.0.0.1", true);
  for (const Bucket of ["photos", "album"]) await byPath.send(new CreateBucketCommand({ Bucket }));
  const put = new PutObjectCommand({ Bucket: "photos", Key: "album/bad", Body: "there" });
  await expect(byHost.send(put)).rejects.toThrow(/Add "elsewhere.example.org" to s3.domains/);
  for (const Bucket of ["photos", "album"]) {
    await expect(byPath.send(new HeadObjectCommand({ Bucket, Key: "bad" }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 404 },
    });
  }
});
