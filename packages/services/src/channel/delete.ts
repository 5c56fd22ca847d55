import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { channelAudit, findChannel } from "./stored-channel.ts";

/** Deletes a channel with its queued messages, and removes it from all rules. */
export async function deleteChannel({ ctx, input }: Verb<{ channelId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const channel = await findChannel(tx, input.channelId);
    await tx.$executeRaw`
      UPDATE alert_rule SET channel_ids = array_remove(channel_ids, ${channel.id}::uuid)
       WHERE ${channel.id}::uuid = ANY (channel_ids)`;
    await tx.alertChannel.delete({ where: { id: channel.id } });
    await writeAudit(tx, ctx, {
      action: "alert.channel_deleted",
      target: { kind: "channel", id: channel.id, name: channel.name },
      before: channelAudit(channel),
    });
  });
}
