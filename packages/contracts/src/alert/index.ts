export { higherPercentile, isBreached, isClear, isLowBad, isUndecided, percentileRank } from "./breach.ts";
export {
  type ChannelConfig,
  type ChannelRow,
  type ChannelTest,
  type CreatedChannel,
  channelConfigSchema,
  channelIdInput,
  createChannelInput,
  type DeniedDestination,
  type OutboundNetworkRow,
  outboundNetworkInput,
  updateChannelInput,
} from "./channel.ts";
export { type ChannelKind, channelKinds, missingSecrets, serviceUrls } from "./channel-kinds.ts";
export { type AlertDurabilityFigure, durabilityFigures, durabilityMetric } from "./durability.ts";
export {
  type AlertIncidentRow,
  acknowledgeAlertsInput,
  alertEventKinds,
  type FiringAlert,
  type FiringCount,
  listAlertIncidentsInput,
  withdrawAcknowledgementInput,
} from "./event.ts";
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
export {
  type AlertPreview,
  type AlertReplay,
  type AlertSpan,
  type EvaluatedGroup,
  replayAlertRuleInput,
} from "./replay.ts";
export {
  type AlertCondition,
  type AlertEvidence,
  type AlertPercentile,
  type AlertPreviewInput,
  type AlertQuery,
  type AlertRuleInput,
  type AlertRuleRow,
  type AlertSeverity,
  type AlertStatus,
  alertConditionSchema,
  alertEvidenceSchema,
  alertPercentiles,
  alertQuerySchema,
  alertRuleIdInput,
  alertRuleInput,
  alertSeverities,
  alertStatuses,
  alertWindowSecondsMin,
  enableAlertRuleInput,
  noDataChoices,
  previewAlertRuleInput,
  updateAlertRuleInput,
} from "./rule.ts";
export {
  type AlertSilenceRow,
  alertSilenceIdInput,
  createAlertSilenceInput,
  listMaintenanceInput,
  type MaintenanceSpan,
  planMaintenanceInput,
} from "./silence.ts";
export { describeAlertState, describeEnd } from "./state-sentence.ts";
export { occurrenceFrom, occurrencesIn, type SilenceWindow } from "./window.ts";
