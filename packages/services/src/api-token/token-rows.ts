import type { ApiScope, ApiTokenRow } from "@stashlight/contracts/api-token";
import type { Prisma } from "@stashlight/db";
import { apiTokenColumns } from "@stashlight/db/columns/api-token";

export const withOwner = { user: { select: { id: true, name: true, email: true } } } as const;
export type StoredApiToken = Prisma.ApiTokenGetPayload<{ include: typeof withOwner }>;

export const storedScopes = ({ id, scopes }: { id: string; scopes: string[] }): ApiScope[] =>
  scopes.map((scope) => apiTokenColumns.scope.read(scope, id));

export function toApiTokenRow(token: StoredApiToken, now: Date): ApiTokenRow {
  return {
    id: token.id,
    name: token.name,
    owner: token.user,
    lastCharacters: token.lastCharacters,
    scopes: storedScopes(token),
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
    isExpired: token.expiresAt <= now,
    lastUsedAt: token.lastUsedAt,
  };
}

export const apiTokenTarget = ({ id, name }: { id: string; name: string }) => ({
  kind: "API token",
  id,
  name,
});
