/**
 * Plans which stretches of a scenario are run in full: all of it if it has few uploads; otherwise one at the beginning,
 * one around each change of faults, and some between where the rate changes.
 */
import { highestRate, rateAt, uploadCountBetween } from "./arrivals.ts";
import type { ScenarioOptions } from "./options.ts";
import { type Regime, splitRegimes } from "./regimes.ts";
import type { SegmentPlan } from "./segment.ts";

/** Covers at least two flushes of the pods; longer where uploads are few. */
const STRETCH_SECONDS = 10;
const STRETCH_SECONDS_MAX = 60;
/** Uploads up to which a stretch of minimum length runs at the full rate. */
const STRETCH_UPLOAD_COUNT = 20_000;
/** An upload without a quorum fails after 18 s. */
const FAILING_STRETCH_SECONDS = 30;
const LEAD_SECONDS = 6;
/** Lower, because the search for the outcome of an upload without a quorum asks every node twice per second. */
const FAILING_UPLOAD_COUNT = 400;
const BETWEEN_COUNT_MAX = 8;
const POINT_COUNT_MAX = 720;
/** Measured number of messages, timers and syncs of one upload. */
const EVENTS_PER_UPLOAD = 145;
const EVENTS_PER_FAILING_UPLOAD = 3000;

export function planStepSeconds({ durationSeconds }: ScenarioOptions): number {
  return Math.max(1, Math.ceil(durationSeconds / POINT_COUNT_MAX));
}

/** Returns true if uploads cannot be acknowledged: a quorum tolerates the absence of only one pod. */
function isFailing({ awayPodCount }: Regime): boolean {
  return awayPodCount >= 2;
}

export function isRunWhole(options: ScenarioOptions): boolean {
  const { arrivals, exactUploadCountMax } = options;
  let cost = 0;
  for (const regime of splitRegimes(options)) {
    const count = uploadCountBetween(arrivals, regime.fromSecond, regime.toSecond);
    cost += isFailing(regime) ? (count * EVENTS_PER_FAILING_UPLOAD) / EVENTS_PER_UPLOAD : count;
  }
  return cost <= exactUploadCountMax;
}

export function wholePlan(options: ScenarioOptions): SegmentPlan {
  return {
    fromSecond: 0,
    toSecond: options.durationSeconds,
    leadSeconds: 0,
    binSeconds: planStepSeconds(options),
    rateScale: 1,
    isStashFull: false,
  };
}

export function stretchPlans(options: ScenarioOptions): SegmentPlan[] {
  const regimes = splitRegimes(options);
  const shareOfBudget = options.exactUploadCountMax / (regimes.length + 1);
  const plans = regimes.map((regime, i) => {
    const before = regimes[i - 1];
    const canFail = isFailing(regime) || (before !== undefined && isFailing(before));
    const leadSeconds = before === undefined ? 0 : LEAD_SECONDS;
    const affordedSeconds = Math.floor(shareOfBudget / highestRate(options.arrivals)) - leadSeconds;
    const usualSeconds = Math.min(STRETCH_SECONDS_MAX, Math.max(STRETCH_SECONDS, affordedSeconds));
    const seconds = canFail ? FAILING_STRETCH_SECONDS : usualSeconds;
    const toSecond = Math.min(regime.toSecond, regime.fromSecond + seconds);
    const uploadCountMax = canFail ? FAILING_UPLOAD_COUNT : Math.max(shareOfBudget, STRETCH_UPLOAD_COUNT);
    return stretch(options, { fromSecond: regime.fromSecond, toSecond, leadSeconds, uploadCountMax });
  });
  return [...plans, ...plansBetween(options, regimes, shareOfBudget)].sort(
    (a, b) => a.fromSecond - b.fromSecond,
  );
}

/** Plans stretches at moments whose rate differs from that of the surrounding stretches. */
function plansBetween(
  options: ScenarioOptions,
  regimes: readonly Regime[],
  uploadCountMax: number,
): SegmentPlan[] {
  const { arrivals, durationSeconds } = options;
  if (arrivals.type === "steady") return [];
  const gap = durationSeconds / (BETWEEN_COUNT_MAX + 1);
  const seconds = Array.from({ length: BETWEEN_COUNT_MAX }, (_, i) => Math.floor((i + 1) * gap));
  return seconds.flatMap((fromSecond) => {
    const regime = regimes.find(
      (one) => one.fromSecond + STRETCH_SECONDS < fromSecond && fromSecond < one.toSecond,
    );
    if (regime === undefined || isFailing(regime)) return [];
    const toSecond = Math.min(regime.toSecond, fromSecond + STRETCH_SECONDS);
    const most = uploadCountMax / BETWEEN_COUNT_MAX;
    return [stretch(options, { fromSecond, toSecond, leadSeconds: 0, uploadCountMax: most })];
  });
}

/** Plans a stretch in which every stash drive is full from the start. */
export function fullPlan(options: ScenarioOptions, second: number, regime: Regime): SegmentPlan {
  const fromSecond = Math.floor(second);
  const toSecond = Math.min(regime.toSecond, fromSecond + STRETCH_SECONDS);
  const uploadCountMax = isFailing(regime)
    ? FAILING_UPLOAD_COUNT
    : options.exactUploadCountMax / (splitRegimes(options).length + 1);
  const plan = stretch(options, { fromSecond, toSecond, leadSeconds: 0, uploadCountMax });
  return { ...plan, isStashFull: true };
}

/** Plans a stretch at the scenario's start, of about 1,500 uploads and at most 3,000. */
export function withoutStashPlan(options: ScenarioOptions): SegmentPlan {
  const seconds = Math.max(2, Math.ceil(1500 / Math.max(1e-9, rateAt(options.arrivals, 0))));
  const toSecond = Math.min(options.durationSeconds, seconds);
  return stretch(options, { fromSecond: 0, toSecond, leadSeconds: 0, uploadCountMax: 3000 });
}

interface Stretch {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly leadSeconds: number;
  readonly uploadCountMax: number;
}

function stretch(options: ScenarioOptions, { uploadCountMax, ...span }: Stretch): SegmentPlan {
  const count = uploadCountBetween(options.arrivals, span.fromSecond - span.leadSeconds, span.toSecond);
  const rateScale = Math.min(1, uploadCountMax / Math.max(1, count));
  return { ...span, binSeconds: 1, rateScale, isStashFull: false };
}

/** Expected machine steps of a scenario, to be compared with a cost limit. */
export function estimateEventCount(options: ScenarioOptions): number {
  const plans = isRunWhole(options) ? [wholePlan(options)] : stretchPlans(options);
  const regimes = splitRegimes(options);
  let eventCount = 0;
  for (const plan of plans) {
    for (const regime of regimes) {
      const from = Math.max(plan.fromSecond - plan.leadSeconds, regime.fromSecond);
      const count = uploadCountBetween(options.arrivals, from, Math.min(plan.toSecond, regime.toSecond));
      const each = isFailing(regime) ? EVENTS_PER_FAILING_UPLOAD : EVENTS_PER_UPLOAD;
      if (from < Math.min(plan.toSecond, regime.toSecond)) eventCount += count * each * plan.rateScale;
    }
  }
  return Math.round(eventCount);
}
