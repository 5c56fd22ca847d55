import type { OutboundNetworkRow } from "@stashlight/contracts/alert";
import { Prisma } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { type Context, requireRole, type Verb } from "../context.ts";

/** Lists the special networks, such as private ones and this machine, to which messages and benchmarks may connect. */
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
    // A test that reached nothing may have failed because of the network, and proves nothing about it now.
    await tx.endpoint.updateMany({
      where: { lastCheck: { path: ["isReachable"], equals: false } },
      data: { lastCheck: Prisma.DbNull },
    });
    await writeAudit(tx, ctx, {
      action: "outbound.network_allowed",
      target: { kind: "network", id: cidr, name: cidr },
      after: { cidr },
    });
  });
}

export async function removeOutboundNetwork({ ctx, input }: Verb<{ cidr: string }>): Promise<void> {
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
