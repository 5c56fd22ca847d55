export * from "./audit.ts";
export * from "./auth.ts";
export * from "./errors.ts";
export * from "./health.ts";
export * from "./job.ts";
export * from "./roles.ts";
export * from "./time-range.ts";
export * from "./user.ts";
