/** A rule as the fields of a form, and back. Numbers are text until they are sent, so that one may type them. */
import type { AlertCondition, AlertRuleInput, AlertRuleRow, SeriesLabel } from "@stashlight/contracts";
import { type MetricDefinition, type MetricName, metricCatalogue } from "@stashlight/contracts/metrics";

const measuresOf = {
  gauge: ["last", "avg", "min", "max", "time-to-full", "absence"],
  counter: ["increase", "rate", "absence"],
  histogram: ["p50", "p90", "p99", "p999", "max", "absence"],
} as const satisfies Record<MetricDefinition["kind"], readonly string[]>;

export type Measure = (typeof measuresOf)[keyof typeof measuresOf][number];

export const measureWords: Record<Measure, string> = {
  last: "last value",
  avg: "average",
  min: "least",
  max: "greatest",
  "time-to-full": "time until it is full",
  absence: "no value at all",
  increase: "increase",
  rate: "rate, a second",
  p50: "p50",
  p90: "p90",
  p99: "p99",
  p999: "p99.9",
};

export interface RuleForm {
  name: string;
  description: string;
  metric: MetricName;
  /** "tier=stash, device=s1|s2" */
  where: string;
  groupBy: SeriesLabel[];
  across: AlertRuleInput["query"]["across"];
  measure: Measure;
  /** A gauge that the value is a share of, or that is to be full; empty for none. */
  other: MetricName | "";
  comparison: "above" | "below";
  threshold: string;
  windowSeconds: string;
  sampleCountMin: string;
  minutes: string;
  forSeconds: string;
  keepFiringSeconds: string;
  /** 0 for never. */
  remindMinutes: string;
  noData: AlertRuleInput["noData"];
  severity: AlertRuleInput["severity"];
  isEnabled: boolean;
  channelIds: string[];
}

const definitionOf = (metric: MetricName): MetricDefinition => metricCatalogue[metric];

export const metricNames = (Object.keys(metricCatalogue) as MetricName[]).sort();
export const gaugeNames = metricNames.filter((metric) => definitionOf(metric).kind === "gauge");
export const measuresFor = (metric: MetricName): readonly Measure[] => measuresOf[definitionOf(metric).kind];
export const labelsFor = (metric: MetricName): SeriesLabel[] => ["node", ...definitionOf(metric).labels];

/** The unit in which the threshold is typed. */
export function unitFor({ metric, measure, other }: Pick<RuleForm, "metric" | "measure" | "other">): string {
  if (measure === "time-to-full") return "minutes";
  if (other !== "") return "% of it";
  const { unit } = definitionOf(metric);
  if (unit === "seconds") return "ms";
  return unit === "ratio" ? "%" : unit;
}

/** How many of the base unit one of the typed unit is. */
const scaleFor = (form: Pick<RuleForm, "metric" | "measure" | "other">): number =>
  ({ minutes: 60, "% of it": 0.01, "%": 0.01, ms: 0.001 })[unitFor(form)] ?? 1;

export const emptyForm: RuleForm = {
  name: "",
  description: "",
  metric: "stashlight_stash_used_bytes",
  where: "",
  groupBy: [],
  across: "sum",
  measure: "last",
  other: "stashlight_stash_capacity_bytes",
  comparison: "above",
  threshold: "80",
  windowSeconds: "60",
  sampleCountMin: "1",
  minutes: "5",
  forSeconds: "60",
  keepFiringSeconds: "60",
  remindMinutes: "240",
  noData: "keep",
  severity: "warning",
  isEnabled: true,
  channelIds: [],
};

/** Another metric can be asked other things, and has other labels. */
export function withMetric(form: RuleForm, metric: MetricName): RuleForm {
  const measures = measuresFor(metric);
  const labels = labelsFor(metric);
  return {
    ...form,
    metric,
    measure: measures.includes(form.measure) ? form.measure : (measures[0] as Measure),
    other: "",
    groupBy: form.groupBy.filter((label) => labels.includes(label)),
  };
}

const whereText = (where: AlertRuleInput["query"]["where"]): string =>
  Object.entries(where)
    .map(([label, values]) => `${label}=${values.join("|")}`)
    .join(", ");

/** Labels and values as typed; a part without "=" is taken as a label without values, which the server refuses. */
function parseWhere(text: string): AlertRuleInput["query"]["where"] {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return Object.fromEntries(
    parts.map((part) => {
      const [label = "", values = ""] = part.split(/=(.*)/s);
      return [label.trim(), values.split("|").map((value) => value.trim())];
    }),
  );
}

/** Without the noise of binary fractions: 0.05 s are 50 ms. */
const plain = (value: number): string => String(Number(value.toPrecision(12)));

export function formOf(rule: AlertRuleRow): RuleForm {
  const { query, condition } = rule;
  const form: RuleForm = {
    ...emptyForm,
    name: rule.name,
    description: rule.description,
    metric: query.metric,
    where: whereText(query.where),
    groupBy: query.groupBy,
    across: query.across,
    measure: measureOf(condition),
    other: otherOf(condition),
    forSeconds: String(rule.forSeconds),
    keepFiringSeconds: String(rule.keepFiringSeconds),
    remindMinutes: plain(rule.remindSeconds / 60),
    noData: rule.noData,
    severity: rule.severity,
    isEnabled: rule.isEnabled,
    channelIds: rule.channelIds,
  };
  if (condition.kind === "absence") return { ...form, minutes: String(condition.minutes) };
  const threshold = condition.kind === "time-to-full" ? condition.thresholdSeconds : condition.threshold;
  return {
    ...form,
    windowSeconds: String(condition.windowSeconds),
    threshold: plain(threshold / scaleFor(form)),
    ...("comparison" in condition ? { comparison: condition.comparison } : {}),
    ...("sampleCountMin" in condition ? { sampleCountMin: String(condition.sampleCountMin) } : {}),
  };
}

function measureOf(condition: AlertCondition): Measure {
  if (condition.kind === "threshold") return condition.statistic;
  return condition.kind === "percentile" ? condition.percentile : condition.kind;
}

function otherOf(condition: AlertCondition): MetricName | "" {
  if (condition.kind === "time-to-full") return condition.capacityMetric;
  return (condition.kind === "threshold" && condition.shareOf) || "";
}

export function conditionOf(form: RuleForm): AlertCondition {
  const { metric, measure, other, comparison } = form;
  const windowSeconds = Number(form.windowSeconds);
  const threshold = Number(plain(Number(form.threshold) * scaleFor(form)));
  if (measure === "absence") return { kind: "absence", minutes: Number(form.minutes) };
  if (measure === "rate") return { kind: "rate", comparison, threshold, windowSeconds };
  if (measure === "time-to-full") {
    const capacityMetric = other || metric;
    return { kind: "time-to-full", capacityMetric, thresholdSeconds: threshold, windowSeconds };
  }
  if (definitionOf(metric).kind === "histogram") {
    const percentile = measure as Extract<AlertCondition, { kind: "percentile" }>["percentile"];
    const sampleCountMin = Number(form.sampleCountMin);
    return { kind: "percentile", percentile, comparison, threshold, sampleCountMin, windowSeconds };
  }
  const statistic = measure as Extract<AlertCondition, { kind: "threshold" }>["statistic"];
  const shareOf = other === "" || measure === "increase" ? undefined : other;
  return {
    kind: "threshold",
    statistic,
    ...(shareOf === undefined ? {} : { shareOf }),
    comparison,
    threshold,
    windowSeconds,
  };
}

/** What the server takes, which checks all of it. */
export function ruleOf(form: RuleForm): AlertRuleInput {
  const { name, description, metric, groupBy, across, noData, severity, isEnabled, channelIds } = form;
  return {
    name: name.trim(),
    description: description.trim(),
    query: { metric, where: parseWhere(form.where), groupBy, across },
    condition: conditionOf(form),
    forSeconds: Number(form.forSeconds),
    keepFiringSeconds: Number(form.keepFiringSeconds),
    remindSeconds: Math.round(Number(form.remindMinutes) * 60),
    noData,
    severity,
    isEnabled,
    channelIds,
  };
}
