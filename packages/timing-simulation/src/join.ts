/** Joins the stretches of a scenario that were run: bins within a stretch are exact, the others interpolated. */

import type { Basis, ScenarioPoint } from "@stashlight/contracts/planner";
import { FALLBACK_REASONS } from "@stashlight/contracts/planner/fallback-reasons";
import { rateAt } from "./arrivals.ts";
import { driveTimes } from "./drives.ts";
import { Fluid, rebuildPullRate } from "./fluid.ts";
import type { Bin } from "./meter.ts";
import { type ScenarioOptions, scenarioShardCount, stashBytesPerUpload } from "./options.ts";
import { planStepSeconds } from "./plan.ts";
import { type Regime, splitRegimes } from "./regimes.ts";
import type { SegmentResult } from "./segment.ts";
import {
  highestOccupancyBytes,
  meanOccupancyBytes,
  pathLatency,
  sumBins,
  summariseLag,
} from "./summarise-bins.ts";

export function usableStashBytes(options: ScenarioOptions): number {
  const { stashServers, drivesPerServer, stashBytesPerDrive, fullShare } = options;
  return stashServers * drivesPerServer * stashBytesPerDrive * fullShare;
}

/** Combines the bins of one step into one point. */
export function joinPoint(
  options: ScenarioOptions,
  { second, seconds, basis }: { second: number; seconds: number; basis: Basis },
  bins: readonly Bin[],
): ScenarioPoint {
  const reasons = FALLBACK_REASONS.map((reason) => {
    return { reason, count: sumBins(bins, (bin) => bin.fallbacks[reason]) };
  });
  const fallbackCount = reasons.reduce((sum, { count }) => sum + count, 0);
  const most = reasons.reduce((a, b) => (b.count > a.count ? b : a));
  return {
    second,
    basis,
    uploadsPerSecond:
      basis === "exact"
        ? sumBins(bins, (bin) => bin.arrivalCount) / seconds
        : rateAt(options.arrivals, second + seconds / 2),
    occupancyBytes: meanOccupancyBytes(bins),
    occupancyBytesMax: highestOccupancyBytes(bins),
    stash: pathLatency(bins, "stashUs"),
    direct: pathLatency(bins, "directUs"),
    purgeLag: summariseLag(bins),
    fallbacksPerSecond: fallbackCount / seconds,
    fallbackReason: fallbackCount > 0 ? most.reason : null,
    failuresPerSecond: sumBins(bins, (bin) => bin.failedCount) / seconds,
  };
}

/** A stretch, and its figures for the bin that it represents. */
interface Stand {
  readonly segment: SegmentResult;
  readonly point: ScenarioPoint;
  readonly residenceSeconds: number;
  /** Ratio of the stash's highest level to its mean, once pods flush as fast as shards arrive. */
  readonly peakShare: number;
  readonly heldBytesPerUpload: number;
  readonly arrivalsPerSecond: number;
}

export class Joiner {
  readonly #options: ScenarioOptions;
  readonly #regimes: readonly Regime[];
  readonly #stands: Stand[] = [];
  readonly #usableBytes: number;
  timeToFullSecond: number | null = null;

  constructor(options: ScenarioOptions) {
    this.#options = options;
    this.#regimes = splitRegimes(options);
    this.#usableBytes = usableStashBytes(options);
  }

  add(segment: SegmentResult): void {
    const { plan, meter } = segment;
    const { bins } = meter;
    const seconds = plan.toSecond - plan.fromSecond;
    const point = joinPoint(this.#options, { second: plan.fromSecond, seconds, basis: "joined" }, bins);
    const arrivalCount = sumBins(bins, (bin) => bin.arrivalCount);
    const stand = {
      segment,
      point,
      residenceSeconds: summariseLag(bins)?.meanSeconds ?? 0,
      peakShare: peakToMean(bins.slice(Math.floor(bins.length / 2))),
      heldBytesPerUpload: this.#heldBytesPerUpload(segment),
      arrivalsPerSecond: arrivalCount / seconds,
    };
    this.#stands.push(stand);
  }

  #regimeAt(second: number): Regime {
    return this.#regimes.findLast(({ fromSecond }) => fromSecond <= second) as Regime;
  }

  /** Growth for absent pods, per upload that arrived during their absence. */
  #heldBytesPerUpload({ plan, meter }: SegmentResult): number {
    const { awayPodCount } = this.#regimeAt(plan.fromSecond);
    const last = meter.heldAt.length - 1;
    const first = Math.min(1, last);
    if (awayPodCount === 0 || last <= first) return 0;
    const heldAt = (index: number) =>
      meter.heldAt[index]?.slice(0, awayPodCount).reduce((sum, bytes) => sum + bytes, 0) ?? 0;
    const uploadCount = sumBins(meter.bins.slice(first + 1, last + 1), (bin) => bin.arrivalCount);
    return uploadCount === 0 ? 0 : Math.max(0, heldAt(last) - heldAt(first)) / uploadCount;
  }

  /** Finds the stretch with the same faults and the nearest rate; the latest one of several. */
  #standFor(second: number, isFull: boolean): Stand {
    const regime = this.#regimeAt(second);
    const rate = rateAt(this.#options.arrivals, second);
    const under = (one: Stand) => {
      const own = this.#regimeAt(one.segment.plan.fromSecond);
      return own.awayPodCount === regime.awayPodCount && sameFaults(own, regime);
    };
    const fitting = this.#stands.filter((one) => under(one) && one.segment.plan.isStashFull === isFull);
    const candidates = fitting.length > 0 ? fitting : this.#stands.filter(under);
    const distance = ({ segment }: Stand) =>
      Math.abs(rateAt(this.#options.arrivals, segment.plan.fromSecond) - rate);
    return candidates.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  }

  /** Returns the first second in which the fluid model alone fills the stash; null if there is none. */
  firstFullSecond(): number | null {
    const full = this.#levels().find(({ isFull }) => isFull);
    return full?.second ?? null;
  }

  points(): ScenarioPoint[] {
    const step = planStepSeconds(this.#options);
    const levels = this.#levels();
    this.timeToFullSecond = levels.find(({ isFull }) => isFull)?.second ?? null;
    const count = Math.ceil(this.#options.durationSeconds / step);
    return Array.from({ length: count }, (_, i) => {
      const second = i * step;
      const exact = this.#exactBins(second, step);
      if (exact !== null) {
        const point = joinPoint(this.#options, { second, seconds: step, basis: "exact" }, exact);
        return this.#withHeld(point, levels, step);
      }
      return this.#joinedPoint(second, step, levels);
    });
  }

  /** A stretch begins with an empty stash, so the backlog of earlier faults comes from the fluid model. */
  #withHeld(point: ScenarioPoint, levels: readonly Level[], step: number): ScenarioPoint {
    const held = levels.find(({ second }) => second >= point.second);
    if (held === undefined || held.heldBytes === 0) return point;
    const own = levelsIn(levels, point.second, step);
    const occupancyBytes = own.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, own.length);
    const highest = own.reduce((most, { bytesMax }) => Math.max(most, bytesMax), 0);
    return { ...point, basis: "joined", occupancyBytes, occupancyBytesMax: highest };
  }

  #joinedPoint(second: number, step: number, levels: readonly Level[]): ScenarioPoint {
    const own = levelsIn(levels, second, step);
    const isFull = own.some((level) => level.isFull);
    const stand = this.#standFor(second, isFull);
    const rate = rateAt(this.#options.arrivals, second + step / 2);
    const scale = stand.arrivalsPerSecond === 0 ? 0 : rate / stand.arrivalsPerSecond;
    return {
      ...stand.point,
      second,
      uploadsPerSecond: rate,
      occupancyBytes: own.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, own.length),
      occupancyBytesMax: own.reduce((most, { bytesMax }) => Math.max(most, bytesMax), 0),
      fallbacksPerSecond: stand.point.fallbacksPerSecond * scale,
      failuresPerSecond: stand.point.failuresPerSecond * scale,
    };
  }

  /** Returns the bins of a step if every second of it was run at the scenario's rate; otherwise null. */
  #exactBins(second: number, step: number): Bin[] | null {
    for (const { segment } of this.#stands) {
      const { fromSecond, toSecond, rateScale, isStashFull } = segment.plan;
      if (rateScale < 1 || isStashFull || second < fromSecond || second + step > toSecond) continue;
      const from = second - fromSecond;
      if (Number.isInteger(from)) return segment.meter.bins.slice(from, from + step);
    }
    return null;
  }

  #levels(): Level[] {
    const options = this.#options;
    const bytesPerUpload = stashBytesPerUpload(options);
    const recordBytes = bytesPerUpload / scenarioShardCount(options);
    const podTimes = driveTimes(options.podDrive);
    const replay = this.#stands.find(({ segment }) => segment.replay !== null)?.segment.replay ?? null;
    const fluid = new Fluid({
      usableBytes: this.#usableBytes,
      podTimes,
      pullBytesPerSecond: rebuildPullRate(replay, recordBytes, podTimes),
    });
    const levels: Level[] = [];
    const seconds = Math.max(0.1, options.durationSeconds / 36_000);
    for (let second = 0; second < options.durationSeconds; second += seconds) {
      const stand = this.#standFor(second, fluid.isFull);
      const { awayPodCount } = this.#regimeAt(second);
      const rate = rateAt(options.arrivals, second);
      const present = 1 - awayPodCount / scenarioShardCount(options);
      const presentBytesPerSecond = options.isStashEnabled ? rate * bytesPerUpload * present : 0;
      const steadyBytes = presentBytesPerSecond * stand.residenceSeconds;
      const bytes = fluid.pass(second, seconds, {
        steadyBytes,
        heldBytesPerSecond: rate * stand.heldBytesPerUpload,
        awayPodCount,
      });
      const highest = fluid.heldBytes + steadyBytes * stand.peakShare;
      const bytesMax = Math.max(bytes, Math.min(this.#usableBytes, highest));
      levels.push({ second, bytes, bytesMax, heldBytes: fluid.heldBytes, isFull: fluid.isFull });
    }
    return levels;
  }
}

function peakToMean(bins: readonly Bin[]): number {
  const mean = meanOccupancyBytes(bins);
  return mean === 0 ? 1 : highestOccupancyBytes(bins) / mean;
}

interface Level {
  readonly second: number;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly heldBytes: number;
  readonly isFull: boolean;
}

function levelsIn(levels: readonly Level[], second: number, step: number): Level[] {
  return levels.filter((level) => level.second >= second && level.second < second + step);
}

function sameFaults(a: Regime, b: Regime): boolean {
  return a.deadServerCount === b.deadServerCount && JSON.stringify(a.slow) === JSON.stringify(b.slow);
}
