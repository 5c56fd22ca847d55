/**
 * Simulates a scenario of hours within seconds: in full if it is small, otherwise as separate stretches whose
 * measurements are joined. The same options give the same result.
 */

import type { FormulaComparison, ScenarioPoint, ScenarioResult } from "@stashlight/contracts/planner";
import { FALLBACK_REASONS, type FallbackReason } from "@stashlight/contracts/planner/fallback-reasons";
import { highestRate, rateAt, uploadCountBetween } from "./arrivals.ts";
import { driveTimes } from "./drives.ts";
import { FLUSH_AFTER_SECONDS, PURGE_AFTER_SECONDS } from "./fluid.ts";
import { Joiner, joinPoint, usableStashBytes } from "./join.ts";
import { type ScenarioOptions, scenarioShardCount, stashBytesPerUpload } from "./options.ts";
import {
  estimateEventCount,
  fullPlan,
  isRunWhole,
  planStepSeconds,
  stretchPlans,
  wholePlan,
  withoutStashPlan,
} from "./plan.ts";
import { describeRegime, splitRegimes } from "./regimes.ts";
import { runSegment, type SegmentPlan, type SegmentResult } from "./segment.ts";
import { meanOccupancyBytes, pathLatency, sumBins, summariseLag } from "./summarise-bins.ts";

export interface ScenarioProgress {
  /** Progress from 0 to 1, by expected events. */
  readonly share: number;
  readonly eventCount: number;
  readonly uploadCount: number;
}

export interface ScenarioHooks {
  onProgress?(progress: ScenarioProgress): void;
  readonly signal?: { readonly aborted: boolean };
}

/** Throws ScenarioCancelled once the signal is aborted; checks every few thousand events. */
export function simulateScenario(options: ScenarioOptions, hooks: ScenarioHooks = {}): ScenarioResult {
  const runner = new Runner(options, hooks);
  const isWhole = isRunWhole(options);
  const segments: SegmentResult[] = [];
  const joiner = new Joiner(options);
  for (const plan of isWhole ? [wholePlan(options)] : stretchPlans(options)) {
    const segment = runner.run(options, plan);
    segments.push(segment);
    if (!isWhole) joiner.add(segment);
  }
  const fullSecond = isWhole ? null : joiner.firstFullSecond();
  if (fullSecond !== null) {
    const regime = splitRegimes(options).findLast(({ fromSecond }) => fromSecond <= fullSecond);
    if (regime) {
      const segment = runner.run(options, fullPlan(options, fullSecond, regime));
      segments.push(segment);
      joiner.add(segment);
    }
  }
  const points = isWhole ? wholePoints(options, segments[0] as SegmentResult) : joiner.points();
  const timeToFull = isWhole ? exactTimeToFull(segments[0] as SegmentResult) : joiner.timeToFullSecond;
  const without = runner.withoutStash(options);
  return summary(options, { segments, points, timeToFull, without, isWhole, eventCount: runner.eventCount });
}

class Runner {
  readonly #hooks: ScenarioHooks;
  readonly #expectedEvents: number;
  eventCount = 0;
  #uploadCount = 0;

  constructor(options: ScenarioOptions, hooks: ScenarioHooks) {
    this.#hooks = hooks;
    this.#expectedEvents = Math.max(1, estimateEventCount(options) * 1.1);
  }

  run(options: ScenarioOptions, plan: SegmentPlan): SegmentResult {
    const segment = runSegment(options, plan, {
      onEvents: (eventCount, uploadCount) => {
        const events = this.eventCount + eventCount;
        const share = Math.min(0.99, events / this.#expectedEvents);
        this.#hooks.onProgress?.({ share, eventCount: events, uploadCount: this.#uploadCount + uploadCount });
      },
      signal: this.#hooks.signal ?? { aborted: false },
    });
    this.eventCount += segment.eventCount;
    this.#uploadCount += segment.uploadCount;
    return segment;
  }

  /** Runs the same load without faults and without the stash. */
  withoutStash(options: ScenarioOptions): SegmentResult {
    const direct = { ...options, isStashEnabled: false, faults: [] };
    return this.run(direct, withoutStashPlan(direct));
  }
}

function wholePoints(options: ScenarioOptions, { meter }: SegmentResult): ScenarioPoint[] {
  const step = planStepSeconds(options);
  return meter.bins.map((bin, i) => {
    const seconds = Math.min(step, options.durationSeconds - i * step);
    return joinPoint(options, { second: i * step, seconds, basis: "exact" }, [bin]);
  });
}

function exactTimeToFull({ plan, fullAfterSeconds }: SegmentResult): number | null {
  return fullAfterSeconds === null ? null : plan.fromSecond + fullAfterSeconds;
}

interface Parts {
  readonly segments: readonly SegmentResult[];
  readonly points: ScenarioPoint[];
  readonly timeToFull: number | null;
  readonly without: SegmentResult;
  readonly isWhole: boolean;
  readonly eventCount: number;
}

function summary(options: ScenarioOptions, parts: Parts): ScenarioResult {
  const { segments, points, timeToFull, without, isWhole, eventCount } = parts;
  const { seed, durationSeconds, arrivals } = options;
  const bins = segments.flatMap(({ meter }) => meter.bins);
  const basis = isWhole ? "exact" : "joined";
  const [first] = segments;
  const counts = FALLBACK_REASONS.map((reason) => [reason, sumBins(bins, (bin) => bin.fallbacks[reason])]);
  const { stashServers, drivesPerServer, stashBytesPerDrive } = options;
  return {
    seed,
    basis,
    stepSeconds: planStepSeconds(options),
    durationSeconds,
    points,
    stretches: segments.map((segment) => toStretch(options, segment)),
    capacityBytes: stashServers * drivesPerServer * stashBytesPerDrive,
    usableBytes: usableStashBytes(options),
    timeToFull: timeToFull === null ? null : { second: timeToFull, basis },
    uploadCount: {
      expected: Math.round(uploadCountBetween(arrivals, 0, durationSeconds)),
      run: segments.reduce((sum, { uploadCount }) => sum + uploadCount, 0),
    },
    eventCount,
    stash: pathLatency(bins, "stashUs"),
    direct: pathLatency(bins, "directUs"),
    withoutStash: pathLatency(without.meter.bins, "directUs"),
    purgeLag: summariseLag(bins),
    fallbackCounts: Object.fromEntries(counts) as Record<FallbackReason, number>,
    failureCount: sumBins(bins, (bin) => bin.failedCount),
    stashDrive: {
      utilisation: first?.stashCommit.utilisation ?? 0,
      shardsPerCommit: first?.stashCommit.shardsPerCommit ?? 0,
      waitUsMean: first?.stashCommit.waitUsMean ?? 0,
      sampleCount: first?.stashCommit.commitCount ?? 0,
    },
    formula: compareWithFormula(options, segments, points),
  };
}

function toStretch(options: ScenarioOptions, { plan, uploadCount, eventCount }: SegmentResult) {
  const { fromSecond, toSecond, rateScale, isStashFull } = plan;
  const regime = splitRegimes(options).findLast((one) => one.fromSecond <= fromSecond);
  const faults = regime ? describeRegime(regime) : "no fault";
  const stated = isStashFull ? `${faults}, stash full` : faults;
  return { fromSecond, toSecond, faults: stated, uploadCount, eventCount, rateScale };
}

/**
 * Checks Little's law against the first stretch: in a joined scenario residence and level are independent only within
 * stretches.
 */
function compareWithFormula(
  options: ScenarioOptions,
  segments: readonly SegmentResult[],
  points: readonly ScenarioPoint[],
): FormulaComparison {
  const bytes = stashBytesPerUpload(options);
  const shardCount = scenarioShardCount(options);
  const bins = segments[0]?.meter.bins ?? [];
  const lag = summariseLag(bins);
  const measuredSeconds = sumBins(bins, (bin) => bin.measuredUs) / 1e6;
  const rate = sumBins(bins, (bin) => bin.arrivalCount) / Math.max(1, measuredSeconds);
  const simulated = meanOccupancyBytes(bins);
  const byLittle = rate * bytes * (lag?.meanSeconds ?? 0);
  const outages = options.faults.filter((fault) => fault.type === "pod outage");
  const outageSeconds = Math.max(0, ...outages.map((fault) => fault.durationSeconds));
  const awayShare = Math.max(0, ...outages.map((fault) => fault.podCount)) / shardCount;
  const highestBytesPerSecond = highestRate(options.arrivals) * bytes;
  const p99 = lag?.p99Seconds ?? 0;
  const flushedBytes = (rateAt(options.arrivals, 0) * bytes * FLUSH_AFTER_SECONDS) / shardCount;
  const flushSeconds = driveTimes(options.podDrive).syncUs(flushedBytes, 0.5) / 1e6;
  return {
    occupancyBytesByLittle: byLittle,
    occupancyBytesSimulated: simulated,
    differencePercent: byLittle === 0 ? 0 : ((simulated - byLittle) / byLittle) * 100,
    residenceSecondsByFormula: FLUSH_AFTER_SECONDS / 2 + flushSeconds + PURGE_AFTER_SECONDS,
    residenceSecondsSimulated: lag?.meanSeconds ?? null,
    requiredBytesByFormula: highestBytesPerSecond * Math.max(p99, outageSeconds),
    requiredBytesOfAwayPods: highestBytesPerSecond * (p99 * (1 - awayShare) + outageSeconds * awayShare),
    highestBytesSimulated: points.reduce((most, point) => Math.max(most, point.occupancyBytesMax), 0),
  };
}
