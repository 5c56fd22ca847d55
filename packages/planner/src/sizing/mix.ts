/** Splits a mix of sizes at the largest upload that goes through the stash. */
import type { ObjectClass, StashPlanInput } from "./plan-types.ts";

export interface SplitMix {
  readonly small: readonly ObjectClass[];
  readonly large: readonly ObjectClass[];
  /** Share of all uploads that goes through the stash. */
  readonly smallShare: number;
}

type Mix = Pick<StashPlanInput, "objects" | "smallUploadBytesMax">;

export function splitMix({ objects, smallUploadBytesMax }: Mix): SplitMix {
  const small = objects.filter(({ bytes }) => bytes <= smallUploadBytesMax);
  const large = objects.filter(({ bytes }) => bytes > smallUploadBytesMax);
  const sum = (classes: readonly ObjectClass[]): number =>
    classes.reduce((total, { share }) => total + share, 0);
  return { small, large, smallShare: large.length === 0 ? 1 : sum(small) / (sum(small) + sum(large)) };
}

/** Mean over a mix, weighted by shares. */
export function meanOverMix(mix: readonly ObjectClass[], measure: (bytes: number) => number): number {
  let sum = 0;
  let weight = 0;
  for (const { bytes, share } of mix) {
    sum += share * measure(bytes);
    weight += share;
  }
  return sum / weight;
}
