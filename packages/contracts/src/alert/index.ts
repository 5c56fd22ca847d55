export { higherPercentile, isBreached, isClear, isLowBad, isUndecided, percentileRank } from "./breach.ts";
export * from "./channel.ts";
export { type ChannelKind, channelKinds, missingSecrets, serviceUrls } from "./channel-kinds.ts";
export { type AlertDurabilityFigure, durabilityFigures, durabilityMetric } from "./durability.ts";
export * from "./event.ts";
export {
  formatCondition,
  formatGroups,
  formatLabels,
  formatMatchers,
  formatMeasured,
  formatMember,
  formatReminders,
  formatRule,
  formatUsual,
  ruleUnit,
} from "./format-rule.ts";
export { PEER_HOURS, peersMetric } from "./peers.ts";
export * from "./replay.ts";
export * from "./rule.ts";
export * from "./silence.ts";
export { describeAlertState, describeEnd } from "./state-sentence.ts";
export { occurrenceFrom, occurrencesIn, type SilenceWindow } from "./window.ts";
