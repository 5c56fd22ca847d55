export { prepareMetricStore, runMetricKeeper } from "./retention.ts";
export { runRollUp } from "./roll-up.ts";
