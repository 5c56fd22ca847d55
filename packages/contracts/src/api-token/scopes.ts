/** What a token may be used for, apart from the schemas so that pages can say it without loading a validator. */
import { type Role, roleIncludes, roles } from "../user/roles.ts";

export const apiScopes = [
  "health:read",
  "metrics:read",
  "vaults:read",
  "alerts:read",
  "alerts:write",
  "plans:read",
  "runs:read",
  "runs:start",
  "annotations:write",
] as const;
export type ApiScope = (typeof apiScopes)[number];

export const apiScopeWords: Record<ApiScope, string> = {
  "health:read": "Read system health",
  "metrics:read": "Query metrics",
  "vaults:read": "Read the state and forecasts of vaults",
  "alerts:read": "Read alerts and silences",
  "alerts:write": "Acknowledge and silence alerts",
  "plans:read": "Read benchmark schedules",
  "runs:read": "Read benchmark runs and verdicts",
  "runs:start": "Start benchmark runs",
  "annotations:write": "Annotate the charts",
};

/** The least role that can do what a scope is for. */
export const roleOfApiScope: Record<ApiScope, Role> = {
  "health:read": "viewer",
  "metrics:read": "viewer",
  "vaults:read": "viewer",
  "alerts:read": "viewer",
  "alerts:write": "operator",
  "plans:read": "viewer",
  "runs:read": "viewer",
  "runs:start": "operator",
  "annotations:write": "operator",
};

/** The role that a token acts with: no more than its owner has, and no more than its scopes need. */
export function roleOfToken(scopes: readonly ApiScope[], owner: Role): Role {
  const needed = scopes.map((scope) => roleOfApiScope[scope]);
  const most = roles.findLast((role) => needed.includes(role)) ?? "viewer";
  return roleIncludes(owner, most) ? most : owner;
}

export const apiTokenDaysMax = 366;
export const apiTokensPerUserMax = 25;
export const apiRequestsPerMinuteMax = 300;
/** `lastUsedAt` lags behind by so much at most, so that a request is not a write. */
export const apiTokenLastUsedMinutes = 10;
