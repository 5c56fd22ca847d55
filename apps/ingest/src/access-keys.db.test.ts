import { createAccessKeyInput } from "@stashlight/contracts/access-key";
import { createAccessKey, disableAccessKey } from "@stashlight/services/access-key";
import { revokeNode } from "@stashlight/services/node";
import { askAccessKeys, type EnrolledIdentity } from "@stashlight/telemetry";
import { beforeEach, expect, test } from "vitest";
import { enrolTestNode, send, useTestIngest } from "./testing/harness.ts";

const ingest = await useTestIngest({ accessKeysPerNode: { perSecond: 1, burst: 20 } });
const coordinator = await enrolTestNode(ingest, "main.coordinator-1", {
  role: "coordinator",
  isAutoApproved: true,
});
const pod = await enrolTestNode(ingest, "main.pod-1");

beforeEach(() => ingest.installation.clock.advance(60_000));

const create = (owner: string) =>
  createAccessKey({
    ctx: ingest.admin.ctx,
    input: createAccessKeyInput.parse({
      vault: "main",
      owner,
      name: owner,
      permission: "read",
      buckets: null,
    }),
  });
const ask = ({ key }: Pick<EnrolledIdentity, "key">, revision: string | null = null) =>
  askAccessKeys({ origin: ingest.origin, key: () => key, timeoutMs: 5000, nowMs: Date.now }, revision);
const sendAs = (key: string, headers: Record<string, string> = {}) =>
  send(ingest.origin, "GET", "/v1/access-keys", { authorization: `Bearer ${key}`, ...headers });

test("a coordinator gets its vault's keys, and 304 when nothing has changed", async () => {
  const { keyId, accessKeyId, secretAccessKey } = await create("ada");
  const first = await ask(coordinator);
  expect(first).toMatchObject({
    type: "list",
    list: { keys: [{ id: accessKeyId, secret: secretAccessKey }] },
  });
  const revision = first.type === "list" ? first.list.revision : "";
  expect(await ask(coordinator, revision)).toEqual({ type: "unchanged" });
  await disableAccessKey({ ctx: ingest.admin.ctx, input: { keyId, isDisabled: true } });
  expect(await ask(coordinator, revision)).toMatchObject({
    type: "list",
    list: { keys: [{ isDisabled: true }] },
  });
});

test("no other node gets any key, nor does a client without a node key", async () => {
  expect(await ask(pod)).toMatchObject({
    type: "refused",
    reason: expect.stringMatching(/only coordinators/),
  });
  expect(await ask({ key: "slk_wrong" })).toMatchObject({ type: "refused" });
  expect((await send(ingest.origin, "GET", "/v1/access-keys")).status).toBe(401);
  expect((await send(ingest.origin, "POST", "/v1/access-keys")).status).toBe(405);
  const other = await enrolTestNode(ingest, "other.coordinator-1", {
    vault: "other",
    role: "coordinator",
    isAutoApproved: true,
  });
  expect(await ask(other)).toMatchObject({ type: "list", list: { keys: [] } });
});

test("a coordinator that waits for approval or was revoked gets no keys", async () => {
  const pending = await enrolTestNode(ingest, "main.coordinator-2", { role: "coordinator" });
  expect(await ask(pending)).toMatchObject({
    type: "unreachable",
    reason: expect.stringMatching(/approval/),
  });
  const revoked = await enrolTestNode(ingest, "main.coordinator-3", {
    role: "coordinator",
    isAutoApproved: true,
  });
  const input = { nodeId: revoked.nodeId, name: "main.coordinator-3" };
  await revokeNode({ ctx: ingest.admin.ctx, input });
  expect(await ask(revoked)).toMatchObject({ type: "refused", reason: expect.stringMatching(/revoked/) });
});

test("secrets are sent over loopback or TLS only, and no cache may keep them", async () => {
  const forwarded = await sendAs(coordinator.key, {
    "x-forwarded-for": "192.0.2.7",
    "x-forwarded-proto": "http",
  });
  expect([forwarded.status, forwarded.text]).toEqual([403, expect.stringContaining("over TLS only")]);
  const own = await sendAs(coordinator.key);
  expect([own.status, own.headers["cache-control"]]).toEqual([200, "no-store"]);
});

test("a coordinator that polls without a pause is refused until its rate allows another request", async () => {
  const poll = async (count: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) statuses.push((await sendAs(coordinator.key)).status);
    return statuses;
  };
  expect(await poll(25)).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
  ingest.installation.clock.advance(1_000);
  expect(await poll(2)).toEqual([200, 429]);
});
