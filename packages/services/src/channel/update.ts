import { isDeepStrictEqual } from "node:util";
import type { ChannelConfig, updateChannelInput } from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import { alertChannelColumns } from "@stashlight/db/columns/channel";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { refuseTakenName } from "../taken-name.ts";
import { readChannelConfig } from "./send.ts";
import { channelAudit, findChannel, sealed } from "./stored-channel.ts";

/** Changes a channel; without a new secret the old one stays. */
export async function updateChannel({ ctx, input }: Verb<typeof updateChannelInput>): Promise<void> {
  requireRole(ctx, "admin");
  const { channelId, secret, config, ...rest } = input;
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await findChannel(tx, channelId);
    await refuseTakenName(tx.alertChannel, "A channel", rest.name, channelId);
    if (before.kind !== config.kind) {
      throw new StashlightError(
        "invalid_input",
        `This channel is of kind ${before.kind}; create another channel instead.`,
      );
    }
    refuseMovedSecret(readChannelConfig(before), config, before.secret !== null, secret);
    const after = await tx.alertChannel.update({
      where: { id: channelId },
      data: {
        ...rest,
        config: alertChannelColumns.config.write(config),
        ...(secret ? sealed(ctx, channelId, secret) : {}),
        updatedAt: ctx.platform.now(),
      },
    });
    await writeAudit(tx, ctx, {
      action: "alert.channel_changed",
      target: { kind: "channel", id: channelId, name: after.name },
      before: channelAudit(before),
      after: channelAudit(after),
    });
  });
}

/** Sending a write-only secret to a server of the caller's choice would make it readable. */
function refuseMovedSecret(
  before: ChannelConfig,
  after: ChannelConfig,
  hasSecret: boolean,
  secret: string | undefined,
): void {
  if (!hasSecret || secret || isDeepStrictEqual(channelReceiver(before), channelReceiver(after))) return;
  const what =
    after.kind === "email" ? "mail server changed: enter its password" : "address changed: enter the secret";
  throw new StashlightError("invalid_input", `The ${what} again.`, { field: "secret" });
}

/**
 * Address that receives the secret; empty for a webhook, whose secret only signs, and for a channel whose address is
 * the secret.
 */
function channelReceiver(config: ChannelConfig) {
  if (config.kind === "email") return [config.host, config.port, config.security];
  return config.kind === "webhook" || !("url" in config) ? [] : [config.url];
}
