export * from "./bounds.ts";
export { isMetricName, type MetricLabels, type MetricName, metricCatalogue } from "./catalogue.ts";
export {
  type EndpointVaultState,
  type MetricDefinition,
  type MetricKind,
  type MetricUnit,
  metricLabelValues,
  type SizeClass,
  type SmartSilence,
  sizeClassBytes,
  type Tier,
  tiersAlike,
  toSizeClass,
  type UploadPath,
} from "./definition.ts";
export { formatMetricValue } from "./format-value.ts";
export {
  changedPanel,
  type MetricPanel,
  type PanelStatistic,
  panelLabels,
  panelStatistics,
  readPanel,
  type StoredPanel,
  usualPanel,
} from "./panel.ts";
