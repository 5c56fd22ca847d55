export const diskAccesses = ["sequential", "random"] as const;
export type DiskAccess = (typeof diskAccesses)[number];
