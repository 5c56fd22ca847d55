/**
 * Performance of a volume: its base rate, its burst rate, and the credit bucket. A credit is one I/O of up to 256 KiB
 * on SSD types and one MiB of throughput on HDD types.
 */
import {
  type EbsLimits,
  type EbsMoment,
  type EbsType,
  ebsLimits,
  ebsTypeNames,
  limitsAt,
  type ProvisionedLimits,
  type SizedLimits,
} from "./limits.ts";

export interface EbsVolume {
  readonly type: EbsType;
  readonly sizeGiB: number;
  /** Provisioned for gp3, io1 and io2; null for the others. */
  readonly iops: number | null;
  /** Provisioned for gp3; null for the others. */
  readonly throughputMiBps: number | null;
}

export type VolumeField = "type" | "sizeGiB" | "iops" | "throughputMiBps";

export interface VolumeProblem {
  readonly field: VolumeField;
  readonly message: string;
}

export interface VolumeRates {
  readonly credit: "io" | "MiB";
  /** An I/O of at most this many KiB costs one credit, unless it is merged with others. */
  readonly creditKiB: number;
  /** Rate that is always available, and at which the bucket fills. */
  readonly baseCreditsPerSecond: number;
  /** Rate while credits last; equals the base without a burst. */
  readonly peakCreditsPerSecond: number;
  /** The bucket starts full; 0 without a burst. */
  readonly bucketCredits: number;
  /** AWS does not publish the bucket size of st1 and sc1; it is inferred from published refill times. */
  readonly isBucketInferred: boolean;
  readonly throughputMiBpsMax: number;
}

export type CheckedVolume =
  | { readonly rates: VolumeRates; readonly limits: EbsLimits; readonly problems: readonly [] }
  | { readonly rates: null; readonly limits: EbsLimits | null; readonly problems: readonly VolumeProblem[] };

const SSD_IO_KIB = 256;
const HDD_IO_KIB = 1_024;
const GIB_PER_TIB = 1_024;
const MIB_PER_GIB = 1_024;

const counted = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
export const formatCount = (value: number): string => counted.format(value);

const withArticle = (name: string): string => (name.startsWith("gp") ? `A ${name}` : `An ${name}`);

/** Returns the volume's performance, or a sentence per field that made it impossible in that month. */
export function checkVolume(volume: EbsVolume, moment: EbsMoment): CheckedVolume {
  const name = ebsTypeNames[volume.type];
  const limits = limitsAt(volume.type, moment);
  if (limits === null) {
    const since = ebsLimits[volume.type][0]?.validFrom ?? "";
    const message = `The limits of ${name} are known from ${since} on; choose that month or later, or another type.`;
    return { rates: null, limits, problems: [{ field: "type", message }] };
  }
  const problems = [...sizeProblems(volume, limits, name)];
  if (limits.model === "provisioned") {
    problems.push(...iopsProblems(volume, limits, name), ...throughputProblems(volume, limits, name));
  } else {
    problems.push(...refuseProvisioned(volume, name));
  }
  if (problems.length > 0) return { rates: null, limits, problems };
  return { rates: volumeRates(volume, limits), limits, problems: [] };
}

function sizeProblems({ sizeGiB }: EbsVolume, limits: EbsLimits, name: string): VolumeProblem[] {
  const { sizeGiBMin, sizeGiBMax } = limits;
  if (Number.isInteger(sizeGiB) && sizeGiB >= sizeGiBMin && sizeGiB <= sizeGiBMax) return [];
  const message = `${withArticle(name)} volume has ${formatCount(sizeGiBMin)} to ${formatCount(sizeGiBMax)} GiB, a whole number.`;
  return [{ field: "sizeGiB", message }];
}

function iopsProblems(volume: EbsVolume, limits: ProvisionedLimits, name: string): VolumeProblem[] {
  const { iops, sizeGiB } = volume;
  const { iopsMin, iopsMax, iopsPerGiBMax, iopsOfAnySize } = limits;
  if (iops === null || !Number.isInteger(iops) || iops < iopsMin || iops > iopsMax) {
    const message = `${withArticle(name)} volume has ${formatCount(iopsMin)} to ${formatCount(iopsMax)} provisioned IOPS, a whole number.`;
    return [{ field: "iops", message }];
  }
  const ofThisSize = Math.max(iopsOfAnySize, sizeGiB * iopsPerGiBMax);
  if (!(iops > ofThisSize)) return [];
  const neededGiB = Math.ceil(iops / iopsPerGiBMax);
  const message = `${name} has at most ${formatCount(iopsPerGiBMax)} IOPS per GiB: ${formatCount(sizeGiB)} GiB may have ${formatCount(ofThisSize)}, and ${formatCount(iops)} need ${formatCount(neededGiB)} GiB.`;
  return [{ field: "iops", message }];
}

function throughputProblems(volume: EbsVolume, limits: ProvisionedLimits, name: string): VolumeProblem[] {
  const { throughput } = limits;
  if (throughput.kind === "by-iops") return refuse(volume, "throughputMiBps", name);
  const { includedMiBps, throughputMiBpsMax, mibPerIopsMax } = throughput;
  const chosen = volume.throughputMiBps;
  if (chosen === null || !(chosen >= includedMiBps && chosen <= throughputMiBpsMax)) {
    const message = `${withArticle(name)} volume has ${formatCount(includedMiBps)} to ${formatCount(throughputMiBpsMax)} MiB/s.`;
    return [{ field: "throughputMiBps", message }];
  }
  const allowed = (volume.iops ?? 0) * mibPerIopsMax;
  if (chosen <= allowed) return [];
  const message = `${name} has at most ${mibPerIopsMax} MiB/s per provisioned IOPS: ${formatCount(chosen)} MiB/s need ${formatCount(Math.ceil(chosen / mibPerIopsMax))} IOPS.`;
  return [{ field: "throughputMiBps", message }];
}

const refuseProvisioned = (volume: EbsVolume, name: string): VolumeProblem[] => [
  ...refuse(volume, "iops", name),
  ...refuse(volume, "throughputMiBps", name),
];

function refuse(volume: EbsVolume, field: "iops" | "throughputMiBps", name: string): VolumeProblem[] {
  if (volume[field] === null) return [];
  const what = field === "iops" ? "IOPS follow from its size" : "throughput follows from its size or IOPS";
  return [{ field, message: `The ${name} type does not accept this: its ${what}. Leave it out.` }];
}

function volumeRates(volume: EbsVolume, limits: EbsLimits): VolumeRates {
  if (limits.model === "sized") return sizedRates(volume.sizeGiB, limits);
  if (limits.model === "provisioned") {
    const iops = volume.iops ?? limits.iopsMin;
    return {
      credit: "io",
      creditKiB: SSD_IO_KIB,
      baseCreditsPerSecond: iops,
      peakCreditsPerSecond: iops,
      bucketCredits: 0,
      isBucketInferred: false,
      throughputMiBpsMax: volume.throughputMiBps ?? throughputOfIops(iops, limits),
    };
  }
  const tib = volume.sizeGiB / GIB_PER_TIB;
  const base = Math.min(limits.throughputMiBpsMax, limits.baseMiBpsPerTiB * tib);
  const peak = Math.min(limits.throughputMiBpsMax, limits.burstMiBpsPerTiB * tib);
  return {
    credit: "MiB",
    creditKiB: HDD_IO_KIB,
    baseCreditsPerSecond: base,
    peakCreditsPerSecond: peak,
    bucketCredits: peak > base ? volume.sizeGiB * MIB_PER_GIB : 0,
    isBucketInferred: peak > base,
    throughputMiBpsMax: peak,
  };
}

function sizedRates(sizeGiB: number, limits: SizedLimits): VolumeRates {
  const base = Math.min(limits.iopsMax, Math.max(limits.iopsMin, limits.iopsPerGiB * sizeGiB));
  const hasBurst = base < limits.burstIops;
  return {
    credit: "io",
    creditKiB: SSD_IO_KIB,
    baseCreditsPerSecond: base,
    peakCreditsPerSecond: hasBurst ? limits.burstIops : base,
    bucketCredits: hasBurst ? limits.creditsMax : 0,
    isBucketInferred: false,
    // Between the two sizes the larger figure applies while credits last; without them the base IOPS limit first.
    throughputMiBpsMax: sizeGiB <= limits.smallGiBMax ? limits.smallMiBps : limits.throughputMiBpsMax,
  };
}

/** Throughput included with provisioned IOPS; ignores a provisioned throughput. */
function throughputOfIops(iops: number, { throughput }: ProvisionedLimits): number {
  if (throughput.kind === "chosen") return throughput.includedMiBps;
  const step = throughput.steps.find(({ iopsMax }) => iops <= iopsMax) ?? throughput.steps.at(-1);
  return step === undefined ? 0 : Math.min(step.throughputMiBpsMax, iops * step.mibPerIops);
}

export interface BurstFigures {
  /** Time in which the peak rate empties a full bucket; null without a burst. */
  readonly burstSeconds: number | null;
  /** Time in which an idle volume fills an empty bucket. */
  readonly refillSeconds: number | null;
  /** Throughput without credits, with the largest I/O that costs one credit. */
  readonly emptyMiBps: number;
}

export function burstFigures(rates: VolumeRates): BurstFigures {
  const { bucketCredits, baseCreditsPerSecond, peakCreditsPerSecond, throughputMiBpsMax } = rates;
  const hasBurst = bucketCredits > 0;
  return {
    burstSeconds: hasBurst ? bucketCredits / (peakCreditsPerSecond - baseCreditsPerSecond) : null,
    refillSeconds: hasBurst ? bucketCredits / baseCreditsPerSecond : null,
    emptyMiBps: Math.min(throughputMiBpsMax, (baseCreditsPerSecond * rates.creditKiB) / 1_024),
  };
}
