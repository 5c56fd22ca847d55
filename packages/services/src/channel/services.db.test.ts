import { createChannelInput, updateChannelInput } from "@stashlight/contracts/alert";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { allowOutboundNetwork } from "../outbound/networks.ts";
import { openReceiver, type Receiver, useSharedInstallation } from "../testing/index.ts";
import { createChannel } from "./create.ts";
import { deliverAlerts } from "./deliver.ts";
import { testChannel } from "./test-message.ts";
import { updateChannel } from "./update.ts";

const { installation, admin } = useSharedInstallation("admin");
let receiver: Receiver;
const firingId = "11111111-1111-4111-8111-111111111111";
const occurredAt = new Date("2026-11-21T03:00:00Z");
const summary = "fsync slow (node stash-1, device s3): p99 69.6 ms, n 6,400, above 50 ms.";
const chartUrl =
  "http://console.test/alerts/22222222-2222-4222-8222-222222222222?from=2026-11-21T02%3A30%3A00.000Z&to=2026-11-21T03%3A15%3A00.000Z&group=%5B%22stash-1%22%5D";
const labels = { vault: "photos", node: "stash-1" };

beforeAll(async () => {
  await allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: "127.0.0.0/8" } });
  const { db } = installation.platform;
  await db.alertRule.create({
    data: {
      id: "22222222-2222-4222-8222-222222222222",
      name: "fsync slow",
      description: "",
      query: {},
      condition: {},
      forSeconds: 0,
      keepFiringSeconds: 0,
      noData: "ok",
      severity: "critical",
      isEnabled: false,
      createdAt: occurredAt,
      updatedAt: occurredAt,
    },
  });
});
beforeEach(async () => {
  const { db } = installation.platform;
  await db.alertChannel.deleteMany();
  await db.alertEvent.deleteMany();
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const make = (config: object, secret?: string) =>
  createChannel({
    ctx: admin.ctx,
    input: createChannelInput.parse({ name: "Ops", config, ...(secret === undefined ? {} : { secret }) }),
  });

const told = { ruleName: "fsync slow", labels, summary };
type Kind = "firing" | "acknowledged" | "reminder" | "resolved";

/** Sends the channel an event of each kind in turn, and returns the requests. */
async function tell(channelId: string, kinds: readonly Kind[], given: Partial<typeof told> = {}) {
  const { db, now } = installation.platform;
  for (const kind of kinds) {
    await db.alertEvent.create({
      data: {
        id: kind === "firing" ? firingId : crypto.randomUUID(),
        firingEventId: firingId,
        ruleId: "22222222-2222-4222-8222-222222222222",
        severity: "critical",
        kind,
        group: '["stash-1"]',
        ...told,
        ...(kind === "firing" ? {} : { summary: `fsync slow: ${kind}.` }),
        ...given,
        occurredAt,
        deliveries: { create: { channelId, state: "waiting", nextAttemptAt: now() } },
      },
    });
    expect(await deliverAlerts(installation.platform)).toBe(1);
  }
  return receiver.posts.map(({ path, headers, body }) => ({
    path,
    authorization: headers.authorization,
    type: headers["content-type"],
    body: JSON.parse(body),
  }));
}

test("PagerDuty gets one incident, which is acknowledged and resolved by its key", async () => {
  const { channelId } = await make({ kind: "pagerduty", url: `${receiver.url}/v2/enqueue` }, "R0UT1NGKEY");
  const [trigger, again, acknowledge, resolve] = await tell(channelId, [
    "firing",
    "reminder",
    "acknowledged",
    "resolved",
  ]);
  expect(trigger).toEqual({
    path: "/v2/enqueue",
    authorization: undefined,
    type: "application/json",
    body: {
      routing_key: "R0UT1NGKEY",
      event_action: "trigger",
      dedup_key: firingId,
      client: "Stashlight",
      client_url: chartUrl,
      links: [{ href: chartUrl, text: "Open the chart" }],
      payload: {
        summary,
        source: "stash-1",
        severity: "critical",
        timestamp: "2026-11-21T03:00:00.000Z",
        class: "fsync slow",
        custom_details: labels,
      },
    },
  });
  expect(again?.body).toMatchObject({ event_action: "trigger", dedup_key: firingId });
  const key = { routing_key: "R0UT1NGKEY", dedup_key: firingId };
  expect(acknowledge?.body).toEqual({ ...key, event_action: "acknowledge" });
  expect(resolve?.body).toEqual({ ...key, event_action: "resolve" });
});

test("Opsgenie gets one alert, which is acknowledged and closed by its alias", async () => {
  const { channelId } = await make({ kind: "opsgenie", url: receiver.url }, "an-api-key");
  const [created, acknowledged, closed] = await tell(channelId, ["firing", "acknowledged", "resolved"]);
  expect(created).toEqual({
    path: "/v2/alerts",
    authorization: "GenieKey an-api-key",
    type: "application/json",
    body: {
      message: summary,
      alias: firingId,
      description: `${summary}\n\n${chartUrl}`,
      priority: "P1",
      source: "Stashlight",
      entity: "stash-1",
      tags: ["critical"],
      details: { rule: "fsync slow", ...labels },
    },
  });
  expect(acknowledged).toMatchObject({
    path: `/v2/alerts/${firingId}/acknowledge?identifierType=alias`,
    authorization: "GenieKey an-api-key",
    body: { source: "Stashlight", note: "fsync slow: acknowledged." },
  });
  expect(closed).toMatchObject({
    path: `/v2/alerts/${firingId}/close?identifierType=alias`,
    body: { source: "Stashlight", note: "fsync slow: resolved." },
  });
});

test("Teams gets an Adaptive Card at an address that cannot be read back", async () => {
  const { channelId } = await make({ kind: "teams" }, `${receiver.url}/workflows/abc?sig=hidden`);
  const [card] = await tell(channelId, ["firing"]);
  expect(card).toEqual({
    path: "/workflows/abc?sig=hidden",
    authorization: undefined,
    type: "application/json",
    body: {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "TextBlock",
                text: "Firing",
                weight: "Bolder",
                size: "Medium",
                color: "Attention",
                wrap: true,
              },
              { type: "TextBlock", text: summary, wrap: true },
              {
                type: "FactSet",
                facts: [
                  { title: "Rule", value: "fsync slow" },
                  { title: "Severity", value: "critical" },
                  { title: "At", value: "2026-11-21T03:00:00.000Z" },
                  { title: "node", value: "stash-1" },
                  { title: "vault", value: "photos" },
                ],
              },
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open the chart", url: chartUrl }],
          },
        },
      ],
    },
  });
  const stored = await installation.platform.db.alertChannel.findFirstOrThrow();
  expect(`${stored.secret} ${JSON.stringify(stored.config)}`).not.toContain("workflows");
});

test("ntfy gets a message with title, priority and tags, and a token if the channel has one", async () => {
  const { channelId } = await make({ kind: "ntfy", url: receiver.url, topic: "storage" }, "tk_secret");
  const [fired, resolved] = await tell(channelId, ["firing", "resolved"]);
  expect(fired).toEqual({
    path: "/",
    authorization: "Bearer tk_secret",
    type: "application/json",
    body: {
      topic: "storage",
      title: "Firing: fsync slow",
      message: summary,
      priority: 5,
      tags: ["rotating_light", "critical"],
      click: chartUrl,
    },
  });
  expect(resolved?.body).toMatchObject({ priority: 3, tags: ["white_check_mark", "critical"] });
  await installation.platform.db.alertChannel.deleteMany();
  const open = await make({ kind: "ntfy", url: receiver.url, topic: "storage" });
  await testChannel({ ctx: admin.ctx, input: open });
  expect(receiver.posts.at(-1)?.headers.authorization).toBeUndefined();
});

const hostile = {
  ruleName: "*now* <!channel>",
  labels: { vault: "photos", node: "stash-1", device: "[sign in](https://evil.example)\n@here <b>" },
  summary: "*now* <!channel> (node stash-1, device [sign in](https://evil.example)\n@here <b>): p99 1 s.",
};
const services: [string, () => object, string?][] = [
  ["slack", () => ({ kind: "slack" })],
  ["pagerduty", () => ({ kind: "pagerduty", url: receiver.url }), "R0UT1NGKEY"],
  ["opsgenie", () => ({ kind: "opsgenie", url: receiver.url }), "an-api-key"],
  ["teams", () => ({ kind: "teams" })],
  ["ntfy", () => ({ kind: "ntfy", url: receiver.url, topic: "storage" })],
];

test.each(services)(
  "%s gets no link, mention, tag or emphasis from a label",
  async (kind, config, secret) => {
    const isAddress = kind === "slack" || kind === "teams";
    const { channelId } = await make(config(), isAddress ? `${receiver.url}/hook` : secret);
    const [post] = await tell(channelId, ["firing"], hostile);
    const texts: string[] = [];
    JSON.stringify(post?.body, (name, value: unknown) => {
      texts.push(name);
      if (typeof value === "string") texts.push(value);
      return value;
    });
    const ours = [chartUrl, `<${chartUrl}|Open the chart>`];
    const escaped = texts.map((text) => ours.reduce((rest, each) => rest.replace(each, ""), text));
    expect(escaped.filter((text) => /\]\(|https:\/\/evil|@here|<!|<b>|\*now/.test(text))).toEqual([]);
    expect(escaped.filter((text) => text.includes("evil.example"))).not.toEqual([]);
  },
);

test("a webhook gets labels unescaped, because a program reads them", async () => {
  const { channelId } = await make({ kind: "webhook", url: `${receiver.url}/hook` });
  const [post] = await tell(channelId, ["firing"], hostile);
  expect(post?.body).toMatchObject({ labels: hostile.labels, summary: hostile.summary });
});

test("a test closes the incident that it opens", async () => {
  const pager = await make({ kind: "pagerduty", url: receiver.url }, "R0UT1NGKEY");
  await testChannel({ ctx: admin.ctx, input: { channelId: pager.channelId } });
  await installation.platform.db.alertChannel.deleteMany();
  const genie = await make({ kind: "opsgenie", url: receiver.url }, "an-api-key");
  const told = await testChannel({ ctx: admin.ctx, input: { channelId: genie.channelId } });
  expect(told).toEqual({ isDelivered: true, sentence: "The channel accepted the message." });
  const [trigger, resolve, create, close] = receiver.posts.map(({ path, body }) => ({
    path,
    ...JSON.parse(body),
  }));
  expect(resolve).toMatchObject({ event_action: "resolve", dedup_key: trigger.dedup_key });
  expect(close.path).toBe(`/v2/alerts/${create.alias}/close?identifierType=alias`);
});

test("a key is sent only to the address for which it was entered", async () => {
  const config = { kind: "opsgenie", url: receiver.url };
  const { channelId } = await make(config, "an-api-key");
  const change = (more: object) =>
    updateChannel({
      ctx: admin.ctx,
      input: updateChannelInput.parse({ channelId, name: "Ops", config, ...more }),
    });
  await change({ name: "Night" });
  const moved = { config: { ...config, url: "https://elsewhere.example.org" } };
  await expect(change(moved)).rejects.toMatchObject({ field: "secret" });
  await change({ ...moved, secret: "another-key" });
});
