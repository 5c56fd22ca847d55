import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createChannelInput, updateChannelInput } from "@stashlight/contracts/alert";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { allowOutboundNetwork, removeOutboundNetwork } from "../outbound/networks.ts";
import { auditEvents, openReceiver, type Receiver, useSharedInstallation } from "../testing/index.ts";
import { createChannel } from "./create.ts";
import { deleteChannel } from "./delete.ts";
import { deliverAlerts, leaseMs, waitMs } from "./deliver.ts";
import { listChannels } from "./list.ts";
import { listDeniedChannels } from "./list-denied.ts";
import { testChannel } from "./test-message.ts";
import { updateChannel } from "./update.ts";

const { installation, admin } = useSharedInstallation("admin");
let receiver: Receiver;
const loopback = { cidr: "127.0.0.0/8" };
beforeEach(async () => {
  const { db } = installation.platform;
  await db.alertChannel.deleteMany();
  await db.alertEvent.deleteMany();
  await allowOutboundNetwork({ ctx: admin.ctx, input: loopback });
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const make = (config: object, more: object = {}) =>
  createChannel({
    ctx: admin.ctx,
    input: createChannelInput.parse({ name: "Ops", config, ...more }),
  });
const webhook = () => make({ kind: "webhook", url: `${receiver.url}/hook?a=1` });
const tell = (channelId: string) => testChannel({ ctx: admin.ctx, input: { channelId } });

/** Queues an event for the channel. */
async function queue(channelId: string, firingEventId?: string): Promise<string> {
  const id = crypto.randomUUID();
  const { db, now } = installation.platform;
  await db.alertEvent.create({
    data: {
      id,
      firingEventId: firingEventId ?? id,
      ruleName: "Rule",
      severity: "warning",
      kind: firingEventId === undefined ? "firing" : "resolved",
      group: "[]",
      labels: {},
      summary: "Rule: 9 is above 1.",
      occurredAt: now(),
      deliveries: { create: { channelId, state: "waiting", nextAttemptAt: now() } },
    },
  });
  return id;
}
const deliveryOf = (eventId: string) =>
  installation.platform.db.alertDelivery.findFirstOrThrow({ where: { eventId } });

test("a message that was not accepted is retried at growing intervals, with the same id", async () => {
  const { channelId } = await webhook();
  const id = await queue(channelId);
  receiver.statuses.push(503, 500);
  expect(await deliverAlerts(installation.platform)).toBe(0);
  expect(await deliveryOf(id)).toMatchObject({
    state: "waiting",
    attempts: 1,
    lastError: expect.stringMatching(/^127\.0\.0\.1:\d+ answered 503\.$/),
  });
  expect(await deliverAlerts(installation.platform)).toBe(0);
  expect(receiver.posts).toHaveLength(1);
  installation.clock.advance(waitMs(1));
  expect(await deliverAlerts(installation.platform)).toBe(0);
  installation.clock.advance(waitMs(2));
  expect(await deliverAlerts(installation.platform)).toBe(1);
  expect(receiver.posts.map(({ headers }) => headers["x-stashlight-event"])).toEqual([id, id, id]);
  expect(await deliveryOf(id)).toMatchObject({ state: "delivered", attempts: 3, lastError: null });
});

test("the end of an alert is sent after its beginning, even if that message is delayed", async () => {
  const { channelId } = await webhook();
  const firing = await queue(channelId);
  const resolved = await queue(channelId, firing);
  receiver.statuses.push(500);
  expect(await deliverAlerts(installation.platform)).toBe(0);
  expect(await deliverAlerts(installation.platform)).toBe(0);
  installation.clock.advance(waitMs(1));
  expect(await deliverAlerts(installation.platform)).toBe(1);
  expect(await deliverAlerts(installation.platform)).toBe(1);
  const told = receiver.posts.map(({ headers }) => headers["x-stashlight-event"]);
  expect(told).toEqual([firing, firing, resolved]);
});

test("another worker sends a message that a worker took but did not finish", async () => {
  const { channelId } = await webhook();
  const id = await queue(channelId);
  // Simulates a worker that died after taking the message.
  const leasedUntil = new Date(installation.clock.now().getTime() + leaseMs);
  await installation.platform.db.alertDelivery.updateMany({
    data: { attempts: 1, nextAttemptAt: leasedUntil },
  });
  expect(await deliverAlerts(installation.platform)).toBe(0);
  installation.clock.advance(leaseMs);
  expect(await deliverAlerts(installation.anotherPlatform())).toBe(1);
  expect(await deliveryOf(id)).toMatchObject({ state: "delivered", attempts: 2 });
});

test("a message is dropped after twelve attempts", async () => {
  const { channelId } = await webhook();
  const id = await queue(channelId);
  receiver.statuses.push(...Array.from({ length: 12 }, () => 500));
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await deliverAlerts(installation.platform);
    installation.clock.advance(waitMs(attempt));
  }
  expect(await deliveryOf(id)).toMatchObject({ state: "failed", attempts: 12 });
  expect(await deliverAlerts(installation.platform)).toBe(0);
  expect(receiver.posts).toHaveLength(12);
});

test("this machine is denied unless an admin allows it, and no connection is opened before that", async () => {
  const { channelId } = await webhook();
  await removeOutboundNetwork({ ctx: admin.ctx, input: loopback });
  const denied = await tell(channelId);
  expect(denied).toMatchObject({
    isDelivered: false,
    sentence: expect.stringMatching(
      /127\.0\.0\.1 belongs to this machine \(127\.0\.0\.0\/8\)\. .*"Allowed networks"/,
    ),
  });
  expect(receiver.posts).toEqual([]);
  await allowOutboundNetwork({ ctx: admin.ctx, input: loopback });
  expect(await tell(channelId)).toEqual({ isDelivered: true, sentence: "The channel accepted the message." });
});

test.each([
  ["a webhook in a private network", { kind: "webhook", url: "http://10.1.2.3/hook" }, "10.0.0.0/8"],
  ["a webhook at a ULA", { kind: "webhook", url: "http://[fd12::1]/hook" }, "fc00::/7"],
  [
    "a webhook at a mapped address",
    { kind: "webhook", url: "http://[::ffff:192.168.0.1]/" },
    "192.168.0.0/16",
  ],
  [
    "a mail relay behind a provider's NAT",
    { kind: "email", host: "100.64.0.9", from: "a@example.org", to: ["b@example.org"] },
    "100.64.0.0/10",
  ],
])(
  "%s receives nothing until its network is allowed, and its page shows that",
  async (_what, config, network) => {
    const { channelId } = await make(config);
    expect(await tell(channelId)).toMatchObject({
      isDelivered: false,
      sentence: expect.stringContaining(` (${network}). Nothing is sent there unless it is allowed.`),
    });
    const denied = () => listDeniedChannels({ ctx: admin.ctx });
    expect(await denied()).toMatchObject([{ id: channelId, name: "Ops", network }]);
    await allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: network } });
    expect(await denied()).toEqual([]);
    await removeOutboundNetwork({ ctx: admin.ctx, input: { cidr: network } });
    expect(await denied()).toHaveLength(1);
  },
);

test("only the host's IP address is shown for a channel whose URL is a secret", async () => {
  await make({ kind: "slack" }, { secret: "http://10.1.2.3/services/T000/B000/XXXX" });
  const denied = await listDeniedChannels({ ctx: admin.ctx });
  expect(denied).toMatchObject([{ name: "Ops", address: "10.1.2.3" }]);
  expect(JSON.stringify(denied)).not.toContain("T000");
});

test("redirects are not followed, and the body of the server's answer is not shown", async () => {
  const { channelId } = await webhook();
  receiver.statuses.push(302, 404);
  expect((await tell(channelId)).sentence).toMatch(/answered 302: redirects are not followed/);
  const { sentence } = await tell(channelId);
  expect(sentence).toMatch(/answered 404\.$/);
  expect(sentence).not.toContain("hunter2");
  expect(receiver.posts.map(({ path }) => path)).toEqual(["/hook?a=1", "/hook?a=1"]);
});

test("Slack gets its own format, at an address that cannot be read back", async () => {
  const secret = `${receiver.url}/services/T000/B000/XXXXXXXXabcd`;
  const { channelId, signingKey } = await make({ kind: "slack" }, { secret });
  expect(signingKey).toBeNull();
  expect((await tell(channelId)).isDelivered).toBe(true);
  const [post] = receiver.posts;
  expect(post?.path).toBe("/services/T000/B000/XXXXXXXXabcd");
  expect(JSON.parse(post?.body ?? "")).toMatchObject({
    text: expect.stringMatching(/^Test: .*<http:\/\/console\.test\/alerts\|Open the chart>$/),
    attachments: [{ fields: [{ title: "severity", value: "info" }] }],
  });
  const [row] = await listChannels({ ctx: admin.ctx });
  expect(row).toMatchObject({ kind: "slack", secretHint: "abcd" });
  const stored = await installation.platform.db.alertChannel.findFirstOrThrow();
  expect(stored.secret).toMatch(/^v1\./);
  const everything = JSON.stringify([row, stored, await auditEvents(installation.platform)], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(everything).not.toContain("XXXXXXXX");
});

test("an e-mail goes through a mail server that requires a password", async () => {
  const letters: string[] = [];
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _, done) => {
      if (username === "ops" && password === "a password") done(null, { user: "ops" });
      else done(new Error("no"));
    },
    onData: (stream, { envelope }, done) => {
      let text = `${envelope.rcptTo.map(({ address }) => address).join()}\n`;
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on("end", () => {
        letters.push(text);
        done();
      });
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const config = {
    kind: "email",
    host: "127.0.0.1",
    port,
    security: "none",
    user: "ops",
    from: "stashlight@example.org",
    to: ["one@example.org", "two@example.org"],
  };
  try {
    const { channelId } = await make(config, { secret: "a password" });
    expect(await tell(channelId)).toMatchObject({ isDelivered: true });
    await vi.waitFor(() => expect(letters).toHaveLength(1));
    expect(letters[0]).toMatch(/^one@example\.org,two@example\.org\n/);
    expect(letters[0]).toMatch(/Subject: \[Test\] admin tests the channel Ops/);
    expect(letters[0]).toMatch(/Chart: http:\/\/console\.test\/alerts/);
    const change = (more: object) =>
      updateChannel({
        ctx: admin.ctx,
        input: updateChannelInput.parse({ channelId, name: "Ops", config, ...more }),
      });
    await change({ secret: "another" });
    expect((await tell(channelId)).sentence).toMatch(/did not accept the message: EAUTH \(535\)/);
    // A stored password is not sent to a server for which it was not entered.
    await expect(change({ config: { ...config, host: "127.0.0.2" } })).rejects.toMatchObject({
      field: "secret",
    });
    await expect(change({ config: { ...config, security: "starttls" } })).rejects.toMatchObject({
      field: "secret",
    });
  } finally {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    await closed.promise;
  }
});

test("a deleted channel loses its queued messages, and is no longer in any rule", async () => {
  const { channelId } = await webhook();
  await queue(channelId);
  const { db, now } = installation.platform;
  const rule = await db.alertRule.create({
    data: {
      id: crypto.randomUUID(),
      name: "Rule",
      description: "",
      query: {},
      condition: {},
      forSeconds: 0,
      keepFiringSeconds: 0,
      noData: "ok",
      severity: "info",
      isEnabled: false,
      channelIds: [channelId],
      createdAt: now(),
      updatedAt: now(),
    },
  });
  await deleteChannel({ ctx: admin.ctx, input: { channelId } });
  expect(await db.alertDelivery.count()).toBe(0);
  expect(await db.alertRule.findUnique({ where: { id: rule.id } })).toMatchObject({ channelIds: [] });
});

test("names are unique, and a webhook's address with a password is refused", async () => {
  await webhook();
  await expect(webhook()).rejects.toMatchObject({ code: "conflict", field: "name" });
  const withPassword = createChannelInput.safeParse({
    name: "A",
    config: { kind: "webhook", url: "https://user:pass@hooks.example.org/" },
  });
  expect(withPassword.error?.issues[0]?.message).toBe(
    "The webhook must not contain a user name and password.",
  );
});
