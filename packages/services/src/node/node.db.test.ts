import {
  createEnrolmentTokenInput,
  enrolNodeInput,
  type NodeRole,
  type NodeStatus,
} from "@stashlight/contracts/node";
import { beforeEach, expect, test } from "vitest";
import { auditEvents, useSharedInstallation } from "../testing/index.ts";
import { approveNode } from "./approve.ts";
import { createEnrolmentToken } from "./create-token.ts";
import { enrolmentRateLimit, enrolNode } from "./enrol.ts";
import { getNode } from "./get.ts";
import { listNodes } from "./list.ts";
import { listEnrolmentTokens } from "./list-tokens.ts";
import { authenticateNode, authenticationKeptMs, createNodeAuthenticator } from "./reporting/authenticate.ts";
import { revokeNode } from "./revoke.ts";
import { revokeEnrolmentToken } from "./revoke-token.ts";
import { keyOverlapMs, rotateNodeKey } from "./rotate-key.ts";

const { installation, admin } = useSharedInstallation("admin");
beforeEach(async () => {
  const { db } = installation.platform;
  await db.node.deleteMany();
  await db.enrolmentToken.deleteMany();
  await db.rateLimit.deleteMany();
});

const makeToken = (terms: Record<string, unknown> = {}) =>
  createEnrolmentToken({
    ctx: admin.ctx,
    input: createEnrolmentTokenInput.parse({ vault: "main", role: "pod", ...terms }),
  });
const enrol = (token: string, name = "pod-1", role: NodeRole = "pod") =>
  enrolNode({ ctx: installation.nobody, input: enrolNodeInput.parse({ token, name, role }) });
const authenticate = (key: string) => authenticateNode(installation.platform, key);
const setStatus = (id: string, status: NodeStatus) =>
  installation.platform.db.node.update({ where: { id }, data: { status } });

test("a machine enrols with a token, waits for an admin and is known by its own key", async () => {
  const { token } = await makeToken();
  const { nodeId, key, status } = await enrol(token);
  expect(status).toBe("pending");
  expect(await authenticate(key)).toMatchObject({ nodeId, name: "pod-1", vault: "main", status: "pending" });
  await approveNode({ ctx: admin.ctx, input: { nodeId } });
  expect(await authenticate(key)).toMatchObject({ status: "active", isSimulated: false });
  expect(await listNodes({ ctx: admin.ctx })).toMatchObject([{ name: "pod-1", status: "active" }]);
});

test("neither tokens nor keys are stored or logged in plain text", async () => {
  const { token } = await makeToken();
  const { nodeId, key } = await enrol(token);
  const { db } = installation.platform;
  const kept = JSON.stringify([
    await db.enrolmentToken.findMany(),
    await db.nodeKey.findMany(),
    (await auditEvents(installation.platform)).map((event) => ({ ...event, sequence: 0 })),
  ]);
  expect(kept).not.toContain(token);
  expect(kept).not.toContain(key);
  const details = await getNode({ ctx: admin.ctx, input: { nodeId } });
  expect(details.keys).toMatchObject([{ lastCharacters: key.slice(-4), revokedAt: null }]);
});

test("changes of nodes and tokens are in the audit log, with names", async () => {
  const first = (await auditEvents(installation.platform)).length;
  const issued = await makeToken({ useCountMax: 2 });
  const { nodeId } = await enrol(issued.token);
  await approveNode({ ctx: admin.ctx, input: { nodeId } });
  await rotateNodeKey({ ctx: admin.ctx, input: { nodeId } });
  await revokeNode({ ctx: admin.ctx, input: { nodeId, name: "pod-1" } });
  await revokeEnrolmentToken({ ctx: admin.ctx, input: { tokenId: issued.tokenId } });
  const events = (await auditEvents(installation.platform)).slice(first);
  const tokenName = `…${issued.token.slice(-4)}`;
  expect(events.map(({ action, actorName, targetName }) => [action, actorName, targetName])).toEqual([
    ["node.token_created", "admin", tokenName],
    ["node.enrolled", `enrolment token ${tokenName}`, "pod-1"],
    ["node.approved", "admin", "pod-1"],
    ["node.key_rotated", "admin", "pod-1"],
    ["node.revoked", "admin", "pod-1"],
    ["node.token_revoked", "admin", tokenName],
  ]);
});

test("a token enrols exactly its number of machines, even when all arrive at the same time", async () => {
  const { token } = await makeToken({ useCountMax: 3, isAutoApproved: true });
  const outcomes = await Promise.allSettled(
    ["a", "b", "c", "d", "e"].map((name) => enrol(token, `pod-${name}`)),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "unauthenticated", message: expect.stringContaining("has enrolled its 3 nodes") },
  });
  expect(await listNodes({ ctx: admin.ctx })).toHaveLength(3);
  expect(await listEnrolmentTokens({ ctx: admin.ctx })).toEqual([]);
});

test("a token that has expired, was revoked or is for another role enrols no machine", async () => {
  const short = await makeToken({ lifetimeHours: 1 });
  const revoked = await makeToken();
  const open = await makeToken();
  await revokeEnrolmentToken({ ctx: admin.ctx, input: { tokenId: revoked.tokenId } });
  await expect(enrol(revoked.token)).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(enrol(open.token, "stash-1", "stash")).rejects.toMatchObject({ code: "forbidden" });
  await expect(enrol(`sle_${"x".repeat(43)}`)).rejects.toMatchObject({ code: "unauthenticated" });
  installation.clock.set(new Date(short.expiresAt));
  await expect(enrol(short.token)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await listNodes({ ctx: admin.ctx })).toEqual([]);
});

test("a machine that lost its response enrols again and gets another key, without a further use", async () => {
  const { token } = await makeToken();
  const lost = await enrol(token);
  const kept = await enrol(token);
  expect(kept.nodeId).toBe(lost.nodeId);
  await expect(authenticate(lost.key)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await authenticate(kept.key)).toMatchObject({ nodeId: lost.nodeId });
});

test("no machine takes the name of a node that has reported, unless the token may replace it", async () => {
  const first = await makeToken({ useCountMax: 2, isAutoApproved: true });
  const { nodeId, key } = await enrol(first.token);
  const seen = { lastSeenAt: installation.clock.now() };
  await installation.platform.db.node.update({ where: { id: nodeId }, data: seen });
  await expect(enrol(first.token)).rejects.toMatchObject({ code: "conflict", field: "name" });
  const otherVault = await makeToken({ vault: "other", mayReplace: true });
  await expect(enrol(otherVault.token)).rejects.toMatchObject({ code: "conflict" });
  expect(await authenticate(key)).toMatchObject({ nodeId });

  const replacing = await makeToken({ mayReplace: true });
  const again = await enrol(replacing.token);
  expect(again).toMatchObject({ nodeId, status: "active" });
  await expect(authenticate(key)).rejects.toMatchObject({ code: "unauthenticated" });
});

test("a revoked node is refused at once, and returns only by enrolling again with an admin's approval", async () => {
  const { token } = await makeToken({ isAutoApproved: true });
  const { nodeId, key } = await enrol(token);
  const wrong = revokeNode({ ctx: admin.ctx, input: { nodeId, name: "pod-2" } });
  await expect(wrong).rejects.toMatchObject({ code: "invalid_input", field: "name" });
  await revokeNode({ ctx: admin.ctx, input: { nodeId, name: "pod-1" } });
  await expect(authenticate(key)).rejects.toMatchObject({ code: "forbidden" });
  await expect(approveNode({ ctx: admin.ctx, input: { nodeId } })).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(rotateNodeKey({ ctx: admin.ctx, input: { nodeId } })).rejects.toMatchObject({
    code: "conflict",
  });
  const replacing = await makeToken({ mayReplace: true, isAutoApproved: true });
  const again = await enrol(replacing.token);
  expect(again).toMatchObject({ nodeId, status: "pending" });
  await expect(authenticate(key)).rejects.toMatchObject({ code: "unauthenticated" });
});

test("a rotated key works beside its successor for a day, and the key before it no longer works", async () => {
  const { token } = await makeToken({ isAutoApproved: true });
  const { nodeId, key: oldest } = await enrol(token);
  const { key: middle } = await rotateNodeKey({ ctx: admin.ctx, input: { nodeId } });
  expect(await authenticate(oldest)).toMatchObject({ nodeId });
  const { key: latest } = await rotateNodeKey({ ctx: admin.ctx, input: { nodeId } });
  await expect(authenticate(oldest)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await authenticate(middle)).toMatchObject({ nodeId });
  installation.clock.advance(keyOverlapMs);
  await expect(authenticate(middle)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await authenticate(latest)).toMatchObject({ nodeId });
});

test("an authenticator looks up a key once and caches the answer for a while", async () => {
  const { token } = await makeToken();
  const { nodeId, key } = await enrol(token);
  const authenticator = createNodeAuthenticator(installation.platform);
  expect((await authenticator.authenticate(key)).status).toBe("pending");
  await setStatus(nodeId, "active");
  expect((await authenticator.authenticate(key)).status).toBe("pending");
  installation.clock.advance(authenticationKeptMs);
  expect((await authenticator.authenticate(key)).status).toBe("active");
  await setStatus(nodeId, "revoked");
  installation.clock.advance(authenticationKeptMs);
  await expect(authenticator.authenticate(key)).rejects.toMatchObject({ code: "forbidden" });
  await expect(authenticator.authenticate("not a key")).rejects.toMatchObject({ code: "unauthenticated" });
});

test("enrolment attempts are limited per address", async () => {
  const { requestCountMax, windowSeconds } = enrolmentRateLimit;
  const now = installation.clock.now();
  await installation.platform.db.rateLimit.create({
    data: {
      key: `enrol:${installation.nobody.origin.ipAddress}`,
      requestCount: requestCountMax,
      windowStartedAt: now,
      windowEndsAt: new Date(now.getTime() + windowSeconds * 1000),
    },
  });
  const { token } = await makeToken();
  await expect(enrol(token)).rejects.toMatchObject({ code: "rate_limited" });
});
