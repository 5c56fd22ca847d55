import { readHealth, readTelemetryHealth } from "@stashlight/services/health";
import { query, router } from "../trpc.ts";

export const healthRouter = router({
  read: query(readHealth),
  telemetry: query(readTelemetryHealth),
});
