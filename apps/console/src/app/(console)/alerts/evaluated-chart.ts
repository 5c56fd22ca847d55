/** Converts a rule replayed over a range into a chart preparer's input. */

import {
  type AlertCondition,
  type AlertQuery,
  type AlertReplay,
  type AlertSpan,
  type AlertStatus,
  type EvaluatedGroup,
  formatCondition,
  formatLabels,
  ruleUnit,
} from "@stashlight/contracts/alert";
import type {
  ChartRange,
  ChartSpan,
  ChartThreshold,
  ChartTone,
  LineInput,
  Quantity,
} from "@stashlight/ui/chart";
import { seriesTones } from "../../../client/metrics/series-tones.ts";

interface Rule {
  readonly query: AlertQuery;
  readonly condition: AlertCondition;
}

export interface EvaluatedChart {
  readonly quantity: Quantity;
  readonly isLatency: boolean;
  readonly lines: readonly LineInput[];
  readonly thresholds: readonly ChartThreshold[];
  readonly spans: readonly ChartSpan[];
}

/** Group count above which limits are hidden; more would cover the lines. */
const LIMIT_LINES_MAX = 2;

export function evaluatedChart(
  rule: Rule,
  { groups, stepMs }: Pick<AlertReplay, "groups" | "stepMs">,
  range: ChartRange,
): EvaluatedChart {
  const learned = groups.filter(({ limits }) => limits.some((limit) => limit !== null));
  const limited = learned.length <= LIMIT_LINES_MAX ? learned : [];
  return {
    quantity: ruleQuantity(rule),
    isLatency: rule.condition.kind === "percentile",
    lines: [
      ...groups.map((group, index) => valueLine(group, toneAt(index))),
      ...limited.map((group) => limitLine(group, toneAt(groups.indexOf(group)), groups.length === 1)),
    ],
    thresholds: ruleThresholds(rule),
    spans: alertSpans(groups, range, stepMs),
  };
}

const toneAt = (index: number): ChartTone => seriesTones[index] ?? "unknown";
const groupLabel = ({ labels }: Pick<EvaluatedGroup, "labels">): string =>
  formatLabels(labels) || "all together";

const valueLine = ({ group, labels, endMs, values, n }: EvaluatedGroup, tone: ChartTone): LineInput => ({
  id: group,
  label: groupLabel({ labels }),
  tone,
  endMs,
  values,
  ...(n.length === 0 ? {} : { n }),
});

const limitLine = (
  { group, labels, endMs, limits }: EvaluatedGroup,
  tone: ChartTone,
  isOnly: boolean,
): LineInput => ({
  id: `${group} limit`,
  label: isOnly ? "learned limit" : `limit of ${groupLabel({ labels })}`,
  tone: isOnly ? "bad" : tone,
  weight: "dotted",
  endMs,
  values: limits,
});

function ruleQuantity(rule: Rule): Quantity {
  const unit = ruleUnit(rule);
  if (unit === "share") return "ratio";
  if (rule.condition.kind === "rate") return unit === "bytes" ? "bytes-per-second" : "count";
  return unit === "info" ? "count" : unit;
}

/** Fixed threshold of the rule; none for an absence rule. */
function ruleThresholds({ query, condition }: Rule): ChartThreshold[] {
  if (condition.kind === "absence") return [];
  const value = condition.kind === "time-to-full" ? condition.thresholdSeconds : condition.threshold;
  const absolute = condition.kind === "percentile" ? { ...condition, usual: undefined } : condition;
  return [{ value, label: formatCondition({ query, condition: absolute }), tone: "bad" }];
}

/** Spans in which any group fired, and those in which one was pending and none fired. */
export function alertSpans(
  groups: readonly EvaluatedGroup[],
  { toMs }: ChartRange,
  stepMs: number,
): ChartSpan[] {
  const all = groups.flatMap((group) =>
    group.spans.map((span) => ({
      ...span,
      // Draws a span that began with the newest point across that point; otherwise it would have no width.
      startMs: span.endMs === null ? Math.min(span.startMs, toMs - stepMs) : span.startMs,
      endMs: span.endMs ?? toMs,
      name: groupLabel(group),
    })),
  );
  const edges = [...new Set(all.flatMap(({ startMs, endMs }) => [startMs, endMs]))].sort((a, b) => a - b);
  const spans: ChartSpan[] = [];
  edges.forEach((startMs, index) => {
    const endMs = edges[index + 1];
    if (endMs === undefined) return;
    const within = all.filter((span) => span.startMs <= startMs && span.endMs >= endMs);
    const said = describeSpan("firing", within) ?? describeSpan("pending", within);
    if (said === null) return;
    const last = spans.at(-1);
    if (last?.endMs === startMs && last.label === said.label) spans.splice(-1, 1, { ...last, endMs });
    else spans.push({ ...said, startMs, endMs });
  });
  return spans;
}

type NamedSpan = Pick<AlertSpan, "status"> & { readonly name: string };

function describeSpan(
  status: Exclude<AlertStatus, "ok">,
  within: readonly NamedSpan[],
): Pick<ChartSpan, "status" | "label"> | null {
  const names = within.filter((span) => span.status === status).map(({ name }) => name);
  const [first] = names;
  if (first === undefined) return null;
  const rest = names.length > 1 ? ` and ${names.length - 1} more` : "";
  return { status: status === "firing" ? "bad" : "warning", label: `${status}: ${first}${rest}` };
}
