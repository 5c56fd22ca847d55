/** Sends e-mails of the product itself, only to the user, through the mail server of an e-mail channel. */
import { StashlightError } from "@stashlight/contracts/errors";
import type { Prisma } from "@stashlight/db";
import { decryptChannelSecret, readChannelConfig, sendMail } from "../channel/send.ts";
import type { Core } from "../core.ts";
import { allowedNetworks } from "../outbound/allowed.ts";
import type { Letter } from "./compose.ts";

type Channel = Prisma.AlertChannelGetPayload<object>;

/** Finds the e-mail channel to use: the oldest that is turned on, default channels first. */
export async function findMailChannel({ db }: Pick<Core, "db">): Promise<Channel | null> {
  const channels = await db.alertChannel.findMany({
    where: { isEnabled: true },
    orderBy: [{ isDefault: "desc" }, { createdAt: "asc" }, { id: "asc" }],
  });
  return channels.find((channel) => readChannelConfig(channel).kind === "email") ?? null;
}

/** Returns the channel and its configuration; throws an error with a sentence if there is none. */
export async function requireMailChannel(platform: Core) {
  const channel = await findMailChannel(platform);
  const config = channel === null ? null : readChannelConfig(channel);
  if (channel !== null && config?.kind === "email") return { channel, config };
  const sentence =
    "There is no e-mail channel that is turned on; an admin can create one in Manage > Channels.";
  throw new StashlightError("precondition_failed", sentence);
}

/** The same e-mail always has the same `messageId`, by which mail programs recognise a duplicate. */
export async function mailLetter(
  platform: Core,
  to: string,
  messageId: string,
  letter: Letter,
): Promise<void> {
  const { channel, config } = await requireMailChannel(platform);
  const { subject, text, html } = letter;
  await sendMail(config, decryptChannelSecret(platform, channel), await allowedNetworks(platform), {
    to: [to],
    messageId: `<${messageId}@stashlight>`,
    subject,
    text,
    html,
  });
}
