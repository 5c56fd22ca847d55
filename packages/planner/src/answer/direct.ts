/** Describes the uploads of a mix that are too large for the stash. */

import { formatFigure, formatPlanBytes, formatShare } from "../format-figures.ts";
import { meanOverMix, splitMix } from "../sizing/mix.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";

export interface DirectUploads {
  /** Share of all uploads. */
  readonly share: number;
  /** Today's mean rate. */
  readonly uploadsPerSecond: number;
  readonly meanBytes: number;
  readonly sentence: string;
}

/** Null if every upload goes through the stash. */
export function describeDirect(input: StashPlanInput): DirectUploads | null {
  const { large, smallShare } = splitMix(input);
  if (smallShare === 1) return null;
  const share = 1 - smallShare;
  const uploadsPerSecond = input.uploadsPerSecond * share;
  const sizes = [...new Set(large.filter((each) => each.share > 0).map(({ bytes }) => bytes))];
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)].map(formatPlanBytes);
  const named = smallest === largest ? `those of ${smallest}` : `those of ${smallest} to ${largest}`;
  return {
    share,
    uploadsPerSecond,
    meanBytes: meanOverMix(large, (bytes) => bytes),
    sentence: `${formatShare(share)} of the uploads, ${named}, are above ${formatPlanBytes(input.smallUploadBytesMax)} and bypass the stash: they go straight to the pods, and no drive is planned for their ${formatFigure(uploadsPerSecond)} per second.`,
  };
}
