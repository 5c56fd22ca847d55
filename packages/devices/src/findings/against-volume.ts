/** Compares a check of a drive that is labelled as an EBS volume with the model of that volume. */
import { type EbsType, ebsTypeNames, ebsTypes } from "../ebs/limits.ts";
import { checkVolume } from "../ebs/volume.ts";
import { formatCount, formatShare } from "./format.ts";

export interface LabelledVolume {
  /** Volume type in the probe's label, such as "gp2". */
  readonly volumeType: string | null;
  readonly sizeBytes: number | null;
}

export interface ModelledVolume {
  readonly name: string;
  /** I/Os per second that the model predicts, from a full bucket. */
  readonly iops: readonly number[];
  /** Mean deviation from the model per second, as a share of the mean measured rate. */
  readonly errorShare: number;
  readonly sentence: string;
}

const GIB = 1_073_741_824;
const KIB = 1_024;

/**
 * Returns null if the labels name no volume with a model: no EBS type, or one with a provisioned rate, which no label
 * contains.
 */
export function againstVolume(
  measuredIops: readonly number[],
  blockBytes: number,
  { volumeType, sizeBytes }: LabelledVolume,
  month: string,
): ModelledVolume | null {
  const type = ebsTypes.find((each): each is EbsType => each === volumeType?.toLowerCase());
  const mean = measuredIops.reduce((sum, rate) => sum + rate, 0) / measuredIops.length;
  if (type === undefined || sizeBytes === null || !(mean > 0)) return null;
  const sizeGiB = Math.max(1, Math.round(sizeBytes / GIB));
  const { rates } = checkVolume(
    { type, sizeGiB, iops: null, throughputMiBps: null },
    { month, ignoresFloor: true },
  );
  if (rates === null) return null;
  const creditsPerIo = Math.max(1, Math.ceil(blockBytes / KIB / rates.creditKiB));
  const [peak, base] = [rates.peakCreditsPerSecond, rates.baseCreditsPerSecond].map(
    (credits) => credits / creditsPerIo,
  ) as [number, number];
  let credits = rates.bucketCredits;
  const iops = measuredIops.map(() => {
    const wanted = (peak - base) * creditsPerIo;
    const burstShare = wanted <= 0 ? 1 : Math.min(1, credits / wanted);
    credits = Math.max(0, credits - wanted);
    return burstShare * peak + (1 - burstShare) * base;
  });
  const distance = measuredIops.reduce((sum, rate, at) => sum + Math.abs(rate - (iops[at] as number)), 0);
  const errorShare = distance / measuredIops.length / mean;
  const name = `EBS ${ebsTypeNames[type]} of ${formatCount(sizeGiB)} GiB`;
  const measuredMean = formatCount(mean);
  const modelledMean = formatCount(iops.reduce((sum, rate) => sum + rate, 0) / iops.length);
  const sentence = `Measured against modelled: ${measuredMean} IOPS on average, and ${modelledMean} by the model of an ${name}; single seconds are off by ${formatShare(errorShare)} of the mean.`;
  return { name, iops, errorShare, sentence };
}
