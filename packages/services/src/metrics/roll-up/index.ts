export { prepareMetricStore, runMetricKeeper } from "./keep.ts";
export { runRollUp } from "./roll-up.ts";
