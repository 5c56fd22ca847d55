/** Opens the console's backend: the platform, its heartbeat, and the objects that pages use. */
import {
  handleAuditExport,
  handleAuthRequest,
  handleBenchmarkExport,
  handleBenchmarkImport,
  handlePublicApi,
  handleTrpcRequest,
  isSetUp,
  listVaults,
  openPlatform,
  productVersion,
  readMeasuredSinceMs,
  readStartDashboardId,
  requestContext,
  startHeartbeat,
} from "@stashlight/api";
import type { Logger } from "pino";
import { openDoors } from "./doors.ts";
import { type ConsoleEnv, oidcOptions } from "./env.ts";

export interface Opened {
  close(): Promise<void>;
}

export function openConsole(env: ConsoleEnv, log: Logger): Opened {
  const platform = openPlatform({
    kind: "console",
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
    ingestUrl: env.STASHLIGHT_INGEST_URL,
    dataDirectory: env.STASHLIGHT_DATA_DIR ?? null,
    oidc: oidcOptions(env),
  });
  const reportError = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, "a request failed");
  openDoors({
    platform,
    options: { platform, reportError },
    productVersion,
    handleAuditExport,
    handleAuthRequest,
    handleBenchmarkExport,
    handleBenchmarkImport,
    handlePublicApi,
    handleTrpcRequest,
    isSetUp,
    listVaults,
    readMeasuredSinceMs,
    readStartDashboardId,
    requestContext,
  });
  const heartbeat = startHeartbeat(platform, (error) => log.warn({ err: error }, "heartbeat failed"));
  return {
    close: async () => {
      await heartbeat.stop();
      await platform.close();
    },
  };
}
