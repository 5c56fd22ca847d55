import type { ApiTokenRow } from "@stashlight/contracts/api-token";
import { type Context, requireRole } from "../context.ts";
import { toApiTokenRow, withOwner } from "./token-rows.ts";

/** Lists the signed-in user's tokens that are not revoked, newest first. */
export async function listApiTokens({ ctx }: { ctx: Context }): Promise<ApiTokenRow[]> {
  const { userId } = requireRole(ctx, "viewer");
  return listTokens(ctx, { userId });
}

/** Lists the tokens of all users. */
export async function listAllApiTokens({ ctx }: { ctx: Context }): Promise<ApiTokenRow[]> {
  requireRole(ctx, "admin");
  return listTokens(ctx, {});
}

async function listTokens({ platform }: Context, where: { userId?: string }): Promise<ApiTokenRow[]> {
  const tokens = await platform.db.apiToken.findMany({
    where: { ...where, revokedAt: null },
    include: withOwner,
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  return tokens.map((token) => toApiTokenRow(token, platform.now()));
}
