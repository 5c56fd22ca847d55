export { missedOutcome } from "./missed-run.ts";
export * from "./schedule.ts";
