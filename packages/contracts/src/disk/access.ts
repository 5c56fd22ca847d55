export const diskAccesses = ["sequential", "random"] as const;
