/**
 * Every metric of the product: what agents record, what Prometheus scrapes, what is stored and drawn. Names follow
 * Prometheus, in base units: they end with the unit, and a counter's with `_total`.
 *
 * HDD and SSD are never averaged together: drive measurements carry the tier and device. The label `modelled` names the
 * model of a drive whose timing is modelled, and is absent for a real drive.
 */

import { counters } from "./counters.ts";
import type {
  DescribedMetrics,
  MetricDefinition,
  MetricKind,
  MetricLabel,
  MetricUnit,
  metricLabelValues,
  OctaveRange,
} from "./definition.ts";
import { gauges } from "./gauges.ts";
import { histograms } from "./histograms.ts";
import { ingest } from "./ingest.ts";
import { machine } from "./machine.ts";
import { ownCost } from "./own-cost.ts";

const described = {
  ...histograms,
  ...gauges,
  ...counters,
  ...machine,
  ...ownCost,
  ...ingest,
} as const;

type Described = typeof described;

type KindOf<Name, Metric> = Name extends `${string}_total`
  ? "counter"
  : Metric extends { readonly octaves: OctaveRange }
    ? "histogram"
    : "gauge";

type LabelOf<Metric> = Metric extends { readonly labels: readonly (infer Label extends MetricLabel)[] }
  ? Label
  : never;

type Catalogue = {
  readonly [Name in keyof Described]: Described[Name] & {
    readonly kind: KindOf<Name, Described[Name]>;
    readonly unit: MetricUnit;
    readonly labels: readonly LabelOf<Described[Name]>[];
  };
};

const UNIT_IN_NAME = /_(seconds|bytes|records|shards|segments|ratio|info)(_total)?$/;

/** Reads kind and unit from the name; a name without a unit counts things. */
function define(name: string, metric: DescribedMetrics[string]): MetricDefinition {
  const unit = (UNIT_IN_NAME.exec(name)?.[1] ?? "count") as MetricUnit;
  const kind = name.endsWith("_total") ? "counter" : metric.octaves === undefined ? "gauge" : "histogram";
  return { kind, unit, labels: [], ...metric };
}

export const metricCatalogue = Object.fromEntries(
  Object.entries(described).map(([name, metric]) => [name, define(name, metric)]),
) as unknown as Catalogue;

/** Names in the catalogue, of one kind or of any. */
export type MetricName<Kind extends MetricKind = MetricKind> = {
  [Name in keyof Catalogue]: Catalogue[Name]["kind"] extends Kind ? Name : never;
}[keyof Catalogue];

type LabelValue<Label extends MetricLabel> = Label extends keyof typeof metricLabelValues
  ? (typeof metricLabelValues)[Label][number]
  : string;

/** Labels that a series of this metric must have, and may have. */
export type MetricLabels<Name extends MetricName> = {
  readonly [Label in LabelOf<Described[Name]>]: LabelValue<Label>;
} & (Described[Name] extends { readonly isOfDrive: true }
  ? { readonly modelled?: string | undefined }
  : unknown);

/** True if the catalogue has the metric; a store may hold metrics that left the catalogue. */
export const isMetricName = (name: string): name is MetricName => Object.hasOwn(metricCatalogue, name);
