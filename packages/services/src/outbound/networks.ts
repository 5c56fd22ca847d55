import type { OutboundNetworkRow } from "@stashlight/contracts";
import { writeAudit } from "../audit/write.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import type { Platform } from "../platform.ts";

export async function allowedNetworks({ db }: Platform): Promise<string[]> {
  const rows = await db.outboundNetwork.findMany({ select: { cidr: true } });
  return rows.map(({ cidr }) => cidr);
}

/** Networks of this machine or its link that messages may go to. */
export async function listOutboundNetworks({ ctx }: { ctx: Context }): Promise<OutboundNetworkRow[]> {
  requireRole(ctx, "admin");
  const rows = await ctx.platform.db.outboundNetwork.findMany({ orderBy: { cidr: "asc" } });
  return rows.map(({ cidr, createdByName, createdAt }) => ({ cidr, createdBy: createdByName, createdAt }));
}

export async function allowOutboundNetwork({ ctx, input }: Verb<{ cidr: string }>): Promise<void> {
  const { name } = requireRole(ctx, "admin");
  const { cidr } = input;
  await ctx.platform.db.$transaction(async (tx) => {
    const { count } = await tx.outboundNetwork.createMany({
      data: [{ cidr, createdByName: name, createdAt: ctx.platform.now() }],
      skipDuplicates: true,
    });
    if (count === 0) return;
    await writeAudit(tx, ctx, {
      action: "outbound.network_allowed",
      target: { kind: "network", id: cidr, name: cidr },
      after: { cidr },
    });
  });
}

export async function denyOutboundNetwork({ ctx, input }: Verb<{ cidr: string }>): Promise<void> {
  requireRole(ctx, "admin");
  const { cidr } = input;
  await ctx.platform.db.$transaction(async (tx) => {
    const { count } = await tx.outboundNetwork.deleteMany({ where: { cidr } });
    if (count === 0) return;
    await writeAudit(tx, ctx, {
      action: "outbound.network_denied",
      target: { kind: "network", id: cidr, name: cidr },
      before: { cidr },
    });
  });
}
