/** Real uploads: to our own gateway over TLS with a local authority, and to an S3 server that others wrote. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { EndpointCredentials } from "@stashlight/contracts/benchmark/credentials";
import { createS3Server } from "@stashlight/s3";
import { S3Client } from "@stashlight/s3/client";
import { createMemoryStore, testKeys } from "@stashlight/s3/testing";
import { createAuthority } from "@stashlight/transport/testing";
import { afterAll, expect, test } from "vitest";
import { cleanUp } from "../cleanup/clean-up.ts";
import type { EndpointTarget } from "../endpoint/target.ts";
import { probeEndpoint } from "../probe/probe-endpoint.ts";
import { runPrefixOf } from "../run/keys.ts";
import { createTestJob, testTarget } from "../testing/index.ts";
import { findVersityGateway, startVersityGateway } from "../testing/versity-gateway.ts";
import { startSampler } from "./start-sampler.ts";

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const parameters = { repetitionCount: 10, pauseMs: 1, pingCount: 3 };

async function expectWholeRun(endpoint: EndpointTarget, credentials: EndpointCredentials): Promise<void> {
  const { findings, sentence } = await probeEndpoint({ endpoint, credentials });
  expect(sentence).toBe("The endpoint can be used.");
  expect(findings.find(({ capability }) => capability === "keep-alive")?.isSupported).toBe(true);
  const job = createTestJob(endpoint, parameters, { credentials });
  const end = await startSampler(job);
  expect(end).toMatchObject({
    state: "succeeded",
    sampleCount: 23,
    failureCount: 0,
    openedConnectionCount: 1,
    storedCheck: { checkedCount: 5, failures: [] },
  });
  const runPrefix = runPrefixOf(endpoint.prefix, job.runId);
  expect(end.manifest?.runPrefix).toBe(runPrefix);
  expect(await cleanUp({ endpoint, credentials, runPrefix })).toEqual({ deletedCount: 26, isEmpty: true });
}

test("our gateway over TLS", async () => {
  let requestCount = 0;
  const edge = createS3Server({
    store: createMemoryStore({ nowMs: Date.now }),
    findAccessKey: (id) => (id === testKeys.writer.id ? testKeys.writer : null),
    region: "us-east-1",
    baseDomains: [],
    limits: {},
    nowMs: Date.now,
    newRequestId: () => `TEST${++requestCount}`,
    observe: () => {},
  });
  const { ca, cert, key } = createAuthority("tests").issue("localhost");
  const server = createServer({ ...edge.httpOptions, cert, key });
  edge.attachTo(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const client = new S3Client({ endpoint: url, region: "us-east-1", accessKey: testKeys.writer, ca });
  await client.createBucket("bench");
  const { id, secret } = testKeys.writer;
  await expectWholeRun(testTarget(url, { caPem: ca }), { accessKeyId: id, secretAccessKey: secret });
  expect((await client.listPage("bench")).objects).toEqual([]);
  client.close();
}, 90_000);

const versity = findVersityGateway();

test.skipIf(versity === null)(
  "an independent S3 server",
  async () => {
    const gateway = await startVersityGateway(versity as string);
    closing.push(gateway.close);
    const { url, credentials } = gateway;
    const accessKey = { id: credentials.accessKeyId, secret: credentials.secretAccessKey };
    const client = new S3Client({ endpoint: url, region: "us-east-1", accessKey });
    await client.createBucket("bench");
    client.close();
    await expectWholeRun(testTarget(url), credentials);
  },
  60_000,
);
