export { drawOptions, type FaultName, type RunOptions } from "./options.ts";
export { type RunObserver, type RunResult, run } from "./run.ts";
