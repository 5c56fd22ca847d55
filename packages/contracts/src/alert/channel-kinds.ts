/** Kinds of notification channels. Browsers load this file, so nothing here needs the schemas. */

export const channelKinds = ["webhook", "slack", "email", "pagerduty", "opsgenie", "teams", "ntfy"] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Default addresses of the services; a self-hosted installation or another region has a different one. */
export const serviceUrls = {
  pagerduty: "https://events.pagerduty.com/v2/enqueue",
  opsgenie: "https://api.opsgenie.com",
  ntfy: "https://ntfy.sh",
} as const;

/** Messages for a new channel without the secret that it needs. */
export const missingSecrets: Partial<Record<ChannelKind, string>> = {
  slack: "Enter the address of the webhook that Slack created.",
  teams: "Enter the address of the webhook that the workflow created.",
  pagerduty: "Enter the integration key of the service in PagerDuty.",
  opsgenie: "Enter the API key of the integration in Opsgenie.",
};
