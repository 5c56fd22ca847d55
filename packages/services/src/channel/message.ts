/**
 * Formats an event for channels: the same facts as JSON, for Slack and as an e-mail; `services.ts` has the other
 * formats.
 */
import { createHmac } from "node:crypto";
import { formatLabels } from "@stashlight/contracts/alert";
import { escapeSlack, plainText } from "@stashlight/contracts/escape";
import { labelsBeside } from "../alert/summary.ts";

export interface AlertMessage {
  /** Id of the event; a message that arrives again with the same id is to be ignored. */
  readonly id: string;
  readonly firingId: string;
  readonly kind: "firing" | "joined" | "acknowledged" | "reminder" | "resolved" | "test";
  readonly rule: { readonly id: string | null; readonly name: string };
  readonly severity: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number | null;
  readonly summary: string;
  /** Number of groups in the message, and the first of them; absent for a single group. */
  readonly groupCount?: number;
  readonly groups?: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number | null;
  }[];
  readonly occurredAt: Date;
  /** The chart, at the time of the event. */
  readonly url: string;
}

export const signatureHeader = "x-stashlight-signature";
export const timestampHeader = "x-stashlight-timestamp";
const eventHeader = "x-stashlight-event";

export function webhookPost(message: AlertMessage, signingKey: string, now: Date) {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const headers = {
    "content-type": "application/json",
    "user-agent": "Stashlight",
    [eventHeader]: message.id,
    [timestampHeader]: timestamp,
    [signatureHeader]: `v1=${sign(signingKey, timestamp, body)}`,
  };
  return { body, headers };
}

/** HMAC-SHA256 over the time and the body, so that an old message cannot be sent again as a new one. */
export const sign = (key: string, timestamp: string, body: string): string =>
  createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");

const colours: Record<string, string> = { critical: "#c0362c", warning: "#b86e00", info: "#3b5bdb" };
const doneColour = "#2f7d32";
export const kindWords: Record<AlertMessage["kind"], string> = {
  firing: "Firing",
  acknowledged: "Acknowledged",
  joined: "More firing",
  reminder: "Still firing",
  resolved: "Resolved",
  test: "Test",
};

/** The message with all text from users and machines escaped; ids and addresses come from Stashlight. */
export function escapeMessage(message: AlertMessage, escapeText: (text: string) => string): AlertMessage {
  const { rule, severity, labels, summary, groups } = message;
  const escapeLabels = (each: AlertMessage["labels"]) =>
    Object.fromEntries(Object.entries(each).map(([label, value]) => [escapeText(label), escapeText(value)]));
  return {
    ...message,
    rule: { ...rule, name: escapeText(rule.name) },
    severity: escapeText(severity),
    labels: escapeLabels(labels),
    summary: escapeText(summary),
    ...(groups === undefined
      ? {}
      : { groups: groups.map((group) => ({ ...group, labels: escapeLabels(group.labels) })) }),
  };
}

function messageColour({ kind, severity }: AlertMessage): string | undefined {
  if (kind === "resolved" || kind === "test") return doneColour;
  return kind === "acknowledged" ? colours.info : (colours[severity] ?? colours.info);
}

export function slackPost(message: AlertMessage) {
  const { kind, url, occurredAt } = message;
  const { severity, summary, labels } = escapeMessage(message, escapeSlack);
  const title = `${kindWords[kind]}: ${summary}`;
  const body = JSON.stringify({
    text: `${title} <${url}|Open the chart>`,
    attachments: [
      {
        color: messageColour(message),
        fallback: title,
        fields: Object.entries({ severity, ...labels }).map(([label, value]) => ({
          title: label,
          value,
          short: true,
        })),
        ts: Math.floor(occurredAt.getTime() / 1000),
      },
    ],
  });
  return { body, headers: { "content-type": "application/json" } };
}

/** Lines for the groups of a message, with the labels that distinguish them. */
export function groupLines({ groups = [], groupCount = 0, labels: common }: AlertMessage): string[] {
  if (groups.length === 0) return [];
  const lines = groups.map(({ labels }) => formatLabels(labelsBeside(labels, common)));
  const rest = groupCount - groups.length;
  return ["", ...lines.map((line) => `- ${line}`), ...(rest > 0 ? [`- and ${rest} more`] : [])];
}

export function renderLetter(asGiven: AlertMessage): { subject: string; text: string } {
  const message = escapeMessage(asGiven, plainText);
  const { kind, severity, summary, url, occurredAt, rule, labels } = message;
  const lines = [
    summary,
    "",
    `Rule: ${rule.name}`,
    `Severity: ${severity}`,
    `At: ${occurredAt.toISOString()}`,
    ...Object.entries(labels).map(([label, value]) => `${label}: ${value}`),
    ...groupLines(message),
    "",
    `Chart: ${url}`,
  ];
  return { subject: `[${kindWords[kind]}] ${summary}`, text: lines.join("\n") };
}
