/** Notification channels. A secret is write-only; its last characters identify it. */
import { z } from "zod";
import { nameSchema } from "../name.ts";
import { type ChannelKind, missingSecrets, serviceUrls } from "./channel-kinds.ts";

const name = nameSchema();

const httpAddress = (what: string) =>
  z
    .url({
      protocol: /^https?$/,
      error: `${what} must be an address that begins with https:// or http://.`,
    })
    .max(2000)
    .refine((text) => {
      const { username, password } = new URL(text);
      return username === "" && password === "";
    }, `${what} must not contain a user name and password.`);

const mailAddress = z.email("Enter an e-mail address.");

const webhookConfig = z.object({ kind: z.literal("webhook"), url: httpAddress("The webhook") });
const slackConfig = z.object({ kind: z.literal("slack") });
const emailConfig = z.object({
  kind: z.literal("email"),
  host: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/, "Enter the name or address of the mail server."),
  port: z.int("Enter a port.").min(1).max(65_535).default(587),
  /** tls: from the first byte; starttls: required before anything is sent; none: no encryption. */
  security: z.enum(["tls", "starttls", "none"]).default("starttls"),
  user: z.string().trim().max(200).default(""),
  from: mailAddress,
  to: z.array(mailAddress).min(1, "Enter at least one recipient.").max(20),
});
const pagerDutyConfig = z.object({
  kind: z.literal("pagerduty"),
  url: httpAddress("The Events API").default(serviceUrls.pagerduty),
});
const opsgenieConfig = z.object({
  kind: z.literal("opsgenie"),
  url: httpAddress("The Alert API").default(serviceUrls.opsgenie),
});
const teamsConfig = z.object({ kind: z.literal("teams") });
const ntfyConfig = z.object({
  kind: z.literal("ntfy"),
  url: httpAddress("The server").default(serviceUrls.ntfy),
  topic: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "A topic has 1 to 64 letters, digits, _ and -."),
});

export const channelConfigSchema = z.discriminatedUnion("kind", [
  webhookConfig,
  slackConfig,
  emailConfig,
  pagerDutyConfig,
  opsgenieConfig,
  teamsConfig,
  ntfyConfig,
]);
export type ChannelConfig = z.output<typeof channelConfigSchema>;

/**
 * Webhook: the key of its signatures, generated if absent. Slack and Teams: the webhook's address, with which anyone
 * may post. E-mail: the password. PagerDuty: the routing key. Opsgenie: the API key. ntfy: an access token.
 */
const secret = z.string().max(2000).optional();

const channelFields = {
  name,
  config: channelConfigSchema,
  secret,
  isDefault: z.boolean().default(true),
  isEnabled: z.boolean().default(true),
};

interface ChannelSecret {
  config: ChannelConfig;
  secret?: string | undefined;
}

/** True if the secret is the destination address of messages. */
const isSecretAddress = ({ kind }: Pick<ChannelConfig, "kind">): boolean =>
  kind === "slack" || kind === "teams";

function checkSecret({ config, secret }: ChannelSecret, ctx: z.RefinementCtx): void {
  if (secret === undefined || !isSecretAddress(config)) return;
  const parsed = httpAddress(`The webhook of ${config.kind === "slack" ? "Slack" : "Teams"}`).safeParse(
    secret,
  );
  if (parsed.success) return;
  const message = parsed.error.issues[0]?.message ?? "Enter the address of the webhook.";
  ctx.addIssue({ code: "custom", path: ["secret"], message });
}

export const createChannelInput = z
  .object(channelFields)
  .superRefine(checkSecret)
  .superRefine(({ config, secret }, ctx) => {
    const message = missingSecrets[config.kind];
    if (message === undefined || secret !== undefined) return;
    ctx.addIssue({ code: "custom", path: ["secret"], message });
  });
export const channelIdInput = z.object({ channelId: z.uuid("There is no such channel.") });
/** Without a new secret the old one stays. */
export const updateChannelInput = channelIdInput.extend(channelFields).superRefine(checkSecret);

export const outboundNetworkInput = z.object({
  cidr: z.union(
    [z.cidrv4(), z.cidrv6()],
    "Enter a block of addresses such as 127.0.0.1/32 or 192.168.0.0/16.",
  ),
});

export interface ChannelRow {
  id: string;
  name: string;
  kind: ChannelKind;
  config: ChannelConfig;
  /** The last four characters of its secret. */
  secretHint: string | null;
  isDefault: boolean;
  isEnabled: boolean;
  updatedAt: Date;
  lastDeliveredAt: Date | null;
  lastError: string | null;
  waitingCount: number;
}

export interface CreatedChannel {
  channelId: string;
  /** Key with which a receiver checks signatures, if one was generated; shown only once. */
  signingKey: string | null;
}

/** Result of a test message. */
export interface ChannelTest {
  isDelivered: boolean;
  sentence: string;
}

/** An endpoint or channel that is blocked because its address is in a special network that is not allowed. */
export interface DeniedDestination {
  id: string;
  name: string;
  address: string;
  /** The special range that contains the address. */
  network: string;
  /** Completes the sentence "10.1.2.3 belongs to ...". */
  kind: string;
}

export interface OutboundNetworkRow {
  cidr: string;
  createdBy: string;
  createdAt: Date;
}
