/**
 * Every metric of the product: what agents record, what Prometheus scrapes, what is stored and drawn. Names follow
 * Prometheus, in base units: they end with the unit, and a counter's with `_total`.
 *
 * HDD and SSD are never averaged together: drive measurements carry the tier and device. The label `modelled` names the
 * model of a drive whose timing is modelled, and is absent for a real drive.
 */

import { counters } from "./counters.ts";
import type { MetricKind, MetricLabel, metricLabelValues } from "./definition.ts";
import { gauges } from "./gauges.ts";
import { histograms } from "./histograms.ts";
import { ingest } from "./ingest.ts";
import { machine } from "./machine.ts";
import { ownCost } from "./own-cost.ts";

export const metricCatalogue = {
  ...histograms,
  ...gauges,
  ...counters,
  ...machine,
  ...ownCost,
  ...ingest,
} as const;

type Catalogue = typeof metricCatalogue;

/** Names of the catalogue, of one kind or of any. */
export type MetricName<Kind extends MetricKind = MetricKind> = {
  [Name in keyof Catalogue]: Catalogue[Name]["kind"] extends Kind ? Name : never;
}[keyof Catalogue];

type LabelValue<Label extends MetricLabel> = Label extends keyof typeof metricLabelValues
  ? (typeof metricLabelValues)[Label][number]
  : string;

/** Labels that a series of this metric must have, and may have. */
export type MetricLabels<Name extends MetricName> = {
  readonly [Label in Catalogue[Name]["labels"][number]]: LabelValue<Label>;
} & (Catalogue[Name] extends { readonly isOfDrive: true }
  ? { readonly modelled?: string | undefined }
  : unknown);

/** True if the catalogue has the metric; a store may hold metrics that left the catalogue. */
export const isMetricName = (name: string): name is MetricName => Object.hasOwn(metricCatalogue, name);
