import type { DeniedDestination } from "@stashlight/contracts/alert";
import { type Context, requireRole } from "../context.ts";
import type { Core } from "../core.ts";
import { allowedNetworks } from "../outbound/allowed.ts";
import { findDenied } from "../outbound/denied.ts";
import { decryptChannelSecret, readChannelConfig, type StoredChannel } from "./send.ts";

/** Lists channels that receive nothing because their network is not allowed. */
export async function listDeniedChannels({ ctx }: { ctx: Context }): Promise<DeniedDestination[]> {
  requireRole(ctx, "admin");
  const { platform } = ctx;
  const channels = await platform.db.alertChannel.findMany({ orderBy: { name: "asc" } });
  const destinations = channels.map((channel) => {
    return { id: channel.id, name: channel.name, host: channelHost(platform, channel) };
  });
  return findDenied(destinations, await allowedNetworks(platform));
}

function channelHost(platform: Core, channel: StoredChannel): string {
  const config = readChannelConfig(channel);
  if (config.kind === "email") return config.host;
  return new URL("url" in config ? config.url : decryptChannelSecret(platform, channel)).hostname;
}
