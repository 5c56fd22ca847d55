import { readHealth, readTelemetryHealth } from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const healthRouter = router({
  read: procedure.query(({ ctx: { ctx } }) => readHealth({ ctx })),
  telemetry: procedure.query(({ ctx: { ctx } }) => readTelemetryHealth({ ctx })),
});
