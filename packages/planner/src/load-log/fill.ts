/** What a load puts into a plan, figure by figure. */
import type { StashPlanInput } from "../sizing/types.ts";
import type { ImportedLoad } from "./summary.ts";

export const loadParts = ["objects", "uploadsPerSecond", "peakFactor"] as const;
export type LoadPart = (typeof loadParts)[number];

export type LoadFill = Partial<Pick<StashPlanInput, LoadPart>>;

/** Three digits: more would say that a log is as sure as a datasheet. */
const rounded = (value: number): number => Number(value.toPrecision(3));
const SHARE_DIGITS = 4;

/** Only what the load has. */
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

/** The figures of these parts; sizes come with the limit by which they were told apart. */
export function takeLoad(load: ImportedLoad, taken: readonly LoadPart[]): Partial<StashPlanInput> {
  const filled = fillFromLoad(load);
  const parts = Object.fromEntries(taken.map((part) => [part, filled[part]]));
  return taken.includes("objects") ? { ...parts, smallUploadBytesMax: load.smallBytesMax } : parts;
}

/** Whether a figure is taken unless somebody says otherwise: the rate of a listing is a lower bound. */
export const isSure = (load: ImportedLoad, part: LoadPart): boolean => part === "objects" || !load.isListing;
