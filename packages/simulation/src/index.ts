export { drawOptions, type FaultName, faultNames, type RunOptions } from "./options.ts";
export { type RunObserver, type RunResult, run } from "./run.ts";
