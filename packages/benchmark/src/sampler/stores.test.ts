/** Real uploads: to our own gateway over TLS with a local authority, and to an S3 server that others wrote. */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import type { EndpointCredentials } from "@stashlight/contracts/benchmark/credentials";
import { HOUR_MS } from "@stashlight/contracts/time/duration";
import { createS3Server } from "@stashlight/s3";
import { S3Client } from "@stashlight/s3/client";
import { createMemoryStore, testKeys } from "@stashlight/s3/testing";
import { createAuthority } from "@stashlight/transport/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUp } from "../cleanup/clean-up.ts";
import { createBlobPreparer } from "../drivers/azure-blob/prepare-request.ts";
import { openDriver } from "../drivers/open.ts";
import { Asker } from "../endpoint/asker.ts";
import type { EndpointTarget } from "../endpoint/target.ts";
import { probeEndpoint } from "../probe/probe-endpoint.ts";
import { bodyOf } from "../run/bodies.ts";
import { runPrefixOf } from "../run/keys.ts";
import {
  findServer,
  type IndependentServer,
  startAzurite,
  startFakeGcsServer,
  startVersityGateway,
} from "../testing/independent-servers.ts";
import { createTestJob, TEST_CREDENTIALS, testTarget } from "../testing/index.ts";
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

const versity = findServer("versitygw");

test.skipIf(versity === null)(
  "an independent S3 server",
  async () => {
    const gateway = await startVersityGateway(versity as string);
    closing.push(gateway.close);
    const { url } = gateway;
    const accessKey = { id: TEST_CREDENTIALS.accessKeyId, secret: TEST_CREDENTIALS.secretAccessKey };
    const client = new S3Client({ endpoint: url, region: "us-east-1", accessKey });
    await client.createBucket("bench");
    client.close();
    await expectWholeRun(testTarget(url), TEST_CREDENTIALS);
  },
  60_000,
);

const azurite = findServer("azurite");

/** The account that azurite's documentation names, with its published key. */
const azuriteAccount = {
  accessKeyId: "devstoreaccount1",
  secretAccessKey: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
};

describe.skipIf(azurite === null)("Azure Blob Storage", () => {
  let server: IndependentServer;
  let target: EndpointTarget;
  beforeAll(async () => {
    server = await startAzurite(azurite as string);
    closing.push(server.close);
    target = testTarget(server.url, { kind: "azure-blob" });
    await createContainer(target, azuriteAccount);
  });

  test("with an account key a whole run succeeds", () => expectWholeRun(target, azuriteAccount), 60_000);

  test("with a shared access signature a whole run succeeds", async () => {
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
  ])("%s is explained", async (_, more, secretAccessKey, sentence) => {
    const endpoint = { ...target, ...more };
    const check = await probeEndpoint({ endpoint, credentials: { ...azuriteAccount, secretAccessKey } });
    expect(check).toMatchObject({
      isReachable: true,
      findings: [],
      sentence: expect.stringMatching(sentence),
    });
  });
});

async function createContainer(target: EndpointTarget, credentials: EndpointCredentials): Promise<void> {
  const prepare = createBlobPreparer(target, credentials, Date.now);
  const driver = openDriver(target, credentials, Date.now);
  const { signal } = new AbortController();
  const asker = new Asker({ target, driver, timeoutMs: 10_000, signal });
  const nothing = bodyOf(Buffer.alloc(0));
  const created = await asker.ask(() =>
    prepare({ method: "PUT", query: { restype: "container" }, body: nothing }),
  );
  asker.close();
  expect(created.status).toBe(201);
}

const fakeGcs = findServer("fakeGcsServer");

describe.skipIf(fakeGcs === null)("Google Cloud Storage", () => {
  let target: EndpointTarget;
  let tokens: Awaited<ReturnType<typeof startTokenServer>>;
  beforeAll(async () => {
    const server = await startFakeGcsServer(fakeGcs as string);
    closing.push(server.close);
    tokens = await startTokenServer();
    closing.push(tokens.close);
    await fetch(`${server.url}/storage/v1/b?project=tests`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "bench" }),
    });
    target = testTarget(server.url, { kind: "gcs", tokenAddress: "127.0.0.1" });
  });

  test("with a service account's key file a whole run succeeds, and each process asks once for a token", async () => {
    await expectWholeRun(target, tokens.credentials);
    // The connection test, what it cleans up, the run, and what cleans up after it.
    expect(tokens.assertions).toHaveLength(4);
  }, 60_000);

  test("a service account that Google does not know is explained", async () => {
    tokens.refuses = true;
    const check = await probeEndpoint({ endpoint: target, credentials: tokens.credentials });
    expect(check.sentence).toMatch(/does not accept the service account's key/);
  });
});

/** Gives access tokens for assertions, and keeps the assertions. */
async function startTokenServer() {
  const assertions: string[] = [];
  const state = { refuses: false };
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    assertions.push(new URLSearchParams(Buffer.concat(chunks).toString()).get("assertion") ?? "");
    const granted = { access_token: "a-token", expires_in: 3600, token_type: "Bearer" };
    const answer = state.refuses ? { error: "invalid_grant" } : granted;
    response.writeHead(state.refuses ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const credentials = {
    accessKeyId: "bench@tests.iam.gserviceaccount.com",
    secretAccessKey: JSON.stringify({
      type: "service_account",
      client_email: "bench@tests.iam.gserviceaccount.com",
      private_key: privateKey,
      token_uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    }),
  };
  return {
    assertions,
    credentials,
    set refuses(value: boolean) {
      state.refuses = value;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
