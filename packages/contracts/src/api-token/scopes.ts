/** Scopes of a token, apart from the schemas so that pages can describe them without loading a validator. */
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
  "drives:read",
  "drives:write",
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
  "drives:read": "Read drives and failure rates",
  "drives:write": "Mark drives and import failure counts",
};

/** Lowest role that can use a scope. */
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
  "drives:read": "viewer",
  "drives:write": "operator",
};

/** Returns the role with which a token acts: at most its owner's, and at most what its scopes need. */
export function roleOfToken(scopes: readonly ApiScope[], owner: Role): Role {
  const needed = scopes.map((scope) => roleOfApiScope[scope]);
  const most = roles.findLast((role) => needed.includes(role)) ?? "viewer";
  return roleIncludes(owner, most) ? most : owner;
}

export const apiTokenDaysMax = 366;
export const apiTokensPerUserMax = 25;
export const apiRequestsPerMinuteMax = 300;
/** Maximum delay of `lastUsedAt`, so that not every request causes a write. */
export const apiTokenLastUsedMinutes = 10;
