/**
 * State machine of a rule's groups: ok -> pending -> firing -> ok. Pure, so that live evaluation, the preview over
 * stored points and the tests run the same code.
 *
 *   breach   ok becomes pending; pending fires once the condition has held for `for`
 *   near     within the limit, but not by the margin, or by a lower percentile than the one that was beyond it: pending
 *            becomes ok; firing settles for 15 minutes first
 *   clear    pending becomes ok; firing is resolved once this has lasted for `keep firing`, if it has not settled before
 *   hold     the state stays, and settling starts over: there is no value, or pending has too few samples to confirm
 *            the percentile that was beyond the limit
 *
 * Time without evaluations proves nothing, so waiting starts over after a pause of the evaluator. A group that fires
 * before and after a pause keeps its incident, whose sentences name the length of the pause.
 */

import {
  type AlertEvidence,
  type AlertRuleInput,
  type AlertStatus,
  higherPercentile,
  isBreached,
  isClear,
  isUndecided,
  percentileRank,
} from "@stashlight/contracts/alert";
import { hysteresisMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import { present } from "../present.ts";

export type AlertPolicy = Pick<
  AlertRuleInput,
  "condition" | "forSeconds" | "keepFiringSeconds" | "noData"
> & {
  readonly query: Pick<AlertRuleInput["query"], "metric">;
};

export interface Sample {
  /** Values of the labels that the rule groups by, as JSON. */
  readonly group: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Names of the nodes that reported the value. */
  readonly nodes?: readonly string[];
  /** Null without a value. */
  readonly value: number | null;
  /** The statistic behind the value, if it is a percentile. */
  readonly evidence?: AlertEvidence | null;
  /** When the value was measured. */
  readonly atMs: number;
}

export interface GroupState {
  readonly group: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly status: AlertStatus;
  readonly sinceMs: number;
  readonly evaluatedMs: number;
  /** The latest value, from an earlier evaluation if this one had none. */
  readonly value: number | null;
  readonly hasValue: boolean;
  readonly evidence: AlertEvidence | null;
  /** Time of the last value, or time since which a value has been expected. */
  readonly sampleMs: number;
  /** Time since which the condition of a firing group has not held. */
  readonly clearSinceMs: number | null;
  /** Time at which the group resolves if nothing changes. */
  readonly endsMs: number | null;
  /** Time since the group began to fire during which it was not evaluated; its state in that time is unknown. */
  readonly unevaluatedSeconds: number;
}

export interface AlertTransition {
  readonly kind: "firing" | "resolved";
  /** The state after the transition. */
  readonly state: GroupState;
  readonly atMs: number;
}

export interface Evaluation {
  readonly states: readonly GroupState[];
  readonly events: readonly AlertTransition[];
}

export interface EvaluateInput {
  readonly policy: AlertPolicy;
  readonly previous: readonly GroupState[];
  /** One per group with a value; known groups that are missing here have none. */
  readonly samples: readonly Sample[];
  readonly nowMs: number;
  /** Interval between evaluations. */
  readonly intervalMs: number;
  /** True for groups that will not report again, such as those of a revoked node. */
  readonly isGone?: (labels: GroupState["labels"]) => boolean;
}

const INTERVALS_MISSED_MAX = 4;
/** A group that is ok and has had no value for this long is dropped. */
const FORGET_MS = DAY_MS;

type Verdict = "breach" | "near" | "clear" | "hold";

export function evaluate(input: EvaluateInput): Evaluation {
  const { previous, samples, nowMs, isGone = () => false } = input;
  const sampled = new Map(samples.map((sample) => [sample.group, sample]));
  const known = new Map(previous.map((state) => [state.group, state]));
  const states: GroupState[] = [];
  const events: AlertTransition[] = [];
  for (const group of new Set([...known.keys(), ...sampled.keys()])) {
    const before = known.get(group) ?? null;
    const sample = sampled.get(group) ?? null;
    const { labels } = present(sample ?? before);
    const isOver = isGone(labels);
    if (isOver && before === null) continue;
    const after: GroupState = isOver
      ? { ...present(before), status: "ok", sinceMs: nowMs, hasValue: false, ...unclear }
      : step(input, before, sample ?? { group, labels, value: null, atMs: nowMs });
    if (before?.status !== "firing" && after.status === "firing") {
      events.push({ kind: "firing", state: after, atMs: nowMs });
    }
    if (before?.status === "firing" && after.status !== "firing") {
      events.push({ kind: "resolved", state: after, atMs: nowMs });
    }
    const isForgotten = after.status === "ok" && nowMs - after.sampleMs > FORGET_MS;
    if (!isOver && !isForgotten) states.push(after);
  }
  return { states, events };
}

function step(input: EvaluateInput, before: GroupState | null, sample: Sample): GroupState {
  const { policy, nowMs, intervalMs } = input;
  const { group, labels, value } = sample;
  const wasAwayMs = before === null ? 0 : nowMs - before.evaluatedMs;
  const isInterrupted = wasAwayMs > INTERVALS_MISSED_MAX * intervalMs;
  const waitsSinceMs = before === null || isInterrupted ? nowMs : before.sampleMs;
  const status = before?.status ?? "ok";
  const sinceMs = before?.sinceMs ?? nowMs;
  const sampleMs = value === null ? waitsSinceMs : sample.atMs;
  const verdict = judgeSample(policy, before, sample, nowMs - sampleMs);
  const seen = {
    group,
    labels,
    evaluatedMs: nowMs,
    value: value ?? before?.value ?? null,
    hasValue: value !== null,
    evidence: evidenceAfter(before, sample, verdict),
    sampleMs,
    unevaluatedSeconds: unevaluatedAfter(before, isInterrupted ? wasAwayMs : 0),
  };
  if (verdict === "hold") {
    const heldSinceMs = status === "pending" ? sinceMs + wasAwayMs : sinceMs;
    return { ...seen, status, sinceMs: heldSinceMs, ...unclear };
  }
  if (verdict === "breach") {
    if (status === "firing") return { ...seen, status, sinceMs, ...unclear };
    const pendingSinceMs = status === "pending" && !isInterrupted ? sinceMs : nowMs;
    const isDue = nowMs - pendingSinceMs >= policy.forSeconds * 1000;
    return isDue
      ? { ...seen, status: "firing", sinceMs: nowMs, ...unclear }
      : { ...seen, status: "pending", sinceMs: pendingSinceMs, ...unclear };
  }
  if (status !== "firing") {
    return { ...seen, status: "ok", sinceMs: status === "ok" ? sinceMs : nowMs, ...unclear };
  }
  const clearing = clearSince(policy, isInterrupted ? null : before, verdict, nowMs);
  return nowMs >= clearing.endsMs
    ? { ...seen, status: "ok", sinceMs: nowMs, ...unclear }
    : { ...seen, status, sinceMs, ...clearing };
}

/** The evaluation that resolves a group still reports its pauses; the next one starts over. */
const unevaluatedAfter = (before: GroupState | null, pauseMs: number): number =>
  before?.status === "firing" ? before.unevaluatedSeconds + Math.round(pauseMs / 1000) : 0;

const unclear = { clearSinceMs: null, endsMs: null };

/**
 * Time since which a firing group has been within the limit, and time at which it resolves: earlier if it also keeps
 * the margin.
 */
function clearSince(
  { keepFiringSeconds }: AlertPolicy,
  before: GroupState | null,
  verdict: "near" | "clear",
  nowMs: number,
): { clearSinceMs: number; endsMs: number } {
  const clearSinceMs = before?.clearSinceMs ?? nowMs;
  const settledMs = clearSinceMs + Math.max(keepFiringSeconds, hysteresisMarks.settleSeconds) * 1000;
  if (verdict === "near") return { clearSinceMs, endsMs: settledMs };
  return { clearSinceMs, endsMs: Math.min(before?.endsMs ?? settledMs, nowMs + keepFiringSeconds * 1000) };
}

function judgeSample(
  { query, condition, noData }: AlertPolicy,
  before: GroupState | null,
  { value, evidence = null }: Pick<Sample, "value" | "evidence">,
  silentMs: number,
): Verdict {
  if (condition.kind === "absence") {
    if (value !== null) return "clear";
    return before?.status === "firing" || silentMs >= condition.minutes * 60_000 ? "breach" : "clear";
  }
  if (value === null) return noDataVerdicts[noData];
  if (isBreached(condition, value, evidence?.limit)) return "breach";
  if (!isUndecided(condition, value, evidence)) {
    return isClear({ query, condition }, evidence?.atMost ?? value, evidence?.limit) ? "clear" : "near";
  }
  if (needsMoreSamples(before, evidence)) return before?.status === "pending" ? "hold" : "near";
  return isClear({ query, condition }, value, evidence?.limit) ? "clear" : "near";
}

/**
 * A lower percentile within the limit ends an alert that it or a lower percentile began. An alert that a higher
 * percentile began settles first; while pending, it waits for enough samples.
 */
const needsMoreSamples = (
  before: Pick<GroupState, "status" | "evidence"> | null,
  evidence: AlertEvidence | null,
): boolean =>
  before !== null &&
  before.status !== "ok" &&
  percentileRank(before.evidence?.breachedBy) > percentileRank(evidence?.statistic);

/** Keeps the highest percentile that exceeded the limit while the group is pending or firing. */
function evidenceAfter(before: GroupState | null, sample: Sample, verdict: Verdict): AlertEvidence | null {
  const earlier = before?.evidence ?? null;
  if (sample.value === null) return earlier;
  const evidence = sample.evidence ?? null;
  if (evidence === null) return null;
  const began = before?.status === "ok" ? undefined : earlier?.breachedBy;
  if (evidence.statistic === "modelled") return evidence;
  const breachedBy = verdict === "breach" ? higherPercentile(evidence.statistic, began) : began;
  return breachedBy === undefined ? evidence : { ...evidence, breachedBy };
}

const noDataVerdicts: Record<AlertPolicy["noData"], Verdict> = { keep: "hold", ok: "clear", alert: "breach" };
