import type { EnrolmentTokenRow } from "@stashlight/contracts/node";
import { type Context, requireRole } from "../context.ts";
import { toTokenRow } from "./node-rows.ts";

/** Lists tokens with which a machine can still enrol, newest first. */
export async function listEnrolmentTokens({ ctx }: { ctx: Context }): Promise<EnrolmentTokenRow[]> {
  requireRole(ctx, "admin");
  const { db, now } = ctx.platform;
  const tokens = await db.enrolmentToken.findMany({
    where: {
      revokedAt: null,
      expiresAt: { gt: now() },
      useCount: { lt: db.enrolmentToken.fields.useCountMax },
    },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  return tokens.map(toTokenRow);
}
