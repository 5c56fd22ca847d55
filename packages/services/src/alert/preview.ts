/** Previews a rule with the evaluation that workers run, over stored points of the last two weeks. */

import type { AlertPreview, AlertPreviewInput } from "@stashlight/contracts/alert";
import { DAY_MS } from "@stashlight/contracts/time";
import { requireRole, type Verb } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { planRange } from "../metrics/query/plan.ts";
import { mostTelling, replay } from "./replay.ts";
import { readGroupPoints } from "./sample.ts";
import { readUsualColumns } from "./usual-values.ts";

const rangeMs = 14 * DAY_MS;
/** One point per ten minutes, the resolution that the store has for two weeks. */
const pointCountMax = 2_016;
const episodeCountMax = 20;
/** Limited because more values would make a preview too slow. */
const valueCountMax = 2_000_000;
/** One forecast per hour: it reads all points before it, and takes a thousand times as long as another value. */
const forecastPointCountMax = 336;
const forecastCountMax = 10 * forecastPointCountMax;

export async function previewAlertRule({
  ctx,
  input,
}: Verb<AlertPreviewInput, WithMerger>): Promise<AlertPreview> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const nowMs = platform.now().getTime();
  const isForecast = input.condition.kind === "time-to-full";
  const plan = planRange({
    fromMs: nowMs - rangeMs,
    toMs: nowMs,
    nowMs,
    pointCountMax: isForecast ? forecastPointCountMax : pointCountMax,
    windowMs: 0,
    rowsPerWindow: 1,
  });
  const groups = await readGroupPoints(platform, input.query, input.condition, plan);
  const kept = groups.slice(
    0,
    Math.max(1, Math.floor((isForecast ? forecastCountMax : valueCountMax) / plan.pointCount)),
  );
  const { sampleCount, evaluated } = replay(input, kept, plan, ({ points }) =>
    readUsualColumns(input.condition, points),
  );
  const episodes = evaluated
    .flatMap(({ labels, spans }) =>
      spans.flatMap(({ status, ...span }) => (status === "firing" ? [{ labels, ...span }] : [])),
    )
    .sort((a, b) => a.startMs - b.startMs);
  return {
    fromMs: plan.startMs,
    toMs: plan.endMs,
    stepMs: plan.stepMs,
    groupCount: kept.length,
    sampleCount,
    firedCount: episodes.length,
    episodes: episodes.slice(-episodeCountMax).toReversed(),
    groups: mostTelling(input.condition, evaluated),
    sentence: describePreview(sampleCount, episodes.length, rangeMs / DAY_MS),
  };
}

function describePreview(sampleCount: number, firedCount: number, days: number): string {
  if (sampleCount === 0) return `No values for this rule were stored in the last ${days} days.`;
  if (firedCount === 0) return `In the last ${days} days this rule would not have fired.`;
  const times = firedCount === 1 ? "once" : `${firedCount} times`;
  return `In the last ${days} days this rule would have fired ${times}.`;
}
