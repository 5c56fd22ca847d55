import type { ChannelKind } from "@stashlight/contracts/alert";
import type { ChannelRow } from "@stashlight/contracts/alert/channel";
import type { Status } from "@stashlight/ui";

export const kindWords: Record<ChannelKind, string> = {
  webhook: "Webhook",
  slack: "Slack",
  email: "E-mail",
};

type Standing = Pick<ChannelRow, "isEnabled" | "lastError" | "lastDeliveredAt">;

export function standingOfChannel({ isEnabled, lastError, lastDeliveredAt }: Standing): {
  label: string;
  status: Status;
} {
  if (!isEnabled) return { label: "Off", status: "unknown" };
  if (lastError !== null) return { label: "Failing", status: "bad" };
  if (lastDeliveredAt === null) return { label: "Not used yet", status: "unknown" };
  return { label: "Working", status: "good" };
}

/** Where it goes, as far as it is no secret. */
export function destinationOf({ config }: Pick<ChannelRow, "config">): string {
  if (config.kind === "webhook") return config.url;
  return config.kind === "email" ? config.to.join(", ") : "Slack webhook";
}
