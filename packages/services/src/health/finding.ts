import type { HealthCheck } from "@stashlight/contracts";

/** What one check found. */
export type Finding = Pick<HealthCheck, "state" | "sentence" | "figures">;
