import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { createEndpointInput, storeKinds, updateEndpointInput } from "@stashlight/contracts/endpoint";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import type { Context } from "../context.ts";
import { allowOutboundNetwork } from "../outbound/networks.ts";
import { auditEvents, createTestEndpoint, type Person, useFreshInstallation } from "../testing/index.ts";
import { checkEndpoint, checkRateLimit } from "./check.ts";
import { createEndpoint } from "./create.ts";
import { openSecretAccessKey } from "./credentials.ts";
import { deleteEndpoint } from "./delete.ts";
import { duplicateEndpoint } from "./duplicate.ts";
import { listEndpoints } from "./list.ts";
import { listDeniedEndpoints } from "./list-denied.ts";
import { rotateEndpointCredentials } from "./rotate-credentials.ts";
import { updateEndpoint } from "./update.ts";

const { installation } = useFreshInstallation();
let admin: Person;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  admin = await installation.person("admin", "Ada");
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const priceList = {
  perThousandPuts: 5,
  perThousandGets: 0,
  perGbEgress: 0,
  perGbMonth: 0,
  asOf: "2026-11-01",
};
const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/abcd" };
const azureKey = { accessKeyId: "account", secretAccessKey: "c2VjcmV0IGtleSBvZiB0aGUgdGVzdHM=" };
const fields = (changes: object = {}) => ({
  name: "B2",
  kind: "b2",
  url: "https://s3.us-west-004.backblazeb2.com/",
  region: "us-west-004",
  bucket: "benchmarks",
  ...changes,
});
const create = (changes: object = {}) =>
  createEndpoint({ ctx: admin.ctx, input: createEndpointInput.parse({ ...fields(changes), credentials }) });
const update = (endpointId: string, changes: object = {}) =>
  updateEndpoint({
    ctx: admin.ctx,
    input: updateEndpointInput.parse({ endpointId, ...fields(changes) }),
  });
const list = (ctx: Context = admin.ctx) => listEndpoints({ ctx });
const check = (endpointId: string) => checkEndpoint({ ctx: admin.ctx, input: { endpointId } });
const stored = (id: string) => installation.platform.db.endpoint.findUniqueOrThrow({ where: { id } });
const plan = (endpointId: string, changes: object = {}) =>
  createBenchmarkPlan({
    ctx: admin.ctx,
    input: createBenchmarkPlanInput.parse({
      name: "B2 every six hours",
      endpointIds: [endpointId],
      method: { name: "small-uploads" },
      cron: "0 */6 * * *",
      ...changes,
    }),
  });

/** A server that refuses every request as S3 does. */
async function openRefusing(status: number, code: string) {
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    request.resume();
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<Error><Code>${code}</Code><Message>hunter2</Message></Error>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests: () => requestCount };
}

test("the secret key is stored sealed to its row, and only its last characters are ever shown", async () => {
  const { endpointId } = await create();
  const row = await stored(endpointId);
  expect(row.secretAccessKey).toMatch(/^v1\./);
  expect(row.url).toBe("https://s3.us-west-004.backblazeb2.com");
  const { secret } = installation.platform.options;
  expect(openSecretAccessKey(secret, row)).toBe(credentials.secretAccessKey);
  expect(() => openSecretAccessKey(secret, { ...row, id: admin.userId })).toThrow();
  expect(await list()).toMatchObject([{ name: "B2", secretHint: "abcd", planCount: 0, lastCheck: null }]);
  const everything = JSON.stringify([await list(), await auditEvents(installation.platform)], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(everything).not.toContain("wJalrXUtnFEMI");
  expect(everything).not.toContain(row.secretAccessKey);
});

test("operators may see the id of the access key, viewers may not", async () => {
  await create();
  const known = { accessKeyId: credentials.accessKeyId, secretHint: "abcd" };
  expect(await list((await installation.person("operator")).ctx)).toMatchObject([known]);
  const [seen] = await list((await installation.person("viewer")).ctx);
  expect(seen).toMatchObject({ name: "B2", accessKeyId: null, secretHint: null });
});

test("every change is in the audit log, with the key's id and last characters", async () => {
  const { endpointId } = await create();
  await update(endpointId, { name: "Backblaze", region: "us-west-002" });
  const next = { accessKeyId: "ANOTHERKEY", secretAccessKey: "another secret key, ends in wxyz" };
  await rotateEndpointCredentials({ ctx: admin.ctx, input: { endpointId, credentials: next } });
  await deleteEndpoint({ ctx: admin.ctx, input: { endpointId, name: "Backblaze" } });
  expect(await auditEvents(installation.platform)).toMatchObject([
    { action: "endpoint.created", after: { name: "B2", keyId: credentials.accessKeyId, endsWith: "abcd" } },
    { action: "endpoint.changed", before: { region: "us-west-004" }, after: { region: "us-west-002" } },
    {
      action: "endpoint.credentials_rotated",
      before: { keyId: credentials.accessKeyId },
      after: { keyId: "ANOTHERKEY", endsWith: "wxyz" },
    },
    { action: "endpoint.deleted", targetName: "Backblaze" },
  ]);
  expect(await list()).toEqual([]);
});

test("an endpoint that a plan measures cannot be deleted, and the message names the plan", async () => {
  const { endpointId } = await create();
  await plan(endpointId);
  const remove = (name: string) => deleteEndpoint({ ctx: admin.ctx, input: { endpointId, name } });
  await expect(remove("B3")).rejects.toMatchObject({ code: "invalid_input", field: "name" });
  await expect(remove("B2")).rejects.toThrow('"B2" is measured by "B2 every six hours"; remove it there');
  expect(await list()).toMatchObject([{ planCount: 1 }]);
});

test.each([
  ["budget", { budgetPerMonth: 5 }],
  ["limit per slot", { costPerSlotMax: 5 }],
])("prices cannot be removed while a %s depends on them", async (what, changes) => {
  const { endpointId } = await create({ priceList });
  await plan(endpointId, changes);
  await expect(update(endpointId)).rejects.toMatchObject({
    code: "conflict",
    field: "priceList",
    message: expect.stringContaining(`remove the ${what}.`),
  });
  await update(endpointId, { priceList: { ...priceList, perThousandPuts: 4 } });
  expect(await list()).toMatchObject([{ priceList: { perThousandPuts: 4 } }]);
});

test("names are unique, certificates are parsed, and the product's own endpoints cannot be changed", async () => {
  const { endpointId } = await create();
  await expect(create()).rejects.toMatchObject({ code: "conflict", field: "name" });
  const caPem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
  await expect(create({ name: "Other", caPem })).rejects.toMatchObject({ field: "caPem" });
  await expect(create({ name: "Other", caPem: "-----BEGIN CERTIFICATE-----" })).rejects.toMatchObject({
    field: "caPem",
  });
  const builtInId = await createTestEndpoint(installation.platform, { name: "Vault", builtInKey: "local" });
  await expect(update(builtInId, { name: "Mine" })).rejects.toThrow("belongs to the vault beside Stashlight");
  await expect(
    deleteEndpoint({ ctx: admin.ctx, input: { endpointId: builtInId, name: "Vault" } }),
  ).rejects.toMatchObject({ code: "precondition_failed" });
  await expect(update(builtInId, { name: "B2" })).rejects.toThrow();
  expect((await list()).map(({ id }) => id)).toContain(endpointId);
});

test("this machine is not connected to unless an admin allows it", async () => {
  const server = await openRefusing(403, "InvalidAccessKeyId");
  const { endpointId } = await create({ url: server.url });
  const denied = await check(endpointId);
  expect(denied).toMatchObject({ isReachable: false, findings: [] });
  expect(denied.sentence).toBe(
    '127.0.0.1 belongs to this machine (127.0.0.0/8). Nothing is sent there unless it is allowed. An admin can allow it under "Allowed networks" on the pages Channels and Endpoints.',
  );
  expect(server.requests()).toBe(0);
  expect(await list()).toMatchObject([{ lastCheck: denied }]);
  await allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: "127.0.0.1/32" } });
  expect(await list()).toMatchObject([{ lastCheck: null }]);
  const refused = await check(endpointId);
  expect(refused).toMatchObject({ isReachable: true, findings: [] });
  expect(refused.sentence).toBe("The access key ID is not known to the endpoint, or no longer valid.");
  expect(JSON.stringify(refused)).not.toContain("hunter2");
});

test("endpoints in networks that are not allowed are listed for users who may test them", async () => {
  const { ctx } = await installation.person("operator");
  const denied = () => listDeniedEndpoints({ ctx });
  await createTestEndpoint(installation.platform, {
    name: "Vault",
    url: "http://127.0.0.1:1",
    builtInKey: "local",
  });
  await createTestEndpoint(installation.platform, { name: "Public", url: "https://8.8.8.8" });
  expect(await denied()).toEqual([]);
  const { endpointId } = await create({ url: "http://10.1.2.3:9000" });
  const row = {
    id: endpointId,
    name: "B2",
    address: "10.1.2.3",
    network: "10.0.0.0/8",
    kind: "a private network",
  };
  expect(await denied()).toEqual([row]);
  expect((await check(endpointId)).sentence).toContain("10.1.2.3 belongs to a private network (10.0.0.0/8).");
  await allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: "10.1.0.0/16" } });
  expect(await denied()).toEqual([]);
});

test("a test's result is stored with its date, and deleted when place or key change", async () => {
  const { url } = await openRefusing(404, "NoSuchBucket");
  await allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: "127.0.0.1/32" } });
  const { endpointId } = await create({ url });
  const seen = await check(endpointId);
  expect(seen.sentence).toBe('There is no bucket "benchmarks" at 127.0.0.1.');
  expect(await list()).toMatchObject([{ lastCheck: seen }]);
  await update(endpointId, { url, name: "Renamed" });
  expect(await list()).toMatchObject([{ lastCheck: seen }]);
  await update(endpointId, { url, bucket: "another" });
  expect(await list()).toMatchObject([{ lastCheck: null }]);
  await check(endpointId);
  await rotateEndpointCredentials({ ctx: admin.ctx, input: { endpointId, credentials } });
  expect(await list()).toMatchObject([{ lastCheck: null }]);
});

test("connection tests are limited per user", async () => {
  const { endpointId } = await create({ url: "http://127.0.0.1:9" });
  for (let count = 0; count < checkRateLimit.requestCountMax; count += 1) await check(endpointId);
  await expect(check(endpointId)).rejects.toMatchObject({ code: "rate_limited" });
  const { ctx } = await installation.person("operator");
  expect(await checkEndpoint({ ctx, input: { endpointId } })).toMatchObject({ isReachable: false });
});

const keyFile = JSON.stringify({
  type: "service_account",
  client_email: "bench@project.iam.gserviceaccount.com",
  private_key: "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n",
});
test.each(storeKinds)("a store of kind %s can be added", async (kind) => {
  const input = {
    ...fields({ kind }),
    credentials: { ...credentials, ...(kind === "azure-blob" ? azureKey : {}) },
  };
  await createEndpoint({ ctx: admin.ctx, input: createEndpointInput.parse(input) });
  expect(await list()).toMatchObject([{ kind }]);
});

const blobFields = fields({ name: "Blobs", kind: "azure-blob", url: "https://acct.blob.core.windows.net" });
const sharedAccess = { accessKeyId: "acct", secretAccessKey: "sv=2024-11-04&sr=c&sp=rcwdl&sig=c2ln" };

test("a service account is identified by its name, and no part of its key file is shown", async () => {
  const input = createEndpointInput.parse({
    ...fields({ name: "Google", kind: "gcs", url: "https://storage.googleapis.com" }),
    credentials: { accessKeyId: "", secretAccessKey: keyFile },
  });
  await createEndpoint({ ctx: admin.ctx, input });
  expect(await list()).toMatchObject([
    { kind: "gcs", accessKeyId: "bench@project.iam.gserviceaccount.com", secretHint: null },
  ]);
});

test.each([
  ["a key that is no Base64", blobFields, { accessKeyId: "acct", secretAccessKey: "not base64!" }],
  ["an invalid account name", blobFields, { ...sharedAccess, accessKeyId: "Acct.1" }],
  ["a key file for a store that is not Google's", fields(), { accessKeyId: "", secretAccessKey: keyFile }],
  [
    "a file that is no key file",
    fields({ kind: "gcs" }),
    { accessKeyId: "GOOG1E", secretAccessKey: '{"type":"service_account"}' },
  ],
])("a new endpoint with %s is refused", async (_, given, other) => {
  expect(createEndpointInput.safeParse({ ...given, credentials: other }).success).toBe(false);
});

test("replacement credentials of another kind of store are refused", async () => {
  const { endpointId } = await create();
  const input = { endpointId, credentials: { accessKeyId: "", secretAccessKey: keyFile } };
  await expect(rotateEndpointCredentials({ ctx: admin.ctx, input })).rejects.toMatchObject({
    code: "invalid_input",
    field: "credentials.secretAccessKey",
  });
});

test("a shared access signature is never sent to a host that was entered after it", async () => {
  const input = createEndpointInput.parse({ ...blobFields, credentials: sharedAccess });
  const { endpointId } = await createEndpoint({ ctx: admin.ctx, input });
  const elsewhere = { ...blobFields, url: "https://example.org" };
  await expect(update(endpointId, elsewhere)).rejects.toMatchObject({ code: "conflict" });
  await expect(update(endpointId, { ...blobFields, kind: "s3" })).rejects.toMatchObject({ code: "conflict" });
  await update(endpointId, { ...blobFields, bucket: "another" });
  expect(await stored(endpointId)).toMatchObject({ bucket: "another", url: blobFields.url });
});

test("a benchmark since an endpoint's last change counts as a test of the endpoint", async () => {
  const { endpointId } = await create();
  const { updatedAt } = await stored(endpointId);
  const measureAt = (finishedAt: Date, state: string) =>
    installation.platform.db.benchmarkRun.create({
      data: {
        id: randomUUID(),
        endpointId,
        endpointName: "B2",
        vantageName: "This worker",
        state,
        label: "measured",
        slotAt: finishedAt,
        finishedAt,
        createdAt: finishedAt,
        attempt: 1,
        position: 0,
        method: { name: "small-uploads", parameters: {} },
      },
    });
  const after = (seconds: number) => new Date(updatedAt.getTime() + seconds * 1000);
  await measureAt(after(-60), "succeeded");
  expect(await list()).toMatchObject([{ lastMeasuredAt: null }]);
  await measureAt(after(60), "succeeded");
  await measureAt(after(120), "failed");
  expect(await list()).toMatchObject([{ lastMeasuredAt: after(60) }]);
});

test("an endpoint gets a second name once, with its own sealed secret, and the log records it", async () => {
  const { platform } = installation;
  const { endpointId } = await create();
  const duplicate = () => duplicateEndpoint({ ctx: admin.ctx, input: { endpointId } });
  const first = await duplicate();
  expect(await duplicate()).toEqual(first);
  const [one, other] = await Promise.all(
    [endpointId, first.endpointId].map((id) => platform.db.endpoint.findUniqueOrThrow({ where: { id } })),
  );
  expect(other).toMatchObject({
    name: "B2 (again)",
    url: one?.url,
    bucket: one?.bucket,
    prefix: one?.prefix,
  });
  expect(other?.secretAccessKey).not.toBe(one?.secretAccessKey);
  if (other === undefined) throw new Error("There is no second name.");
  expect(openSecretAccessKey(platform.options.secret, other)).toBe(credentials.secretAccessKey);
  const made = (await auditEvents(platform)).filter(({ action }) => action === "endpoint.created");
  expect(made.map(({ targetName }) => targetName)).toEqual(["B2", "B2 (again)"]);
});

test("a copy whose name is taken gets a number, and its name stays within the maximum length", async () => {
  const { endpointId } = await create({ name: "b".repeat(100) });
  await create({ name: `${"b".repeat(92)} (again)`, bucket: "another" });
  const { endpointId: id } = await duplicateEndpoint({ ctx: admin.ctx, input: { endpointId } });
  const { name } = await installation.platform.db.endpoint.findUniqueOrThrow({ where: { id } });
  expect(name).toBe(`${"b".repeat(90)} (again 2)`);
});

test("endpoints of the local vault get no second name", async () => {
  const endpointId = await createTestEndpoint(installation.platform, { name: "Vault", builtInKey: "vault" });
  await expect(duplicateEndpoint({ ctx: admin.ctx, input: { endpointId } })).rejects.toMatchObject({
    code: "precondition_failed",
  });
});
