import {
  type ApiScope,
  apiScopeWords,
  apiTokenPrefix,
  apiTokensPerUserMax,
  type createApiTokenInput,
  type IssuedApiToken,
  roleOfApiScope,
} from "@stashlight/contracts/api-token";
import { StashlightError } from "@stashlight/contracts/errors";
import { DAY_MS } from "@stashlight/contracts/time";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import type { Transaction } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { hashToken, newId, newToken } from "../ids.ts";
import { apiTokenTarget } from "./token-rows.ts";

/** Creates a token for the signed-in user, and returns it; it cannot be read again. */
export async function createApiToken({
  ctx,
  input,
}: Verb<typeof createApiTokenInput>): Promise<IssuedApiToken> {
  const { userId, role } = requireRole(ctx, "viewer");
  const { name, scopes, lifetimeDays } = input;
  refuseBeyondRole(scopes, role);
  const now = ctx.platform.now();
  const token = `${apiTokenPrefix}${newToken()}`;
  const created = {
    id: newId(),
    tokenHash: hashToken(token),
    lastCharacters: token.slice(-4),
    userId,
    name,
    scopes,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeDays * DAY_MS),
  };
  await ctx.platform.db.$transaction(async (tx) => {
    await refuseOneTooMany(tx, userId, now);
    await tx.apiToken.create({ data: created });
    await writeAudit(tx, ctx, {
      action: "api_token.created",
      target: apiTokenTarget(created),
      after: { scopes, expiresAt: created.expiresAt.toISOString(), endsWith: created.lastCharacters },
    });
  });
  return { tokenId: created.id, token, expiresAt: created.expiresAt };
}

/** Refuses scopes beyond the owner's role: they would have no effect, and here the creator sees the reason. */
function refuseBeyondRole(scopes: readonly ApiScope[], role: Role): void {
  const beyond = scopes.find((scope) => !roleIncludes(role, roleOfApiScope[scope]));
  if (beyond === undefined) return;
  const needed = roleOfApiScope[beyond];
  throw new StashlightError(
    "forbidden",
    `You need the ${needed} role for “${apiScopeWords[beyond]}”; yours is ${role}.`,
    { field: "scopes" },
  );
}

/** Locks the user, so that concurrent calls cannot exceed the limit together. */
async function refuseOneTooMany(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.$queryRaw`SELECT id FROM user_account WHERE id = ${userId} FOR UPDATE`;
  const count = await tx.apiToken.count({ where: { userId, revokedAt: null, expiresAt: { gt: now } } });
  if (count < apiTokensPerUserMax) return;
  throw new StashlightError(
    "conflict",
    `You have ${apiTokensPerUserMax} valid API tokens, which is the maximum. Revoke unused ones.`,
  );
}
