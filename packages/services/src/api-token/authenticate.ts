/**
 * Finds the owner of a request's token. Unknown and revoked tokens, and those of disabled users, take the same code
 * path and get the same answer. A token acts with its owner's current role, or less.
 */
import {
  type ApiScope,
  apiRequestsPerMinuteMax,
  apiScopeWords,
  apiTokenLastUsedMinutes,
  isApiToken,
  roleOfToken,
} from "@stashlight/contracts/api-token";
import { StashlightError } from "@stashlight/contracts/errors";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { userColumns } from "@stashlight/db/columns/user";
import type { Context, RequestOrigin } from "../context.ts";
import type { Core } from "../core.ts";
import { hashToken } from "../ids.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";
import { storedScopes } from "./token-rows.ts";

const perTokenRule = { windowSeconds: 60, requestCountMax: apiRequestsPerMinuteMax };
/** 256 bits cannot be guessed; this limits the database load of wrong tokens. */
const refusedPerAddressRule = { windowSeconds: 60, requestCountMax: 60 };

const missing =
  'Send an API token in the header "Authorization: Bearer …"; create one in Settings > API tokens.';
const unknown = "This API token is not known or was revoked; create another in Settings > API tokens.";
const expired = "This API token has expired; create another in Settings > API tokens.";

export interface TokenContext<Needs> extends Context<Needs> {
  readonly scopes: readonly ApiScope[];
}

/** `authorization` is the header as sent. */
export async function authenticateApiToken<Needs extends Core>(
  platform: Needs,
  authorization: string | null,
  origin: RequestOrigin,
): Promise<TokenContext<Needs>> {
  if (authorization === null) throw new StashlightError("unauthenticated", missing);
  const [scheme = "", secret = ""] = authorization.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() !== "bearer") throw new StashlightError("unauthenticated", missing);
  const { db, now } = platform;
  const token = isApiToken(secret)
    ? await db.apiToken.findUnique({ where: { tokenHash: hashToken(secret) }, include: { user: true } })
    : null;
  if (token === null || token.revokedAt !== null || token.user.disabledAt !== null) {
    return refuse(platform, origin, unknown);
  }
  if (token.expiresAt <= now()) return refuse(platform, origin, expired);
  await enforceRateLimit(statementsIn(db), `api-token:${token.id}`, perTokenRule, now());
  await noteUse(platform, token);
  const { user } = token;
  const scopes = storedScopes(token);
  return {
    platform,
    origin,
    scopes,
    principal: {
      userId: user.id,
      // Matches no session.
      sessionId: token.id,
      email: user.email,
      name: `${user.name} (API token ${token.name})`,
      role: roleOfToken(scopes, userColumns.role.read(user.role, user.id)),
      twoFactorEnabled: user.twoFactorEnabled,
      timeZone: user.timeZone,
    },
  };
}

async function refuse(platform: Core, origin: RequestOrigin, sentence: string): Promise<never> {
  const { db, now } = platform;
  await enforceRateLimit(statementsIn(db), `api-refused:${origin.ipAddress}`, refusedPerAddressRule, now());
  throw new StashlightError("unauthenticated", sentence);
}

async function noteUse({ db, now }: Core, token: { id: string; lastUsedAt: Date | null }): Promise<void> {
  const since = new Date(now().getTime() - apiTokenLastUsedMinutes * MINUTE_MS);
  if (token.lastUsedAt !== null && token.lastUsedAt > since) return;
  await db.apiToken.updateMany({ where: { id: token.id }, data: { lastUsedAt: now() } });
}

/** Refuses a token without the scope. The owner's role limits permissions as well. */
export function requireScope(ctx: TokenContext<unknown>, scope: ApiScope): void {
  if (ctx.scopes.includes(scope)) return;
  throw new StashlightError(
    "forbidden",
    `This API token may not do this: it lacks the scope ${scope} (“${apiScopeWords[scope]}”).`,
  );
}
