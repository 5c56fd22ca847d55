export { type MetricLabels, type MetricName, metricCatalogue } from "./catalogue.ts";
export {
  type MetricDefinition,
  type MetricKind,
  type MetricLabel,
  type MetricUnit,
  metricLabelValues,
  type OctaveRange,
  type SizeClass,
  sizeClassBytes,
  sizeClassOf,
  type Tier,
  type UploadPath,
} from "./definition.ts";
