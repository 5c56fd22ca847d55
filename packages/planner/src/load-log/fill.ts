/** Figures that a load contributes to a plan. */
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { ImportedLoad } from "./summary.ts";

export const loadParts = ["objects", "uploadsPerSecond", "peakFactor"] as const;
export type LoadPart = (typeof loadParts)[number];

export type LoadFill = Partial<Pick<StashPlanInput, LoadPart>>;

/** Rounds to three digits: more would make a log look as exact as a datasheet. */
const rounded = (value: number): number => Number(value.toPrecision(3));
const SHARE_DIGITS = 4;

/** Returns only figures that the load has. */
export function fillFromLoad(load: ImportedLoad): LoadFill {
  const { sizes, uploadsPerSecond, peakFactor } = load;
  return {
    ...(sizes.length === 0
      ? {}
      : {
          objects: sizes.map(({ bytes, share }) => ({
            bytes,
            share: Number(share.toPrecision(SHARE_DIGITS)),
          })),
        }),
    ...(uploadsPerSecond.value === null ? {} : { uploadsPerSecond: rounded(uploadsPerSecond.value) }),
    ...(peakFactor.value === null ? {} : { peakFactor: Math.max(1, rounded(peakFactor.value)) }),
  };
}

/** Returns the figures of these parts; sizes include the limit that separated them. */
export function takeLoad(load: ImportedLoad, taken: readonly LoadPart[]): Partial<StashPlanInput> {
  const filled = fillFromLoad(load);
  const parts = Object.fromEntries(taken.map((part) => [part, filled[part]]));
  return taken.includes("objects") ? { ...parts, smallUploadBytesMax: load.smallBytesMax } : parts;
}

/**
 * Returns true for figures that are used by default; the rate of a listing is not, because it is only a lower bound.
 */
export const isSure = (load: ImportedLoad, part: LoadPart): boolean => part === "objects" || !load.isListing;
