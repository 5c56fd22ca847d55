import type {
  ChannelConfig,
  ChannelRow,
  CreatedChannel,
  createChannelInput,
  updateChannelInput,
} from "@stashlight/contracts";
import { StashlightError } from "@stashlight/contracts";
import type { Prisma, Transaction } from "@stashlight/db";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { newId, newToken } from "../ids.ts";
import { encryptSecret } from "../secret/envelope.ts";
import { configOf, placeOf, type StoredChannel } from "./send.ts";

const hintLength = 4;
const signingKeyPrefix = "slw_";

/** What the log may know: where it goes, and which secret it has by its last characters. */
const auditOf = ({ name, config, secretHint, isDefault, isEnabled }: Omit<StoredChannel, "secret">) => ({
  name,
  config: configOf({ config }),
  endsWith: secretHint,
  isDefault,
  isEnabled,
});

function sealed(ctx: Context, channelId: string, secret: string) {
  return {
    secret: encryptSecret(ctx.platform.options.secret, secret, placeOf(channelId)),
    // A short one would be shown whole.
    secretHint: secret.length >= 4 * hintLength ? secret.slice(-hintLength) : null,
  };
}

async function refuseTaken(tx: Transaction, name: string, ownId: string | null): Promise<void> {
  const taken = await tx.alertChannel.findUnique({ where: { name }, select: { id: true } });
  if (taken === null || taken.id === ownId) return;
  throw new StashlightError("conflict", `There is a channel "${name}" already; choose another name.`, {
    field: "name",
  });
}

export async function createChannel({
  ctx,
  input,
}: Verb<z.output<typeof createChannelInput>>): Promise<CreatedChannel> {
  requireRole(ctx, "admin");
  const { secret, config, ...rest } = input;
  const channelId = newId();
  const isSigned = config.kind === "webhook";
  const signingKey = isSigned && !secret ? `${signingKeyPrefix}${newToken()}` : null;
  const kept = secret || signingKey;
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    await refuseTaken(tx, rest.name, null);
    const channel = await tx.alertChannel.create({
      data: {
        id: channelId,
        ...rest,
        kind: config.kind,
        config: config as Prisma.InputJsonObject,
        ...(kept === null ? {} : sealed(ctx, channelId, kept)),
        createdAt: now,
        updatedAt: now,
      },
    });
    await writeAudit(tx, ctx, {
      action: "alert.channel_created",
      target: { kind: "channel", id: channelId, name: rest.name },
      after: auditOf(channel),
    });
  });
  return { channelId, signingKey };
}

export async function updateChannel({
  ctx,
  input,
}: Verb<z.output<typeof updateChannelInput>>): Promise<void> {
  requireRole(ctx, "admin");
  const { channelId, secret, config, ...rest } = input;
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await findChannel(tx, channelId);
    await refuseTaken(tx, rest.name, channelId);
    if (before.kind !== config.kind) {
      throw new StashlightError("invalid_input", `It is a channel of kind ${before.kind}; make another one.`);
    }
    refuseMovedSecret(configOf(before), config, before.secret !== null, secret);
    const after = await tx.alertChannel.update({
      where: { id: channelId },
      data: {
        ...rest,
        config: config as Prisma.InputJsonObject,
        ...(secret ? sealed(ctx, channelId, secret) : {}),
        updatedAt: ctx.platform.now(),
      },
    });
    await writeAudit(tx, ctx, {
      action: "alert.channel_changed",
      target: { kind: "channel", id: channelId, name: after.name },
      before: auditOf(before),
      after: auditOf(after),
    });
  });
}

/** A password that nobody can read must not be readable by sending it to a server of one's own. */
function refuseMovedSecret(
  before: ChannelConfig,
  after: ChannelConfig,
  hasSecret: boolean,
  secret: string | undefined,
): void {
  if (before.kind !== "email" || after.kind !== "email" || !hasSecret || secret) return;
  const isSame =
    before.host === after.host && before.port === after.port && before.security === after.security;
  if (isSame) return;
  throw new StashlightError("invalid_input", "The mail server changed: enter its password again.", {
    field: "secret",
  });
}

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
      before: auditOf(channel),
    });
  });
}

export async function findChannel(
  tx: Pick<Transaction, "alertChannel">,
  channelId: string,
): Promise<StoredChannel> {
  const channel = await tx.alertChannel.findUnique({ where: { id: channelId } });
  if (channel === null) throw new StashlightError("not_found", "There is no such channel.");
  return channel;
}

/** Every channel by name, without its secret. */
export async function listChannels({ ctx }: { ctx: Context }): Promise<ChannelRow[]> {
  requireRole(ctx, "admin");
  const channels = await ctx.platform.db.alertChannel.findMany({
    orderBy: { name: "asc" },
    include: { _count: { select: { deliveries: { where: { state: "waiting" } } } } },
  });
  return channels.map((channel) => ({
    id: channel.id,
    name: channel.name,
    kind: channel.kind as ChannelRow["kind"],
    config: configOf(channel),
    secretHint: channel.secretHint,
    isDefault: channel.isDefault,
    isEnabled: channel.isEnabled,
    updatedAt: channel.updatedAt,
    lastDeliveredAt: channel.lastDeliveredAt,
    lastError: channel.lastError,
    waitingCount: channel._count.deliveries,
  }));
}
