/**
 * The stored series of one node, as a process knows them. They are used to find ids and to check whether new series are
 * within the bounds.
 */
import {
  isAddable,
  LABEL_VALUE_COUNT_MAX,
  type MetricDefinition,
  type MetricName,
  metricCatalogue,
  OTHER_LABEL_VALUE,
  openLabels,
  SAMPLE_LAYOUTS_PER_NODE_MAX,
  SERIES_COUNT_MAX,
  SERIES_PER_METRIC_MAX,
  SERIES_PER_NODE_MAX,
} from "@stashlight/contracts/metrics";

export interface SeriesName {
  readonly metric: MetricName;
  readonly labels: Readonly<Record<string, string>>;
}

/** The store may hold a metric that left the catalogue. */
type StoredName = Omit<SeriesName, "metric"> & { readonly metric: string };

/** The limits of one node and of all together; contracts' bounds.ts explains them. */
export interface SeriesBounds {
  readonly labelValueCountMax: number;
  readonly seriesPerMetricMax: number;
  readonly seriesPerNodeMax: number;
  readonly seriesCountMax: number;
  readonly layoutsPerNodeMax: number;
}

export const nodeBounds: SeriesBounds = {
  labelValueCountMax: LABEL_VALUE_COUNT_MAX,
  seriesPerMetricMax: SERIES_PER_METRIC_MAX,
  seriesPerNodeMax: SERIES_PER_NODE_MAX,
  seriesCountMax: SERIES_COUNT_MAX,
  layoutsPerNodeMax: SAMPLE_LAYOUTS_PER_NODE_MAX,
};

/** A fleet's series derive from those of its nodes, which were limited, so only the total limit applies. */
export const fleetBounds: SeriesBounds = {
  ...nodeBounds,
  labelValueCountMax: Number.POSITIVE_INFINITY,
  seriesPerMetricMax: Number.POSITIVE_INFINITY,
  seriesPerNodeMax: Number.POSITIVE_INFINITY,
  layoutsPerNodeMax: Number.POSITIVE_INFINITY,
};

/** A tree by metric and label values, so that looking up the series of each batch builds no string keys. */
export interface Branch {
  next: Map<string, Branch> | undefined;
  id: number | undefined;
  /** True if a series ends here; without an id it is not created yet. */
  isSeries: boolean;
  /** True if the store has it marked as used. */
  isUsed: boolean;
}

interface MetricLabelNames {
  /** Labels of every series. */
  readonly required: readonly string[];
  /** Labels of some series. */
  readonly optional: readonly string[];
  readonly all: readonly string[];
  readonly open: readonly string[];
  readonly isAddable: boolean;
}

const NO_LABELS: MetricLabelNames = { required: [], optional: [], all: [], open: [], isAddable: false };

const labelNames: ReadonlyMap<string, MetricLabelNames> = new Map(
  Object.entries<MetricDefinition>(metricCatalogue).map(([metric, definition]) => {
    const required = definition.labels;
    // Only a fleet's gauges have the last one.
    const optional = ["modelled", "across"];
    const all = [...required, ...optional];
    const open = openLabels(definition);
    return [metric, { required, optional, all, open, isAddable: isAddable(definition) }];
  }),
);

/** Labels that distinguish the series of this metric. */
export const metricLabelNames = (metric: string): readonly string[] =>
  (labelNames.get(metric) ?? NO_LABELS).all;

export class NodeSeries {
  readonly #bounds: SeriesBounds;
  readonly #root: Branch = newBranch();
  /** The values of each open label, by metric and label. */
  readonly #values = new Map<string, Set<string>>();
  readonly #countOfMetric = new Map<string, number>();
  #count = 0;

  constructor(bounds: SeriesBounds) {
    this.#bounds = bounds;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#bounds.seriesPerNodeMax;
  }

  find({ metric, labels }: SeriesName): Branch | undefined {
    const { required, optional } = labelNames.get(metric) ?? NO_LABELS;
    let branch = this.#root.next?.get(metric);
    for (const label of required) branch = branch?.next?.get(labels[label] ?? "");
    for (const label of optional) {
      const value = labels[label];
      if (value !== undefined) branch = branch?.next?.get(labelKey(label, value));
    }
    return branch?.isSeries === true ? branch : undefined;
  }

  add({ metric, labels }: StoredName, id?: number, isUsed = false): Branch {
    const { required, optional } = labelNames.get(metric) ?? NO_LABELS;
    let branch = findOrAddBranch(this.#root, metric);
    for (const label of required) branch = findOrAddBranch(branch, labels[label] ?? "");
    for (const label of optional) {
      const value = labels[label];
      if (value !== undefined) branch = findOrAddBranch(branch, labelKey(label, value));
    }
    branch.id = id;
    branch.isSeries = true;
    branch.isUsed = isUsed;
    this.#count += 1;
    this.#countOfMetric.set(metric, (this.#countOfMetric.get(metric) ?? 0) + 1);
    if (Number.isFinite(this.#bounds.labelValueCountMax)) this.#noteValues(metric, labels);
    return branch;
  }

  /**
   * Name under which a missing series can be counted: its own, or one with "other" for label values beyond the limit.
   * Null beyond all limits, or if the metric has no meaningful sum.
   */
  nameWithRoom(name: SeriesName): SeriesName | null {
    const { metric, labels } = name;
    const { open, isAddable } = labelNames.get(metric) ?? NO_LABELS;
    const isMetricFull = (this.#countOfMetric.get(metric) ?? 0) >= this.#bounds.seriesPerMetricMax;
    const folded = open.filter((label) => {
      const value = labels[label];
      if (value === undefined || value === OTHER_LABEL_VALUE) return false;
      if (isMetricFull) return true;
      const values = this.#values.get(`${metric} ${label}`);
      return values !== undefined && values.size >= this.#bounds.labelValueCountMax && !values.has(value);
    });
    if (folded.length === 0) return name;
    if (!isAddable) return null;
    return { metric, labels: { ...labels, ...Object.fromEntries(folded.map(toOther)) } };
  }

  #noteValues(metric: string, labels: SeriesName["labels"]): void {
    for (const label of (labelNames.get(metric) ?? NO_LABELS).open) {
      const value = labels[label];
      if (value === undefined || value === OTHER_LABEL_VALUE) continue;
      const key = `${metric} ${label}`;
      const values = this.#values.get(key) ?? new Set<string>();
      this.#values.set(key, values.add(value));
    }
  }
}

const newBranch = (): Branch => ({ next: undefined, id: undefined, isSeries: false, isUsed: false });

const labelKey = (label: string, value: string): string => `${label}=${value}`;

const toOther = (label: string): [string, string] => [label, OTHER_LABEL_VALUE];

function findOrAddBranch(branch: Branch, name: string): Branch {
  branch.next ??= new Map();
  const known = branch.next.get(name);
  if (known !== undefined) return known;
  const made = newBranch();
  branch.next.set(name, made);
  return made;
}
