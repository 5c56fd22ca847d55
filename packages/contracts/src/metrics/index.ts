export {
  isAddable,
  LABEL_VALUE_COUNT_MAX,
  OTHER_LABEL_VALUE,
  OTLP_MOMENT_COUNT_MAX,
  OTLP_POINT_COUNT_MAX,
  openLabels,
  REFUSED_ROWS_PER_NODE_MAX,
  SAMPLE_AHEAD_MS_MAX,
  SAMPLE_LAYOUTS_PER_NODE_MAX,
  SERIES_COUNT_MAX,
  SERIES_PER_METRIC_MAX,
  SERIES_PER_NODE_MAX,
} from "./bounds.ts";
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
