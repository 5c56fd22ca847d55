import type { ChannelTest } from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { sendToChannel } from "./send.ts";
import { findChannel } from "./stored-channel.ts";

/** Sends a message that is marked as a test, and returns the outcome. */
export async function testChannel({ ctx, input }: Verb<{ channelId: string }>): Promise<ChannelTest> {
  const { name } = requireRole(ctx, "admin");
  const { platform } = ctx;
  const channel = await findChannel(platform.db, input.channelId);
  const id = newId();
  const result = await attempt(() =>
    sendToChannel(platform, channel, {
      id,
      firingId: id,
      kind: "test",
      rule: { id: null, name: "Test" },
      severity: "info",
      labels: {},
      value: null,
      summary: `${name} tests the channel ${channel.name}; nothing is wrong.`,
      occurredAt: platform.now(),
      url: new URL("/alerts", platform.options.publicUrl).href,
    }),
  );
  await platform.db.$transaction(async (tx) => {
    await tx.alertChannel.updateMany({
      where: { id: channel.id },
      data: result.isDelivered
        ? { lastDeliveredAt: platform.now(), lastError: null }
        : { lastError: result.sentence },
    });
    await writeAudit(tx, ctx, {
      action: "alert.channel_tested",
      target: { kind: "channel", id: channel.id, name: channel.name },
      after: { ...result },
    });
  });
  return result;
}

async function attempt(send: () => Promise<void>): Promise<ChannelTest> {
  try {
    await send();
    return { isDelivered: true, sentence: "The channel accepted the message." };
  } catch (error) {
    if (!(error instanceof StashlightError)) throw error;
    return { isDelivered: false, sentence: error.message };
  }
}
