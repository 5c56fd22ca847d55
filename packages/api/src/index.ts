export {
  clientAddress,
  type Heartbeat,
  openPlatform,
  type Platform,
  type PlatformOptions,
  productVersion,
  readMeasuredSinceMs,
  startHeartbeat,
  trustedProxies,
} from "@stashlight/services";
export {
  type ApiOptions,
  handleAuditExport,
  handleAuthRequest,
  handleBenchmarkExport,
  handleBenchmarkImport,
  handleTrpcRequest,
  requestContext,
} from "./handle.ts";
export { type ApiOutputs, type AppRouter, appRouter } from "./router/index.ts";
export type { ApiContext } from "./trpc.ts";
