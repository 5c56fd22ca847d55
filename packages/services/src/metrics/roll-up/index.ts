export { applyMetricRetention, prepareMetricStore } from "./retention.ts";
export { runRollUp } from "./roll-up.ts";
