/**
 * Formats alerts for services with their own format. Services with incidents identify one by its first event, so that a
 * reminder opens no second incident, and a test closes the incident that it opens.
 */
import { type ChannelConfig, formatLabels } from "@stashlight/contracts/alert";
import { type AlertMessage, groupLines, kindWords } from "./message.ts";

export interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type ConfigOf<Kind extends ChannelConfig["kind"]> = Extract<ChannelConfig, { kind: Kind }>;

const json = { "content-type": "application/json", "user-agent": "Stashlight" };
const product = "Stashlight";

/** Truncates texts that services would refuse, or truncate at arbitrary places. */
const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;

const alertSource = ({ labels }: AlertMessage): string => labels.node ?? labels.vault ?? product;
const messageText = (message: AlertMessage): string => [message.summary, ...groupLines(message)].join("\n");

type Action = "trigger" | "acknowledge" | "resolve";
const actions: Record<AlertMessage["kind"], readonly Action[]> = {
  firing: ["trigger"],
  joined: ["trigger"],
  reminder: ["trigger"],
  acknowledged: ["acknowledge"],
  resolved: ["resolve"],
  test: ["trigger", "resolve"],
};

/** PagerDuty's Events API v2. */
export const pagerDutyPosts = (
  { url }: ConfigOf<"pagerduty">,
  routingKey: string,
  message: AlertMessage,
): Post[] =>
  actions[message.kind].map((action) => ({
    url,
    headers: json,
    body: JSON.stringify({
      routing_key: routingKey,
      event_action: action,
      dedup_key: message.firingId,
      ...(action === "trigger" ? pagerDutyIncident(message) : {}),
    }),
  }));

const PAGERDUTY_SUMMARY_MAX = 1_024;

const pagerDutyIncident = (message: AlertMessage) => ({
  client: product,
  client_url: message.url,
  links: [{ href: message.url, text: "Open the chart" }],
  payload: {
    summary: cut(message.summary, PAGERDUTY_SUMMARY_MAX),
    source: alertSource(message),
    // Its severities include ours.
    severity: message.severity,
    timestamp: message.occurredAt.toISOString(),
    class: message.rule.name,
    custom_details: {
      ...message.labels,
      ...(message.groups === undefined
        ? {}
        : { groups: message.groups.map(({ labels }) => formatLabels(labels)) }),
    },
  },
});

const OPSGENIE_MESSAGE_MAX = 130;
const opsgeniePriorities: Record<string, string> = { critical: "P1", warning: "P3", info: "P5" };
const opsgeniePaths: Record<Exclude<Action, "trigger">, string> = {
  acknowledge: "acknowledge",
  resolve: "close",
};

/** Opsgenie's Alert API v2. */
export function opsgeniePosts({ url }: ConfigOf<"opsgenie">, apiKey: string, message: AlertMessage): Post[] {
  const headers = { ...json, authorization: `GenieKey ${apiKey}` };
  const { firingId, summary, labels, severity, rule } = message;
  return actions[message.kind].map((action) => {
    if (action !== "trigger") {
      const path = `v2/alerts/${encodeURIComponent(firingId)}/${opsgeniePaths[action]}?identifierType=alias`;
      return { url: under(url, path), headers, body: JSON.stringify({ source: product, note: summary }) };
    }
    const alert = {
      message: cut(summary, OPSGENIE_MESSAGE_MAX),
      alias: firingId,
      description: `${messageText(message)}\n\n${message.url}`,
      priority: opsgeniePriorities[severity] ?? "P3",
      source: product,
      entity: alertSource(message),
      tags: [severity],
      details: { rule: rule.name, ...labels },
    };
    return { url: under(url, "v2/alerts"), headers, body: JSON.stringify(alert) };
  });
}

const under = (base: string, path: string): string =>
  new URL(path, base.endsWith("/") ? base : `${base}/`).href;

const cardColours: Record<string, string> = { critical: "Attention", warning: "Warning", info: "Accent" };

/**
 * An Adaptive Card, in the form that Microsoft Teams' workflow "post to a channel when a webhook request is received"
 * accepts.
 */
export function teamsPosts(_config: ConfigOf<"teams">, webhook: string, message: AlertMessage): Post[] {
  const { kind, severity, rule, labels, occurredAt, url } = message;
  const isOver = kind === "resolved" || kind === "test";
  const color = isOver ? "Good" : kind === "acknowledged" ? "Accent" : cardColours[severity];
  const facts = { Rule: rule.name, Severity: severity, At: occurredAt.toISOString(), ...labels };
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      { type: "TextBlock", text: kindWords[kind], weight: "Bolder", size: "Medium", color, wrap: true },
      { type: "TextBlock", text: messageText(message), wrap: true },
      { type: "FactSet", facts: Object.entries(facts).map(([title, value]) => ({ title, value })) },
    ],
    actions: [{ type: "Action.OpenUrl", title: "Open the chart", url }],
  };
  const attachment = {
    contentType: "application/vnd.microsoft.card.adaptive",
    contentUrl: null,
    content: card,
  };
  return [
    { url: webhook, headers: json, body: JSON.stringify({ type: "message", attachments: [attachment] }) },
  ];
}

/** From 1 to 5: 3 is normal, and 5 sounds until it is acknowledged. */
const ntfyPriorities: Record<string, number> = { critical: 5, warning: 4, info: 3 };
const ntfyTags: Record<string, string> = {
  critical: "rotating_light",
  warning: "warning",
  info: "information_source",
};

/** A message for ntfy as JSON, which supports text in any language, unlike headers. */
export function ntfyPosts({ url, topic }: ConfigOf<"ntfy">, token: string, message: AlertMessage): Post[] {
  const { kind, severity, rule } = message;
  const isFiring = kind === "firing" || kind === "joined" || kind === "reminder";
  const otherTag = kind === "acknowledged" ? "eyes" : "white_check_mark";
  const note = {
    topic,
    title: `${kindWords[kind]}: ${rule.name}`,
    message: messageText(message),
    priority: isFiring ? (ntfyPriorities[severity] ?? 3) : 3,
    tags: [isFiring ? (ntfyTags[severity] ?? "warning") : otherTag, severity],
    click: message.url,
  };
  const headers = token === "" ? json : { ...json, authorization: `Bearer ${token}` };
  return [{ url, headers, body: JSON.stringify(note) }];
}
