import type { ChannelRow } from "@stashlight/contracts/alert";
import { alertChannelColumns } from "@stashlight/db/columns/channel";
import { type Context, requireRole } from "../context.ts";
import { readChannelConfig } from "./send.ts";

/** Lists all channels by name, without their secrets. */
export async function listChannels({ ctx }: { ctx: Context }): Promise<ChannelRow[]> {
  requireRole(ctx, "admin");
  const channels = await ctx.platform.db.alertChannel.findMany({
    orderBy: { name: "asc" },
    include: { _count: { select: { deliveries: { where: { state: "waiting" } } } } },
  });
  return channels.map((channel) => ({
    id: channel.id,
    name: channel.name,
    kind: alertChannelColumns.kind.read(channel.kind, channel.id),
    config: readChannelConfig(channel),
    secretHint: channel.secretHint,
    isDefault: channel.isDefault,
    isEnabled: channel.isEnabled,
    updatedAt: channel.updatedAt,
    lastDeliveredAt: channel.lastDeliveredAt,
    lastError: channel.lastError,
    waitingCount: channel._count.deliveries,
  }));
}
