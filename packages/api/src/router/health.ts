import { readHealth, readOutgrown, readTelemetryHealth } from "@stashlight/services/health";
import { query, router } from "../trpc.ts";

export const healthRouter = router({
  read: query(readHealth),
  outgrown: query(readOutgrown),
  telemetry: query(readTelemetryHealth),
});
