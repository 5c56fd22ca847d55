import type { HealthCheck } from "@stashlight/contracts/health";

/** Result of one check. */
export type Finding = Pick<HealthCheck, "state" | "sentence" | "figures">;
