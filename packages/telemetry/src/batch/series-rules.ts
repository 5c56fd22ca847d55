/**
 * Decides which series the catalogue allows. The check runs for each incoming value, so its possible results are
 * precomputed.
 */
import {
  type MetricDefinition,
  type MetricKind,
  metricCatalogue,
  metricLabelValues,
} from "@stashlight/contracts/metrics";

export type SeriesRefusal = "unknown_metric" | "wrong_kind" | "wrong_labels";

/** Known values of a label, or "any". */
type LabelRule = ReadonlySet<string> | "any";

interface SeriesRule {
  readonly kind: MetricKind;
  readonly required: readonly string[];
  readonly labels: ReadonlyMap<string, LabelRule>;
}

const LABEL_VALUE_CHARACTERS_MAX = 200;

const closedValues: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(metricLabelValues).map(([label, values]) => [label, new Set<string>(values)]),
);

const rules: ReadonlyMap<string, SeriesRule> = new Map(
  Object.entries<MetricDefinition>(metricCatalogue).map(([metric, { kind, labels, isOfDrive }]) => [
    metric,
    {
      kind,
      required: labels,
      labels: new Map(
        [...labels, ...(isOfDrive ? ["modelled"] : [])].map((label) => [
          label,
          closedValues.get(label) ?? "any",
        ]),
      ),
    },
  ]),
);

/** Postgres stores neither NUL nor unpaired surrogates. */
const isStorable = (value: string): boolean =>
  value.length <= LABEL_VALUE_CHARACTERS_MAX && !value.includes("\0") && value.isWellFormed();

/** A series whose labels are being read; labels that are not allowed are dropped. */
export class SeriesCheck {
  readonly metric: string;
  readonly labels: Record<string, string> = {};
  readonly #rule: SeriesRule | undefined;
  #refusal: SeriesRefusal | null;

  constructor(kind: MetricKind, metric: string) {
    this.metric = metric;
    this.#rule = rules.get(metric);
    this.#refusal =
      this.#rule === undefined ? "unknown_metric" : this.#rule.kind === kind ? null : "wrong_kind";
  }

  label(name: string, value: string): void {
    const allowed = this.#rule?.labels.get(name);
    const isAllowed = allowed !== undefined && (allowed === "any" ? isStorable(value) : allowed.has(value));
    if (isAllowed) this.labels[name] = value;
    else this.#refusal ??= "wrong_labels";
  }

  /** Returns the reason for a refusal, or null if the series is allowed. Called after all labels were read. */
  refusal(): SeriesRefusal | null {
    for (const label of this.#rule?.required ?? []) {
      if (this.labels[label] === undefined) this.#refusal ??= "wrong_labels";
    }
    return this.#refusal;
  }
}
