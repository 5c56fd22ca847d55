/** Tests real uploads: to the built-in gateway over TLS with a local authority, and to an independent S3 server. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import { HOUR_MS } from "@stashlight/contracts/time";
import { createS3Server } from "@stashlight/s3";
import { S3Client } from "@stashlight/s3/client";
import { createMemoryStore, testKeys } from "@stashlight/s3/testing";
import { createAuthority } from "@stashlight/transport/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUp } from "../cleanup/clean-up.ts";
import type { EndpointTarget } from "../endpoint/target.ts";
import { methods } from "../methods/registry.ts";
import { probeEndpoint } from "../probe/probe-endpoint.ts";
import { buildRunPrefix } from "../run/keys.ts";
import { findServer } from "../testing/independent-servers.ts";
import {
  azuriteAccount,
  openAzuriteStore,
  openFakeGcsStore,
  openVersityStore,
} from "../testing/independent-stores.ts";
import { createTestJob, testTarget } from "../testing/index.ts";
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
  const runPrefix = buildRunPrefix(endpoint.prefix, job.runId);
  expect(end.manifest?.runPrefix).toBe(runPrefix);
  expect(await cleanUp({ endpoint, credentials, runPrefix })).toEqual({ deletedCount: 26 });
}

test("our gateway is measured over TLS", async () => {
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

/** A store may take two minutes to listen while the processors are busy, before it is measured. */
const WITH_SLOW_START_MS = 240_000;

const versity = findServer("versitygw");

test.skipIf(versity === null)(
  "an independent S3 server is measured",
  async () => {
    const store = await openVersityStore(versity as string);
    closing.push(store.close);
    await expectWholeRun(testTarget(store.url), store.credentials);
  },
  WITH_SLOW_START_MS,
);

test.skipIf(versity === null)(
  "in a nightly backup of three machines on an independent S3 server, every stage is complete, and every byte comes back",
  async () => {
    const store = await openVersityStore(versity as string);
    closing.push(store.close);
    const endpoint = testTarget(store.url);
    const preset = methods
      .find(({ name }) => name === "backup")
      ?.presets.find(({ name }) => name === "nightly");
    const job = createTestJob(
      endpoint,
      {},
      { method: { name: "backup", parameters: { ...preset?.parameters } } },
    );
    const end = await startSampler(job);
    expect(end).toMatchObject({
      state: "succeeded",
      failureCount: 0,
      openedConnectionCount: 60,
      storedCheck: { checkedCount: 5, failures: [] },
    });
    const stages = new Map(end.stages.map((stage) => [stage.name, stage]));
    const requests = (name: string) => stages.get(name)?.requests;
    expect(requests("full")).toEqual({ put: 768, get: 0, delete: 0 });
    expect(requests("incremental-2")).toEqual({ put: 39, get: 0, delete: 0 });
    expect(requests("merge")).toEqual({ put: 3, get: 0, delete: 78 });
    expect(stages.get("restore")).toMatchObject({ failedCount: 0, downloadedBytes: 67_108_864 });
    const runPrefix = buildRunPrefix(endpoint.prefix, job.runId);
    const cleaned = await cleanUp({ endpoint, credentials: store.credentials, runPrefix });
    // The requests that opened the connections, the newest states with their manifests, and the two machines' writes
    // during the restore.
    expect(cleaned).toEqual({ deletedCount: 60 + 768 + 3 + 26 });
  },
  WITH_SLOW_START_MS,
);

const azurite = findServer("azurite");

describe.skipIf(azurite === null)("Azure Blob Storage", () => {
  let target: EndpointTarget;
  beforeAll(async () => {
    const store = await openAzuriteStore(azurite as string);
    closing.push(store.close);
    target = testTarget(store.url, { kind: "azure-blob" });
  }, WITH_SLOW_START_MS);

  test("completes a run with an account key", () => expectWholeRun(target, azuriteAccount), 60_000);

  test("completes a run with a shared access signature", async () => {
    const credential = new StorageSharedKeyCredential(
      azuriteAccount.accessKeyId,
      azuriteAccount.secretAccessKey,
    );
    const expiresOn = new Date(Date.now() + HOUR_MS);
    const permissions = ContainerSASPermissions.parse("rcwdl");
    const signature = generateBlobSASQueryParameters(
      { containerName: "bench", permissions, expiresOn },
      credential,
    );
    await expectWholeRun(target, { ...azuriteAccount, secretAccessKey: signature.toString() });
  }, 60_000);

  test.each<[string, Partial<EndpointTarget>, string, RegExp]>([
    [
      "a wrong key",
      {},
      Buffer.alloc(64).toString("base64"),
      /does not authorise the request: the key is wrong/,
    ],
    [
      "a container that does not exist",
      { bucket: "nowhere" },
      azuriteAccount.secretAccessKey,
      /no container/,
    ],
  ])("has its failure explained: %s", async (_, more, secretAccessKey, sentence) => {
    const endpoint = { ...target, ...more };
    const check = await probeEndpoint({ endpoint, credentials: { ...azuriteAccount, secretAccessKey } });
    expect(check).toMatchObject({
      isReachable: true,
      findings: [],
      sentence: expect.stringMatching(sentence),
    });
  });
});

const fakeGcs = findServer("fakeGcsServer");

describe.skipIf(fakeGcs === null)("Google Cloud Storage", () => {
  let target: EndpointTarget;
  let tokens: Awaited<ReturnType<typeof openFakeGcsStore>>["tokens"];
  beforeAll(async () => {
    const store = await openFakeGcsStore(fakeGcs as string);
    closing.push(store.close);
    tokens = store.tokens;
    target = testTarget(store.url, { kind: "gcs", tokenAddress: "127.0.0.1" });
  }, WITH_SLOW_START_MS);

  test("completes a run with a service account's key file, and each process requests one token", async () => {
    await expectWholeRun(target, tokens.credentials);
    // The connection test, its clean-up, the run, and the clean-up of the run.
    expect(tokens.assertions).toHaveLength(4);
  }, 60_000);

  test("explains an unknown service account", async () => {
    tokens.refuses = true;
    const check = await probeEndpoint({ endpoint: target, credentials: tokens.credentials });
    expect(check.sentence).toMatch(/does not accept the service account's key/);
  });
});
