import {
  accessKeysPerVaultMax,
  createAccessKeyInput,
  servedAccessKeysSchema,
  updateAccessKeyInput,
} from "@stashlight/contracts/access-key";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { newId } from "../ids.ts";
import { present } from "../present.ts";
import { auditEvents, type Person, useSharedInstallation } from "../testing/index.ts";
import { createAccessKey } from "./create.ts";
import { deleteAccessKey } from "./delete.ts";
import { disableAccessKey } from "./disable.ts";
import { listAccessKeys } from "./list.ts";
import { rotateAccessKey } from "./rotate-secret.ts";
import { serveAccessKeys } from "./serve.ts";
import { openSecret } from "./stored.ts";
import { updateAccessKey } from "./update.ts";

const { installation } = useSharedInstallation();
let admin: Person;

const coordinator: AuthenticatedNode = {
  nodeId: newId(),
  name: "main.coordinator-1",
  vault: "main",
  role: "coordinator",
  status: "active",
  isSimulated: false,
};

beforeAll(async () => {
  admin = await installation.person("admin", "Ada");
  const { db } = installation.platform;
  const node = { role: "coordinator", status: "active" };
  await db.node.createMany({
    data: [
      { ...node, id: coordinator.nodeId, name: coordinator.name, vault: "main" },
      { ...node, id: newId(), name: "other.coordinator-1", vault: "other" },
      { ...node, id: newId(), name: "gone.coordinator-1", vault: "gone", status: "revoked" },
    ],
  });
});
beforeEach(() => installation.platform.db.accessKey.deleteMany());

const fields = { vault: "main", owner: "ada", name: "Backups", permission: "write", buckets: null };
const create = (changes: object = {}) =>
  createAccessKey({ ctx: admin.ctx, input: createAccessKeyInput.parse({ ...fields, ...changes }) });
const serve = (node: Partial<AuthenticatedNode> = {}, known: string | null = null) =>
  serveAccessKeys(installation.platform, { ...coordinator, ...node }, known);
const served = async () => (await serve())?.keys ?? [];
const list = async () => (await listAccessKeys({ ctx: admin.ctx })).keys;
const lastEvent = async () => (await auditEvents(installation.platform)).at(-1);

test("a new key, or a new secret, comes with the S3 addresses of its vault's coordinators", async () => {
  const { db } = installation.platform;
  const coordinatorAt = (name: string, s3Url: string | null, changes: object = {}) => ({
    id: newId(),
    name,
    vault: "served",
    role: "coordinator",
    status: "active",
    s3Url,
    s3Region: s3Url === null ? null : "us-east-1",
    ...changes,
  });
  await db.node.createMany({
    data: [
      coordinatorAt("b", "http://10.0.0.2:9000"),
      coordinatorAt("a", "http://10.0.0.1:9000"),
      coordinatorAt("same", "http://10.0.0.1:9000"),
      coordinatorAt("old agent", null),
      coordinatorAt("revoked", "http://10.0.0.3:9000", { status: "revoked" }),
    ],
  });
  onTestFinished(async () => void (await db.node.deleteMany({ where: { vault: "served" } })));
  const addresses = ["http://10.0.0.1:9000", "http://10.0.0.2:9000"].map((url) => ({
    url,
    region: "us-east-1",
  }));
  const issued = await create({ vault: "served" });
  expect(issued.addresses).toEqual(addresses);
  const { keyId } = issued;
  expect((await rotateAccessKey({ ctx: admin.ctx, input: { keyId } })).addresses).toEqual(addresses);
  expect((await create()).addresses).toEqual([]);
});

test("a key is created for an owner, and its secret is returned once, stored sealed and served to the coordinators", async () => {
  const { keyId, accessKeyId, secretAccessKey } = await create({ buckets: ["photos", "photos", "films"] });
  expect(accessKeyId).toMatch(/^SL[0-9A-F]{18}$/);
  expect(secretAccessKey).toMatch(/^[A-Za-z0-9_-]{40}$/);
  const buckets = ["photos", "films"];
  expect(await list()).toEqual([
    {
      id: keyId,
      vault: "main",
      owner: "ada",
      name: "Backups",
      permission: "write",
      buckets,
      accessKeyId,
      secretHint: secretAccessKey.slice(-4),
      isDisabled: false,
      createdBy: "Ada",
      createdAt: installation.clock.now(),
      secretSince: installation.clock.now(),
    },
  ]);
  const [stored] = await installation.platform.db.accessKey.findMany();
  expect(stored?.secretAccessKey).toMatch(/^v1\./);
  expect(() =>
    openSecret(installation.platform.options.secret, { ...stored, id: newId() } as never),
  ).toThrow();
  const served = await serve();
  expect(servedAccessKeysSchema.parse(served)).toEqual(served);
  expect(served?.keys).toEqual([
    {
      id: accessKeyId,
      secret: secretAccessKey,
      owner: "ada",
      permission: "write",
      buckets,
      isDisabled: false,
    },
  ]);
  expect(await lastEvent()).toMatchObject({
    action: "access_key.created",
    targetName: "Backups",
    after: { owner: "ada", keyId: accessKeyId, endsWith: secretAccessKey.slice(-4) },
  });
  expect(JSON.stringify((await lastEvent())?.after)).not.toContain(secretAccessKey);
  expect(JSON.stringify(await list())).not.toContain(secretAccessKey);
});

test("the permissions of a key can change, but not its owner", async () => {
  const { keyId } = await create();
  const change = { keyId, name: "Reports", permission: "read", buckets: ["reports"], owner: "eve" };
  await updateAccessKey({ ctx: admin.ctx, input: updateAccessKeyInput.parse(change) });
  expect(await served()).toMatchObject([{ owner: "ada", permission: "read", buckets: ["reports"] }]);
  expect(await lastEvent()).toMatchObject({
    action: "access_key.changed",
    before: { permission: "write", buckets: "all" },
    after: { permission: "read", buckets: ["reports"] },
  });
});

test("a rotated key has a different secret and the same id", async () => {
  const first = await create();
  const second = await rotateAccessKey({ ctx: admin.ctx, input: { keyId: first.keyId } });
  expect(second.accessKeyId).toBe(first.accessKeyId);
  expect(second.secretAccessKey).not.toBe(first.secretAccessKey);
  expect((await served()).map(({ secret }) => secret)).toEqual([second.secretAccessKey]);
  expect(await lastEvent()).toMatchObject({ action: "access_key.secret_rotated" });
});

test("a key is disabled and enabled, and each change is logged once", async () => {
  const { keyId } = await create();
  const disable = (isDisabled: boolean) => disableAccessKey({ ctx: admin.ctx, input: { keyId, isDisabled } });
  const countBefore = (await auditEvents(installation.platform)).length;
  for (const isDisabled of [true, true, false, false]) {
    await disable(isDisabled);
    expect(await served()).toMatchObject([{ isDisabled }]);
  }
  const events = (await auditEvents(installation.platform)).slice(countBefore);
  expect(events.map(({ action }) => action)).toEqual(["access_key.disabled", "access_key.enabled"]);
});

test("a key is deleted only if its name is typed", async () => {
  const { keyId } = await create();
  const remove = (name: string) => deleteAccessKey({ ctx: admin.ctx, input: { keyId, name } });
  await expect(remove("backups")).rejects.toMatchObject({ code: "invalid_input", field: "name" });
  await remove("Backups");
  expect(await served()).toEqual([]);
  expect(await lastEvent()).toMatchObject({ action: "access_key.deleted", before: { owner: "ada" } });
});

test("an unchanged list is not sent again, and every change has a new revision", async () => {
  const revisions = new Set<string>();
  const note = async () => {
    const revision = present((await serve())?.revision);
    expect(await serve({}, revision)).toBeNull();
    revisions.add(revision);
  };
  await note();
  const { keyId } = await create();
  await note();
  await rotateAccessKey({ ctx: admin.ctx, input: { keyId } });
  await note();
  await disableAccessKey({ ctx: admin.ctx, input: { keyId, isDisabled: true } });
  await note();
  const change = { keyId, name: "Backups", permission: "read" as const, buckets: null };
  await updateAccessKey({ ctx: admin.ctx, input: change });
  await note();
  await updateAccessKey({ ctx: admin.ctx, input: { ...change, buckets: ["photos"] } });
  await note();
  expect(revisions.size).toBe(6);
});

test("only a coordinator receives keys, and only those of its own vault", async () => {
  await create();
  expect((await serve({ vault: "other" }))?.keys).toEqual([]);
  for (const role of ["pod", "stash", "probe"] as const) {
    await expect(serve({ role })).rejects.toMatchObject({ code: "forbidden" });
  }
  await expect(serve({ status: "pending" })).rejects.toMatchObject({ code: "forbidden" });
});

test("keys are created only for vaults with a coordinator, and only as many as a coordinator accepts", async () => {
  expect((await listAccessKeys({ ctx: admin.ctx })).vaults).toEqual(["main", "other"]);
  for (const vault of ["nowhere", "gone"]) {
    await expect(create({ vault })).rejects.toMatchObject({ code: "precondition_failed", field: "vault" });
  }
  const { keyId } = await create();
  const row = await installation.platform.db.accessKey.findUniqueOrThrow({ where: { id: keyId } });
  const copies = Array.from({ length: accessKeysPerVaultMax - 2 }, (_, i) => ({
    ...row,
    id: newId(),
    accessKeyId: `SL${String(i).padStart(18, "0")}`,
  }));
  await installation.platform.db.accessKey.createMany({ data: copies });
  const outcomes = await Promise.allSettled([create(), create(), create()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  await expect(create()).rejects.toMatchObject({ code: "conflict" });
  await create({ vault: "other" });
});

test.each([
  ["an owner with a capital letter", { owner: "Ada" }],
  ["no owner", { owner: "" }],
  ["an empty list of buckets", { buckets: [] }],
  ["an invalid bucket name", { buckets: ["Photos"] }],
  ["too many buckets", { buckets: Array.from({ length: 101 }, (_, i) => `bucket-${i}`) }],
  ["an unknown permission", { permission: "admin" }],
  ["no name", { name: " " }],
])("%s is refused", (_, changes) => {
  expect(createAccessKeyInput.safeParse({ ...fields, ...changes }).success).toBe(false);
});
