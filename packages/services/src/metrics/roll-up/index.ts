export { prepareMetricStore } from "./keep.ts";
export { runRollUp } from "./roll-up.ts";
