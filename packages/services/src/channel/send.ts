import { isIP } from "node:net";
import { type ChannelConfig, StashlightError } from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";
import { pinDestination } from "@stashlight/outbound";
import { allowedNetworks } from "../outbound/networks.ts";
import { postOutbound } from "../outbound/post.ts";
import type { Platform } from "../platform.ts";
import { decryptSecret } from "../secret/envelope.ts";
import { type AlertMessage, letterOf, slackPost, webhookPost } from "./message.ts";

export type StoredChannel = Prisma.AlertChannelGetPayload<object>;
type EmailConfig = Extract<ChannelConfig, { kind: "email" }>;

const timeoutMs = 10_000;

export const configOf = ({ config }: Pick<StoredChannel, "config">) => config as unknown as ChannelConfig;
export const placeOf = (channelId: string) => ({
  table: "alert_channel",
  row: channelId,
  column: "secret",
});

/** Tells a channel; rejects with a StashlightError, of which `unavailable` may pass by itself. */
export async function sendToChannel(
  platform: Platform,
  channel: StoredChannel,
  message: AlertMessage,
): Promise<void> {
  const config = configOf(channel);
  const allowedCidrs = await allowedNetworks(platform);
  const secret =
    channel.secret === null
      ? ""
      : decryptSecret(platform.options.secret, channel.secret, placeOf(channel.id));
  if (config.kind === "email") return sendLetter(config, secret, allowedCidrs, message);
  if (config.kind === "slack") return postOutbound({ url: secret, allowedCidrs, ...slackPost(message) });
  const post = webhookPost(message, secret, platform.now());
  return postOutbound({ url: config.url, allowedCidrs, ...post });
}

async function sendLetter(
  config: EmailConfig,
  password: string,
  allowedCidrs: readonly string[],
  message: AlertMessage,
): Promise<void> {
  const { address } = await pinDestination(config.host, allowedCidrs);
  // Loaded when first needed: a console without e-mail channels does without it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: address,
    port: config.port,
    secure: config.security === "tls",
    requireTLS: config.security === "starttls",
    ignoreTLS: config.security === "none",
    // A certificate names a host; of an address there is none to name.
    ...(isIP(config.host) === 0 ? { tls: { servername: config.host } } : {}),
    ...(config.user === "" ? {} : { auth: { user: config.user, pass: password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: config.from,
      to: config.to,
      messageId: `<${message.id}.${message.kind}@stashlight>`,
      ...letterOf(message),
    });
  } catch (cause) {
    throw letterFailure(config, cause);
  } finally {
    transport.close();
  }
}

/** The server's own words are not passed on; its code says enough. */
function letterFailure({ host, port }: EmailConfig, cause: unknown): StashlightError {
  const { code, responseCode } = cause as { code?: string; responseCode?: number };
  const answer = responseCode === undefined ? "" : ` (${responseCode})`;
  const reason = `The mail server ${host}:${port} did not take the message: ${code ?? "it failed"}${answer}.`;
  const isFinal = code === "EAUTH" || (responseCode !== undefined && responseCode >= 500);
  return new StashlightError(isFinal ? "precondition_failed" : "unavailable", reason, { cause });
}
