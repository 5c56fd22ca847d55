export type { CommonCause, DriveGroup } from "./drive-group.ts";
export {
  FAILURE_RATE_MAX,
  FAILURE_RATE_MIN,
  REBUILD_DAYS_MAX,
  REBUILD_DAYS_MIN,
} from "./drive-group.ts";
export { DurabilityError } from "./error.ts";
export * from "./failure-rate.ts";
export { largestWithin } from "./inverse.ts";
export {
  failuresPerYear,
  lossBeforeWhole,
  lossUntilRestored,
  markovAnnualLoss,
  meanYearsToLoss,
} from "./markov-model.ts";
export { nines } from "./nines.ts";
export { type SectorErrors, unreadableProbability } from "./sector-errors.ts";
export { type StashWindow, stashWindowLoss } from "./stash-window.ts";
export { windowAnnualLoss } from "./window-model.ts";
