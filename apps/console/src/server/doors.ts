/**
 * Objects that the server passes to pages and route handlers. Node runs the server and its packages unbundled, while
 * Next bundles pages and route handlers, each with a copy of its imports. A second copy of the services would have its
 * own transaction scope and error classes, so this file imports only types, and takes the single instance from
 * globalThis.
 */
import type {
  ApiOptions,
  handleAuditExport,
  handleAuthRequest,
  handleBenchmarkExport,
  handleBenchmarkImport,
  handlePublicApi,
  handleTrpcRequest,
  isSetUp,
  listVaults,
  Platform,
  readMeasuredSinceMs,
  readStartDashboardId,
  requestContext,
} from "@stashlight/api";

export interface Doors {
  platform: Platform;
  options: ApiOptions;
  productVersion: string;
  handleAuditExport: typeof handleAuditExport;
  handleAuthRequest: typeof handleAuthRequest;
  handleBenchmarkExport: typeof handleBenchmarkExport;
  handleBenchmarkImport: typeof handleBenchmarkImport;
  handlePublicApi: typeof handlePublicApi;
  handleTrpcRequest: typeof handleTrpcRequest;
  isSetUp: typeof isSetUp;
  listVaults: typeof listVaults;
  readMeasuredSinceMs: typeof readMeasuredSinceMs;
  readStartDashboardId: typeof readStartDashboardId;
  requestContext: typeof requestContext;
}

const holder = globalThis as typeof globalThis & { stashlightDoors?: Doors };

/** Called once, before the first request. */
export function openDoors(doors: Doors): void {
  holder.stashlightDoors = doors;
}

export function doors(): Doors {
  if (holder.stashlightDoors === undefined)
    throw new Error("a page was requested before the server was ready");
  return holder.stashlightDoors;
}
