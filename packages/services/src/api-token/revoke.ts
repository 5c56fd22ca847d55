import { StashlightError } from "@stashlight/contracts/errors";
import { roleIncludes } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { apiTokenTarget, storedScopes, withOwner } from "./token-rows.ts";

/** Revokes a token immediately: one's own or, for an admin, any user's. */
export async function revokeApiToken({ ctx, input }: Verb<{ tokenId: string }>): Promise<void> {
  const { userId, role } = requireRole(ctx, "viewer");
  const which = { id: input.tokenId, ...(roleIncludes(role, "admin") ? {} : { userId }) };
  await ctx.platform.db.$transaction(async (tx) => {
    const { count } = await tx.apiToken.updateMany({
      where: { ...which, revokedAt: null },
      data: { revokedAt: ctx.platform.now() },
    });
    const token = await tx.apiToken.findUnique({ where: { id: input.tokenId }, include: withOwner });
    if (count === 0 || token === null) {
      throw new StashlightError("not_found", "There is no such API token; it may already be revoked.");
    }
    await writeAudit(tx, ctx, {
      action: "api_token.revoked",
      target: apiTokenTarget(token),
      before: { owner: token.user.email, scopes: storedScopes(token), endsWith: token.lastCharacters },
    });
  });
}
