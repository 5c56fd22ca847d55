import type { HealthCheck } from "@stashlight/contracts/process/health";

/** Result of one check. */
export type Finding = Pick<HealthCheck, "state" | "sentence" | "figures">;
