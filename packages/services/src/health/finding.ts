import type { HealthCheck } from "@stashlight/contracts/process/health";

/** What one check found. */
export type Finding = Pick<HealthCheck, "state" | "sentence" | "figures">;
