/** Ordered from least to most; each role includes those before it. */
export const roles = ["viewer", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

export function roleIncludes(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed);
}

export const roleDescriptions: Record<Role, string> = {
  viewer: "Sees every page but administration; changes only their own settings.",
  operator: "Also runs jobs and acts on vaults.",
  admin: "Also manages users, settings and the audit log.",
};
