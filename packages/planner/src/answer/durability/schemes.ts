/** Durability of the same drives and rebuilds with other schemes, and with drives of other sizes. */
import { markovAnnualLoss, windowAnnualLoss } from "@stashlight/durability";
import type { StashPlanInput } from "../../sizing/plan-types.ts";
import { annualLoss, driveGroup, rebuildDays, toNines } from "./loss.ts";

export interface SchemeDurability {
  readonly dataShards: number;
  readonly parityShards: number;
  /** Bytes on drives per byte of an object. */
  readonly rawRatio: number;
  /** Bytes read from other drives to rebuild one byte. */
  readonly repairReadRatio: number;
  /** Number of shards that an upload writes to pods. */
  readonly writeFanOut: number;
  readonly windowNines: number;
  readonly chainNines: number;
  readonly allNines: number;
  readonly isPlanned: boolean;
  /** Nines from all causes, by the size of the HDDs. */
  readonly bySize: readonly NinesAtSize[];
}

export interface NinesAtSize {
  readonly sizeBytes: number;
  readonly nines: number;
}

const COMPARED = [
  [17, 3],
  [16, 4],
  [15, 5],
] as const;
const SIZES_TB = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48];
const TB = 1e12;
/** Limit on rebuild time: larger drives would exceed what the models cover. */
const CURVE_DAYS_MAX = 3650;

/** Compares 17+3, 16+4, 15+5, and the plan's scheme if it is another one. */
export function compareSchemes(input: StashPlanInput): SchemeDurability[] {
  const { dataShards, parityShards } = input;
  const isCompared = COMPARED.some(([k, m]) => k === dataShards && m === parityShards);
  const schemes = isCompared ? COMPARED : [[dataShards, parityShards] as const, ...COMPARED];
  return schemes.map(([k, m]) => judgeScheme({ ...input, dataShards: k, parityShards: m }, input));
}

function judgeScheme(input: StashPlanInput, planned: StashPlanInput): SchemeDurability {
  const { dataShards, parityShards } = input;
  const independent = driveGroup(input, false);
  const n = dataShards + parityShards;
  const sizes = SIZES_TB.map((size) => size * TB).filter(
    (hddBytes) => rebuildDays({ ...input, hddBytes }) <= CURVE_DAYS_MAX,
  );
  return {
    dataShards,
    parityShards,
    rawRatio: n / dataShards,
    repairReadRatio: dataShards,
    writeFanOut: n,
    windowNines: toNines(windowAnnualLoss(independent)),
    chainNines: toNines(markovAnnualLoss(independent)),
    allNines: toNines(annualLoss(input)),
    isPlanned: dataShards === planned.dataShards && parityShards === planned.parityShards,
    bySize: sizes.map((hddBytes) => ({
      sizeBytes: hddBytes,
      nines: toNines(annualLoss({ ...input, hddBytes })),
    })),
  };
}
