import { isIP } from "node:net";
import type { ChannelConfig } from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import { withoutMarkup } from "@stashlight/contracts/escape";
import type { Prisma } from "@stashlight/db";
import { alertChannelColumns } from "@stashlight/db/columns/channel";
import { pinDestination } from "@stashlight/outbound";
import type { Core } from "../core.ts";
import { allowedNetworks } from "../outbound/allowed.ts";
import { postOutbound } from "../outbound/post.ts";
import { decryptSecret } from "../secret/credential-encryption.ts";
import { thrownCode } from "../thrown.ts";
import { type AlertMessage, escapeMessage, renderLetter, slackPost, webhookPost } from "./message.ts";
import { ntfyPosts, opsgeniePosts, type Post, pagerDutyPosts, teamsPosts } from "./services.ts";

export type StoredChannel = Prisma.AlertChannelGetPayload<object>;
type EmailConfig = Extract<ChannelConfig, { kind: "email" }>;

const timeoutMs = 10_000;

export const readChannelConfig = ({ id, config }: Pick<StoredChannel, "id" | "config">): ChannelConfig =>
  alertChannelColumns.config.read(config, id);
export const channelSecretPlace = (channelId: string) => ({
  table: "alert_channel",
  row: channelId,
  column: "secret",
});

/** Returns an empty string if the channel has no secret. */
export function decryptChannelSecret({ options }: Core, { id, secret }: StoredChannel): string {
  return secret === null ? "" : decryptSecret(options.secret, secret, channelSecretPlace(id));
}

/** Sends a message to a channel; rejects with a StashlightError, whose code `unavailable` may be temporary. */
export async function sendToChannel(
  platform: Core,
  channel: StoredChannel,
  message: AlertMessage,
): Promise<void> {
  const config = readChannelConfig(channel);
  const allowedCidrs = await allowedNetworks(platform);
  const secret = decryptChannelSecret(platform, channel);
  if (config.kind === "email") return sendLetter(config, secret, allowedCidrs, message);
  for (const post of channelRequests(config, secret, message, platform.now())) {
    await postOutbound({ ...post, allowedCidrs });
  }
}

function channelRequests(
  config: Exclude<ChannelConfig, EmailConfig>,
  secret: string,
  message: AlertMessage,
  now: Date,
): Post[] {
  switch (config.kind) {
    case "webhook":
      return [{ url: config.url, ...webhookPost(message, secret, now) }];
    case "slack":
      return [{ url: secret, ...slackPost(message) }];
    case "pagerduty":
      return pagerDutyPosts(config, secret, escapeMessage(message, withoutMarkup));
    case "opsgenie":
      return opsgeniePosts(config, secret, escapeMessage(message, withoutMarkup));
    case "teams":
      return teamsPosts(config, secret, escapeMessage(message, withoutMarkup));
    case "ntfy":
      return ntfyPosts(config, secret, escapeMessage(message, withoutMarkup));
  }
}

const sendLetter = (
  config: EmailConfig,
  password: string,
  allowedCidrs: readonly string[],
  message: AlertMessage,
): Promise<void> =>
  sendMail(config, password, allowedCidrs, {
    to: config.to,
    messageId: `<${message.id}.${message.kind}@stashlight>`,
    ...renderLetter(message),
  });

export interface Mail {
  readonly to: readonly string[];
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Sends through the mail server of a channel, from its sender. */
export async function sendMail(
  config: EmailConfig,
  password: string,
  allowedCidrs: readonly string[],
  { to, ...mail }: Mail,
): Promise<void> {
  const { address } = await pinDestination(config.host, allowedCidrs);
  // Loaded on first use, because a console without e-mail channels does not need it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: address,
    port: config.port,
    secure: config.security === "tls",
    requireTLS: config.security === "starttls",
    ignoreTLS: config.security === "none",
    // A certificate names a host; an IP address has no name to check.
    ...(isIP(config.host) === 0 ? { tls: { servername: config.host } } : {}),
    ...(config.user === "" ? {} : { auth: { user: config.user, pass: password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from: config.from, to: [...to], ...mail });
  } catch (cause) {
    throw letterFailure(config, cause);
  } finally {
    transport.close();
  }
}

/** The server's own text is not passed on; its code is enough. */
function letterFailure({ host, port }: EmailConfig, cause: unknown): StashlightError {
  const [code, responseCode] = [thrownCode(cause), smtpResponseCode(cause)];
  const answer = responseCode === undefined ? "" : ` (${responseCode})`;
  const reason = `The mail server ${host}:${port} did not accept the message: ${code ?? "it failed"}${answer}.`;
  const isFinal = code === "EAUTH" || (responseCode !== undefined && responseCode >= 500);
  return new StashlightError(isFinal ? "precondition_failed" : "unavailable", reason, { cause });
}

/** Code with which a mail server answered, if any. */
function smtpResponseCode(cause: unknown): number | undefined {
  if (typeof cause !== "object" || cause === null || !("responseCode" in cause)) return undefined;
  return typeof cause.responseCode === "number" ? cause.responseCode : undefined;
}
