/** Fields of the rule dialog, and conversion from and to a rule. */
import {
  type AlertCondition,
  type AlertDurabilityFigure,
  type AlertRuleInput,
  type AlertRuleRow,
  durabilityFigures,
  durabilityMetric,
  PEER_HOURS,
  peersMetric,
} from "@stashlight/contracts/alert";
import { type MetricDefinition, type MetricName, metricCatalogue } from "@stashlight/contracts/metrics";
import type { SeriesLabel } from "@stashlight/contracts/metrics/query";
import {
  choice,
  fieldTable,
  held,
  number,
  optionalNumber,
  parsed,
  type Typed,
  text,
} from "@stashlight/ui/fields";

const measuresOf = {
  gauge: ["last", "avg", "min", "max", "time-to-full", "absence"],
  counter: ["increase", "rate", "absence"],
  histogram: ["p50", "p90", "p99", "p999", "max", "absence"],
} as const satisfies Record<MetricDefinition["kind"], readonly string[]>;

export type Measure = (typeof measuresOf)[keyof typeof measuresOf][number] | AlertDurabilityFigure | "peers";

export const measureWords: Record<Measure, string> = {
  last: "last value",
  avg: "average",
  min: "minimum",
  max: "maximum",
  "time-to-full": "time until it is full",
  absence: "no value at all",
  increase: "increase",
  rate: "rate per second",
  p50: "p50",
  p90: "p90",
  p99: "p99",
  p999: "p99.9",
  nines: "nines a year, at best",
  "spare-parity": "parity shards to spare",
  peers: "slow hours compared with its peers",
};

const metricDefinition = (metric: MetricName): MetricDefinition => metricCatalogue[metric];

const metricNames = (Object.keys(metricCatalogue) as MetricName[]).sort();
const gaugeNames = metricNames.filter((metric) => metricDefinition(metric).kind === "gauge");
export const measuresFor = (metric: MetricName): readonly Measure[] => [
  ...measuresOf[metricDefinition(metric).kind],
  ...(metric === durabilityMetric ? durabilityFigures : []),
  ...(metric === peersMetric ? (["peers"] as const) : []),
];
export const labelsFor = (metric: MetricName): SeriesLabel[] => [
  "vault",
  "node",
  ...metricDefinition(metric).labels,
];

interface Asked {
  readonly metric: MetricName;
  readonly measure: Measure;
  readonly other: MetricName | "";
}

/** Unit of the typed threshold. */
export function unitFor({ metric, measure, other }: Asked): string {
  if (measure === "time-to-full") return "minutes";
  if (measure === "nines") return "nines";
  if (measure === "peers") return `hours of ${PEER_HOURS}`;
  if (measure === "spare-parity") return "%";
  if (other !== "") return "% of it";
  const { unit } = metricDefinition(metric);
  if (unit === "seconds") return "ms";
  return unit === "ratio" ? "%" : unit;
}

/** Size of the typed unit in base units. */
const scaleFor = (form: Asked): number =>
  ({ minutes: 60, "% of it": 0.01, "%": 0.01, ms: 0.001 })[unitFor(form)] ?? 1;

const toOptions = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: value }));
const comparisons = toOptions(["above", "below"] as const);
const noDataOptions = [
  { value: "keep", label: "keeps the current state" },
  { value: "ok", label: "counts as normal" },
  { value: "alert", label: "fires the alert" },
] as const;

const isAbsence = ({ measure }: { measure: Measure }) => measure === "absence";
const isTimeToFull = ({ measure }: { measure: Measure }) => measure === "time-to-full";
/** Evaluated by a model in Stashlight that chooses its own window. */
const isJudged = ({ measure }: { measure: Measure }) =>
  measure === "peers" || durabilityFigures.some((each) => each === measure);
const isPercentile = ({ measure }: { measure: Measure }) => /^p\d/.test(measure);
const isOfGauge = ({ metric, measure }: { metric: MetricName; measure: Measure }) =>
  metricDefinition(metric).kind === "gauge" && ["last", "avg", "min", "max"].includes(measure);

export const ruleFields = fieldTable(
  {
    name: text("Name"),
    description: text("Description", { optional: true }),
    metric: choice<MetricName>("Metric", toOptions(metricNames), {
      initial: "stashlight_stash_used_bytes",
      path: "query.metric",
    }),
    where: parsed("text", "Only where", (typed) => ({ value: parseWhere(typed) }), {
      path: "query.where",
      optional: true,
      help: "tier=stash, device=s1|s2",
    }),
    groupBy: held<SeriesLabel[]>([]),
    across: held<AlertRuleInput["query"]["across"]>("sum"),
    measure: choice<Measure>("Statistic", [], { initial: "last" }),
    /** Capacity gauge: the total of which the value is a share, or the capacity that it fills; empty for none. */
    other: choice<MetricName | "">(
      "As a share of",
      [{ value: "", label: "nothing: the value itself" }, ...toOptions(gaugeNames)],
      { initial: "stashlight_stash_capacity_bytes", path: ["condition.shareOf", "condition.capacityMetric"] },
    ),
    comparison: choice("Comparison", comparisons, { initial: "above" }),
    threshold: number("Threshold", {
      initial: "80",
      path: ["condition.threshold", "condition.thresholdSeconds"],
    }),
    windowSeconds: number("Window", { unit: "seconds", initial: "60", path: "condition.windowSeconds" }),
    sampleCountMin: number("Minimum samples", {
      initial: "1",
      path: "condition.sampleCountMin",
      help: "With fewer samples the rule has no value.",
    }),
    usualTimes: optionalNumber("Or above its usual value", {
      unit: "times",
      path: "condition.usual.times",
      help: "The median of the same statistic over the last three days, for each group with at least a day of history.",
    }),
    usualFloor: number("But at least", { initial: "0", path: "condition.usual.atLeast" }),
    minutes: number("Missing for", { unit: "minutes", initial: "5", path: "condition.minutes" }),
    forSeconds: number("Fires after", { unit: "seconds", initial: "60" }),
    keepFiringSeconds: number("Resolves after", { unit: "seconds", initial: "120" }),
    remindMinutes: number("Reminder every", {
      unit: "minutes",
      initial: "240",
      path: "remindSeconds",
      help: "While the alert fires and is neither silenced nor acknowledged. With 0, channels are notified once, and again when it resolves.",
    }),
    noData: choice("A missing value", noDataOptions, { initial: "keep" }),
    severity: choice("Severity", toOptions(["info", "warning", "critical"] as const), { initial: "warning" }),
    isEnabled: held(true),
    channelIds: held<string[]>([]),
  },
  {
    other: (form) => isOfGauge(form) || isTimeToFull(form),
    comparison: (form) => !isAbsence(form) && !isTimeToFull(form) && !isJudged(form),
    threshold: (form) => !isAbsence(form),
    windowSeconds: (form) => !isAbsence(form) && !isTimeToFull(form) && !isJudged(form),
    sampleCountMin: isPercentile,
    usualTimes: (form) => isPercentile(form) && form.comparison === "above",
    usualFloor: (form) => isPercentile(form) && form.comparison === "above" && form.usualTimes !== "",
    minutes: isAbsence,
  },
);
export type RuleForm = Typed<typeof ruleFields.specs>;

export const emptyForm: RuleForm = ruleFields.initial;

/** Drops statistics and labels that the new metric does not have. */
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

/** Labels and values as typed; a part without "=" becomes a label without values, which the server refuses. */
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

/** Removes binary rounding noise: 0.05 s is 50 ms. */
const plain = (value: number): string => String(Number(value.toPrecision(12)));

export function toRuleForm(rule: AlertRuleRow): RuleForm {
  const { query, condition } = rule;
  const form: RuleForm = {
    ...emptyForm,
    name: rule.name,
    description: rule.description,
    metric: query.metric,
    where: whereText(query.where),
    groupBy: query.groupBy,
    across: query.across,
    measure: conditionMeasure(condition),
    other: otherMetric(condition),
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
    ...("windowSeconds" in condition ? { windowSeconds: String(condition.windowSeconds) } : {}),
    threshold: plain(threshold / scaleFor(form)),
    ...("comparison" in condition ? { comparison: condition.comparison } : {}),
    ...(condition.kind === "percentile" && condition.usual !== undefined
      ? {
          usualTimes: plain(condition.usual.times),
          usualFloor: plain(condition.usual.atLeast / scaleFor(form)),
        }
      : {}),
    ...("sampleCountMin" in condition ? { sampleCountMin: String(condition.sampleCountMin) } : {}),
  };
}

function conditionMeasure(condition: AlertCondition): Measure {
  if (condition.kind === "threshold") return condition.statistic;
  if (condition.kind === "durability") return condition.figure;
  return condition.kind === "percentile" ? condition.percentile : condition.kind;
}

function otherMetric(condition: AlertCondition): MetricName | "" {
  if (condition.kind === "time-to-full") return condition.capacityMetric;
  return (condition.kind === "threshold" && condition.shareOf) || "";
}

type RuleValues = ReturnType<typeof ruleFields.read>["values"];

function toCondition(rule: RuleValues): AlertCondition {
  const { metric, measure, other, comparison, windowSeconds, minutes, sampleCountMin } = rule;
  const threshold = Number(plain(rule.threshold * scaleFor(rule)));
  if (measure === "absence") return { kind: "absence", minutes };
  if (measure === "rate") return { kind: "rate", comparison, threshold, windowSeconds };
  if (measure === "time-to-full") {
    const capacityMetric = other || metric;
    return { kind: "time-to-full", capacityMetric, thresholdSeconds: threshold };
  }
  if (measure === "nines" || measure === "spare-parity") {
    return { kind: "durability", figure: measure, threshold };
  }
  if (measure === "peers") return { kind: "peers", threshold };
  if (metricDefinition(metric).kind === "histogram") {
    const percentile = measure as Extract<AlertCondition, { kind: "percentile" }>["percentile"];
    const { usualTimes, usualFloor } = rule;
    const atLeast = Number(plain(usualFloor * scaleFor(rule)));
    const usual =
      usualTimes === null || comparison === "below" ? {} : { usual: { times: usualTimes, atLeast } };
    return { kind: "percentile", percentile, comparison, threshold, sampleCountMin, windowSeconds, ...usual };
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

/** Builds the server's input, which the server validates. */
export function toRule(form: RuleForm): AlertRuleInput {
  const { values } = ruleFields.read(form);
  const { name, description, metric, where, groupBy, across, noData, severity, isEnabled, channelIds } =
    values;
  const { forSeconds, keepFiringSeconds } = values;
  return {
    name,
    description,
    forSeconds,
    keepFiringSeconds,
    noData,
    severity,
    isEnabled,
    channelIds,
    query: { metric, where, groupBy, across },
    condition: toCondition(values),
    remindSeconds: Math.round(values.remindMinutes * 60),
  };
}
