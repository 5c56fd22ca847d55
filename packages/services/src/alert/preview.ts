/** What a rule would have done: the evaluation that workers run, over stored points of the last two weeks. */

import type { AlertPreview, AlertPreviewInput } from "@stashlight/contracts/alert";
import { DAY_MS } from "@stashlight/contracts/time/duration";
import { requireRole, type Verb } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { planRange } from "../metrics/query/plan.ts";
import { type AlertPolicy, evaluate, type GroupState, type Sample } from "./evaluate.ts";
import { evidenceAt, type GroupPoints, readGroupPoints, valueAt } from "./sample.ts";
import { usualsOf, withUsual } from "./usual.ts";

const rangeMs = 14 * DAY_MS;
/** A point every ten minutes, which is what the store has of two weeks. */
const pointCountMax = 2_016;
const episodeCountMax = 20;
/** With more values a preview would take longer than anybody waits. */
const valueCountMax = 2_000_000;

export async function previewAlertRule({
  ctx,
  input,
}: Verb<AlertPreviewInput, WithMerger>): Promise<AlertPreview> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const nowMs = platform.now().getTime();
  const plan = planRange({
    fromMs: nowMs - rangeMs,
    toMs: nowMs,
    nowMs,
    pointCountMax,
    windowMs: 0,
    rowsPerWindow: 1,
  });
  const groups = await readGroupPoints(platform, input.query, input.condition, plan);
  const kept = groups.slice(0, Math.max(1, Math.floor(valueCountMax / plan.pointCount)));
  const told = replay(input, kept, plan);
  return {
    fromMs: plan.startMs,
    toMs: plan.endMs,
    stepMs: plan.stepMs,
    groupCount: kept.length,
    ...told,
    sentence: sentenceOf(told, rangeMs / DAY_MS),
  };
}

type Told = Pick<AlertPreview, "sampleCount" | "firedCount" | "episodes">;

/** A point stands for a condition that held as long as the point is. */
function policyFor(input: AlertPreviewInput, stepMs: number): AlertPolicy {
  return { ...input, forSeconds: Math.max(0, input.forSeconds - stepMs / 1000) };
}

function replay(
  input: AlertPreviewInput,
  groups: readonly GroupPoints[],
  { startMs, stepMs, pointCount }: { startMs: number; stepMs: number; pointCount: number },
): Told {
  const policy = policyFor(input, stepMs);
  const byTime = samplesByTime(input, groups, stepMs);
  const episodes: AlertPreview["episodes"] = [];
  const open = new Map<string, AlertPreview["episodes"][number]>();
  let states: readonly GroupState[] = [];
  let sampleCount = 0;
  for (let point = 1; point <= pointCount; point += 1) {
    const nowMs = startMs + point * stepMs;
    const samples = byTime.get(nowMs) ?? [];
    sampleCount += samples.length;
    const result = evaluate({ policy, previous: states, samples, nowMs, intervalMs: stepMs });
    states = result.states;
    for (const { kind, state } of result.events) {
      if (kind === "firing") {
        const episode = { labels: { ...state.labels }, startMs: nowMs, endMs: null };
        episodes.push(episode);
        open.set(state.group, episode);
      } else {
        const episode = open.get(state.group);
        if (episode !== undefined) episode.endMs = nowMs;
      }
    }
  }
  return {
    sampleCount,
    firedCount: episodes.length,
    episodes: episodes.slice(-episodeCountMax).toReversed(),
  };
}

function samplesByTime(
  { condition }: AlertPreviewInput,
  groups: readonly GroupPoints[],
  stepMs: number,
): Map<number, Sample[]> {
  const byTime = new Map<number, Sample[]>();
  for (const { group, labels, points, other } of groups) {
    const usuals = usualsOf(condition, points);
    points.endMs.forEach((atMs, index) => {
      const value = valueAt(condition, points, other, index, stepMs);
      if (value === null) return;
      const samples = byTime.get(atMs) ?? [];
      byTime.set(atMs, samples);
      const evidence = withUsual(condition, evidenceAt(condition, points, index), usuals);
      samples.push({ group, labels, value, evidence, atMs });
    });
  }
  return byTime;
}

function sentenceOf({ sampleCount, firedCount }: Told, days: number): string {
  if (sampleCount === 0) return `Nothing that it could be held against was stored in the last ${days} days.`;
  if (firedCount === 0) return `On the last ${days} days this would not have fired.`;
  const times = firedCount === 1 ? "once" : `${firedCount} times`;
  return `On the last ${days} days this would have fired ${times}.`;
}
