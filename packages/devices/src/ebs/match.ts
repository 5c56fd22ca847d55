import { type EbsType, ebsLimits, ebsTypes } from "./limits.ts";
import { checkVolume } from "./volume.ts";

/** Token bucket inferred from a volume's behaviour. */
export interface FoundBucket {
  /** Unit of a token: an I/O on SSD types, a MiB on HDD types. */
  readonly credit: "io" | "MiB";
  readonly burstPerSecond: number;
  readonly basePerSecond: number;
  readonly tokens: number;
}

export interface MatchedVolume {
  readonly type: EbsType;
  readonly sizeGiB: number;
  /** Largest relative deviation of a figure from the model's. */
  readonly deviation: number;
}

const DEVIATION_MAX = 0.1;

/**
 * Returns the volume whose burst, base and bucket were closest to these in that month; null if none was within a tenth.
 */
export function matchVolume(found: FoundBucket, month: string): MatchedVolume | null {
  let best: MatchedVolume | null = null;
  for (const type of ebsTypes) {
    const sizeGiBMax = Math.max(...ebsLimits[type].map((limits) => limits.sizeGiBMax));
    for (let sizeGiB = 1; sizeGiB <= sizeGiBMax; sizeGiB += 1) {
      const volume = { type, sizeGiB, iops: null, throughputMiBps: null };
      const { rates } = checkVolume(volume, { month, ignoresFloor: false });
      if (rates === null || rates.bucketCredits === 0) continue;
      // Larger volumes have a higher base, so none of them can match better.
      const isTooFast = rates.baseCreditsPerSecond > found.basePerSecond * (1 + DEVIATION_MAX);
      if (rates.credit !== found.credit || isTooFast) break;
      const deviation = Math.max(
        Math.abs(found.burstPerSecond / rates.peakCreditsPerSecond - 1),
        Math.abs(found.basePerSecond / rates.baseCreditsPerSecond - 1),
        Math.abs(found.tokens / rates.bucketCredits - 1),
      );
      if (deviation <= DEVIATION_MAX && (best === null || deviation < best.deviation)) {
        best = { type, sizeGiB, deviation };
      }
    }
  }
  return best;
}
