import type { CreatedChannel, createChannelInput } from "@stashlight/contracts/alert";
import { alertChannelColumns } from "@stashlight/db/columns/channel";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId, newToken } from "../ids.ts";
import { refuseTakenName } from "../taken-name.ts";
import { channelAudit, sealed } from "./stored-channel.ts";

const signingKeyPrefix = "slw_";

/** Creates a channel. A webhook without a signing key gets one, which is returned only here. */
export async function createChannel({
  ctx,
  input,
}: Verb<typeof createChannelInput>): Promise<CreatedChannel> {
  requireRole(ctx, "admin");
  const { secret, config, ...rest } = input;
  const channelId = newId();
  const isSigned = config.kind === "webhook";
  const signingKey = isSigned && !secret ? `${signingKeyPrefix}${newToken()}` : null;
  const kept = secret || signingKey;
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    await refuseTakenName(tx.alertChannel, "A channel", rest.name, null);
    const channel = await tx.alertChannel.create({
      data: {
        id: channelId,
        ...rest,
        kind: config.kind,
        config: alertChannelColumns.config.write(config),
        ...(kept === null ? {} : sealed(ctx, channelId, kept)),
        createdAt: now,
        updatedAt: now,
      },
    });
    await writeAudit(tx, ctx, {
      action: "alert.channel_created",
      target: { kind: "channel", id: channelId, name: rest.name },
      after: channelAudit(channel),
    });
  });
  return { channelId, signingKey };
}
