import type { ChannelKind, ChannelRow } from "@stashlight/contracts/alert";
import type { Status } from "@stashlight/ui";

export const kindLabels: Record<ChannelKind, string> = {
  webhook: "Webhook",
  slack: "Slack",
  email: "E-mail",
  pagerduty: "PagerDuty",
  opsgenie: "Opsgenie",
  teams: "Microsoft Teams",
  ntfy: "ntfy",
};

type CheckedChannel = Pick<ChannelRow, "isEnabled" | "lastError" | "lastDeliveredAt">;

export function channelState({ isEnabled, lastError, lastDeliveredAt }: CheckedChannel): {
  label: string;
  status: Status;
} {
  if (!isEnabled) return { label: "Off", status: "unknown" };
  if (lastError !== null) return { label: "Failing", status: "bad" };
  if (lastDeliveredAt === null) return { label: "Not used yet", status: "unknown" };
  return { label: "Working", status: "good" };
}

/** Destination of the channel, with secret parts left out. */
export function channelDestination({ config }: Pick<ChannelRow, "config">): string {
  if (config.kind === "email") return config.to.join(", ");
  if (config.kind === "ntfy") return `${config.url}, topic ${config.topic}`;
  return "url" in config ? config.url : `${kindLabels[config.kind]} webhook`;
}

/** Names a channel's secret, and explains where to find it. */
export const secretLabels: Record<ChannelKind, { readonly label: string; readonly help: string }> = {
  webhook: { label: "Signing key", help: "Leave it empty to generate a key, which is shown once." },
  slack: {
    label: "Webhook address",
    help: "The address created by Slack, Mattermost or Discord (ending in /slack).",
  },
  email: { label: "Password", help: "If the mail server requires one." },
  pagerduty: {
    label: "Integration key",
    help: 'From the service\'s integration "Events API v2".',
  },
  opsgenie: { label: "API key", help: "From an integration of type API that may create and update alerts." },
  teams: {
    label: "Webhook address",
    help: 'From the workflow "Post to a channel when a webhook request is received".',
  },
  ntfy: { label: "Access token", help: "If the topic is reserved or the server asks for one." },
};
