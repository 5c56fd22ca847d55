export type { ApiAlert } from "./alerts.ts";
export { errorSchema, type Json } from "./field-schemas.ts";
export { type MetricStatistic, metricStatistics } from "./metrics.ts";
export * from "./operations.ts";
export { type ApiVault, vaultsAnswer } from "./vaults.ts";
