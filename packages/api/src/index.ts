export { clientAddress, trustedProxies } from "@stashlight/services/client-address";
export { readStartDashboardId } from "@stashlight/services/dashboard";
export { readMeasuredSinceMs } from "@stashlight/services/metrics/query";
export { openPlatform, type Platform, type PlatformOptions } from "@stashlight/services/platform";
export { type Heartbeat, productVersion, startHeartbeat } from "@stashlight/services/process";
export { isSetUp } from "@stashlight/services/setup";
export { listVaults } from "@stashlight/services/vault";
export {
  type ApiOptions,
  handleAuditExport,
  handleAuthRequest,
  handleBenchmarkExport,
  handleBenchmarkImport,
  handleTrpcRequest,
  requestContext,
} from "./handle.ts";
export { handlePublicApi } from "./public/handle.ts";
export type { ApiOutputs, AppRouter } from "./router/index.ts";
export type { ApiContext } from "./trpc.ts";
