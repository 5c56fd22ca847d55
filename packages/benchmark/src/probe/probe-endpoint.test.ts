import { S3Client } from "@stashlight/s3/client";
import { startEdge, testKeys } from "@stashlight/s3/testing";
import { afterEach, expect, test } from "vitest";
import { startTruthServer, TEST_CREDENTIALS, testTarget } from "../testing/index.ts";
import { probeEndpoint } from "./probe-endpoint.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function startGateway() {
  const edge = await startEdge();
  closing.push(() => edge.close());
  const client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: testKeys.writer });
  await client.createBucket("bench");
  closing.push(async () => client.close());
  const credentials = { accessKeyId: testKeys.writer.id, secretAccessKey: testKeys.writer.secret };
  return { edge, client, endpoint: testTarget(edge.url), credentials };
}

test("the capabilities of our gateway are found with date and evidence, and nothing is left behind", async () => {
  const { client, endpoint, credentials } = await startGateway();
  const before = Date.now();
  const check = await probeEndpoint({ endpoint, credentials });
  expect(check).toMatchObject({ isReachable: true, sentence: "The endpoint can be used." });
  expect(check.checkedAt.getTime()).toBeGreaterThanOrEqual(before);
  expect(
    Object.fromEntries(check.findings.map(({ capability, isSupported }) => [capability, isSupported])),
  ).toEqual({
    "keep-alive": true,
    clock: true,
    "etag-md5": true,
    read: true,
    "unsigned-payload": true,
    "if-none-match": true,
    versioning: false,
    "list-versions": true,
    "content-md5": true,
    "checksum-crc32": true,
    "checksum-crc32c": true,
    "checksum-sha1": true,
    "checksum-sha256": true,
    "expect-continue": true,
    delete: true,
  });
  expect(check.findings.every(({ evidence }) => /^[A-Z].*\.$/.test(evidence))).toBe(true);
  expect((await client.listPage("bench")).objects).toEqual([]);
});

test("a server's missing features are found: MD5 ETags, If-None-Match, checksums and 100-continue", async () => {
  const server = await startTruthServer({ isVersioned: true, fault: () => "etag-that-is-no-md5" });
  closing.push(() => server.close());
  const { findings } = await probeEndpoint({
    endpoint: testTarget(server.url),
    credentials: TEST_CREDENTIALS,
  });
  const found = Object.fromEntries(findings.map((each) => [each.capability, each]));
  expect(found["etag-md5"]).toMatchObject({ isSupported: false });
  expect(found["if-none-match"]?.evidence).toMatch(/200, so it was overwritten\.$/);
  expect(found["checksum-crc32c"]).toMatchObject({ isSupported: false });
  expect(found["checksum-crc32c"]?.evidence).toMatch(/right 200, wrong 200, so it is not checked\.$/);
  expect(found["list-versions"]).toMatchObject({ isSupported: true });
  expect(found["expect-continue"]?.evidence).toMatch(/was not answered within 1000 ms\.$/);
  expect(server.store.versionCount).toBe(0);
});

test("an unusable endpoint is explained, and nothing is written", async () => {
  const { edge, endpoint, credentials } = await startGateway();
  const wrong = await probeEndpoint({ endpoint: { ...endpoint, region: "eu-1" }, credentials });
  expect(wrong).toMatchObject({ isReachable: true, findings: [] });
  expect(wrong.sentence).toMatch(/asks for "us-east-1"/);
  await edge.close();
  closing.length = 0;
  const gone = await probeEndpoint({ endpoint, credentials });
  expect(gone).toMatchObject({ isReachable: false, findings: [] });
  expect(gone.sentence).toMatch(/refused the connection/);
});

test("a test that may delete nothing counts its remaining objects, names their location, and keeps its findings", async () => {
  const server = await startTruthServer({ refusesDelete: [403, "AccessDenied"] });
  closing.push(() => server.close());
  const endpoint = testTarget(server.url);
  const check = await probeEndpoint({ endpoint, credentials: TEST_CREDENTIALS });
  expect(server.store.keys.length).toBeGreaterThan(0);
  expect(check.sentence.startsWith(`${server.store.keys.length} objects or versions remain in "bench"`)).toBe(
    true,
  );
  expect(check.findings.find(({ capability }) => capability === "delete")).toMatchObject({
    isSupported: false,
    evidence: check.sentence,
  });
  expect(check.findings.find(({ capability }) => capability === "read")?.isSupported).toBe(true);
});
