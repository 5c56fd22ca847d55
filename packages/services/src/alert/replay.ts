/** Evaluates a rule over stored points, group by group, as workers do. */

import type { AlertCondition, AlertRuleInput, AlertSpan, EvaluatedGroup } from "@stashlight/contracts/alert";
import type { Plan } from "../metrics/query/plan.ts";
import { type AlertPolicy, evaluate, type GroupState, type Sample } from "./evaluate.ts";
import { evidenceAt, type GroupPoints, valueAt } from "./sample.ts";
import { type Usuals, withUsual } from "./usual-values.ts";

export type ReplayedTerms = Pick<
  AlertRuleInput,
  "query" | "condition" | "forSeconds" | "keepFiringSeconds" | "noData"
>;

interface Replay {
  readonly sampleCount: number;
  /** In the same order as `groups`. */
  readonly evaluated: EvaluatedGroup[];
}

/** Limit on lines that can be distinguished in one chart. */
const shownCountMax = 6;

export function replay(
  terms: ReplayedTerms,
  groups: readonly GroupPoints[],
  { startMs, stepMs, pointCount }: Pick<Plan, "startMs" | "stepMs" | "pointCount">,
  usualsOf: (group: GroupPoints) => Usuals | undefined,
): Replay {
  const policy = policyFor(terms, stepMs);
  const samples = groups.map((group) => pointSamples(terms, group, stepMs, usualsOf(group)));
  const byTime = Map.groupBy(samples.flat(), ({ atMs }) => atMs);
  const spans = new Map<string, AlertSpan[]>();
  let states: readonly GroupState[] = [];
  for (let point = 1; point <= pointCount; point += 1) {
    const nowMs = startMs + point * stepMs;
    const seen = byTime.get(nowMs) ?? [];
    ({ states } = evaluate({ policy, previous: states, samples: seen, nowMs, intervalMs: stepMs }));
    for (const state of states) follow(spans, state, nowMs);
  }
  return {
    sampleCount: samples.reduce((sum, each) => sum + each.length, 0),
    evaluated: groups.map(({ group, labels }, i) => ({
      group,
      labels: { ...labels },
      ...sampleColumns(samples[i] ?? []),
      spans: spans.get(group) ?? [],
    })),
  };
}

/** Orders firing groups first, then those that fired, then those that came closest. */
export function mostTelling(condition: AlertCondition, groups: readonly EvaluatedGroup[]): EvaluatedGroup[] {
  const firing = ({ spans }: EvaluatedGroup) =>
    spans.reduce(
      (sum, { status, endMs }) => sum + (status === "firing" ? (endMs === null ? 1_000 : 1) : 0),
      0,
    );
  const isLowWorse =
    condition.kind === "time-to-full" || ("comparison" in condition && condition.comparison === "below");
  const worst = ({ values }: EvaluatedGroup) =>
    values.reduce((most, value) => Math.max(most, isLowWorse ? -value : value), Number.NEGATIVE_INFINITY);
  return groups
    .filter(({ values }) => values.length > 0)
    .toSorted((a, b) => firing(b) - firing(a) || worst(b) - worst(a))
    .slice(0, shownCountMax);
}

/** A point represents a condition that held for the length of the point. */
function policyFor(terms: ReplayedTerms, stepMs: number): AlertPolicy {
  return { ...terms, forSeconds: Math.max(0, terms.forSeconds - stepMs / 1000) };
}

type PointSample = Sample & { readonly value: number };

function pointSamples(
  { query, condition }: Pick<ReplayedTerms, "query" | "condition">,
  { group, labels, ...given }: GroupPoints,
  stepMs: number,
  usuals: Usuals | undefined,
): PointSample[] {
  return given.points.endMs.flatMap((atMs, index) => {
    const value = valueAt({ query, condition }, given, index, stepMs);
    if (value === null) return [];
    const evidence = withUsual(condition, evidenceAt(condition, given.points, index), usuals);
    return [{ group, labels, value, evidence, atMs }];
  });
}

const sampleColumns = (
  samples: readonly PointSample[],
): Pick<EvaluatedGroup, "endMs" | "values" | "n" | "limits"> => ({
  endMs: samples.map(({ atMs }) => atMs),
  values: samples.map(({ value }) => value),
  n: samples.flatMap(({ evidence }) => evidence?.sampleCount ?? []),
  limits: samples.map(({ evidence }) => evidence?.limit ?? null),
});

/** Extends the time in which a group was pending or firing, or begins another. */
function follow(spans: Map<string, AlertSpan[]>, { group, status }: GroupState, nowMs: number): void {
  const own = spans.get(group) ?? [];
  const last = own.at(-1);
  const isOpen = last?.endMs === null;
  if (isOpen && last.status === status) return;
  if (isOpen) last.endMs = nowMs;
  if (status === "ok") return;
  own.push({ status, startMs: nowMs, endMs: null });
  spans.set(group, own);
}
