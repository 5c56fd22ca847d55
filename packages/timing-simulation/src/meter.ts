/** Measurements of a run, per bin of scenario time. Latencies count towards the bin in which their upload arrived. */
import type { FallbackReason } from "@stashlight/contracts/planner/fallback-reasons";
import { nearestRank } from "@stashlight/stats/rank";

/** Classes of purge lags are 4 % wide and start at a millisecond. */
const LAG_RATIO = 1.04;
const LAG_CLASS_COUNT = 512;

export interface Bin {
  arrivalCount: number;
  /** Integral of the bytes on the stash over the measured part of the bin. */
  occupancyByteUs: number;
  measuredUs: number;
  occupancyBytesMax: number;
  readonly stashUs: number[];
  readonly directUs: number[];
  readonly fallbacks: Record<FallbackReason, number>;
  failedCount: number;
  readonly lagCounts: Uint32Array;
  lagCount: number;
  lagUsSum: number;
}

export class Meter {
  readonly bins: readonly Bin[];
  readonly #fromUs: number;
  readonly #binUs: number;
  /** Bytes on the stash per pod. */
  readonly heldBytes: Float64Array;
  /** Copies of `heldBytes` at the end of each bin. */
  readonly heldAt: Float64Array[] = [];
  occupancyBytes = 0;
  #lastUs = 0;

  constructor(fromUs: number, binSeconds: number, binCount: number, podCount: number) {
    this.#fromUs = fromUs;
    this.#binUs = binSeconds * 1e6;
    this.bins = Array.from({ length: binCount }, createBin);
    this.heldBytes = new Float64Array(podCount);
    this.#lastUs = fromUs;
  }

  binAt(nowUs: number): Bin | undefined {
    return this.bins[Math.floor((nowUs - this.#fromUs) / this.#binUs)];
  }

  /** Changes the level of the stash at this moment. */
  changeOccupancy(nowUs: number, podIndex: number, bytes: number): void {
    this.passTo(nowUs);
    this.occupancyBytes += bytes;
    this.heldBytes[podIndex] = (this.heldBytes[podIndex] as number) + bytes;
    const bin = this.binAt(nowUs);
    if (bin && this.occupancyBytes > bin.occupancyBytesMax) bin.occupancyBytesMax = this.occupancyBytes;
  }

  /** Advances to this moment; the level was constant until then. */
  passTo(nowUs: number): void {
    while (this.#lastUs < nowUs) {
      const index = Math.floor((this.#lastUs - this.#fromUs) / this.#binUs);
      const endUs = this.#fromUs + (index + 1) * this.#binUs;
      const untilUs = Math.min(nowUs, endUs);
      const bin = this.bins[index];
      if (bin) {
        bin.occupancyByteUs += this.occupancyBytes * (untilUs - this.#lastUs);
        bin.measuredUs += untilUs - this.#lastUs;
        bin.occupancyBytesMax = Math.max(bin.occupancyBytesMax, this.occupancyBytes);
        if (untilUs === endUs) this.heldAt[index] = this.heldBytes.slice();
      }
      this.#lastUs = untilUs;
    }
  }

  purged(nowUs: number, lagUs: number): void {
    const bin = this.binAt(nowUs);
    if (!bin) return;
    const lagClass = lagClassIndex(lagUs);
    bin.lagCounts[lagClass] = (bin.lagCounts[lagClass] as number) + 1;
    bin.lagCount += 1;
    bin.lagUsSum += lagUs;
  }
}

function createBin(): Bin {
  return {
    arrivalCount: 0,
    occupancyByteUs: 0,
    measuredUs: 0,
    occupancyBytesMax: 0,
    stashUs: [],
    directUs: [],
    fallbacks: { "stash full": 0, "too few stash drives": 0, "stash too slow": 0 },
    failedCount: 0,
    lagCounts: new Uint32Array(LAG_CLASS_COUNT),
    lagCount: 0,
    lagUsSum: 0,
  };
}

function lagClassIndex(lagUs: number): number {
  const lagClass = Math.floor(Math.log(Math.max(1, lagUs / 1000)) / Math.log(LAG_RATIO));
  return Math.min(LAG_CLASS_COUNT - 1, lagClass);
}

/** Returns the middle of the class that contains the quantile; null without samples. */
export function lagQuantileSeconds(counts: Uint32Array, perMillion: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = nearestRank(total, perMillion);
  const lagClass = counts.findIndex((count) => {
    left -= count;
    return left <= 0;
  });
  return (LAG_RATIO ** (lagClass + 0.5) * 1000) / 1e6;
}
