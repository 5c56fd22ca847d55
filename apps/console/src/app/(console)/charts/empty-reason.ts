import type { ChartRange } from "@stashlight/ui/chart";

interface Empty {
  /** End of the newest window of the chart's series; null if there never was one. */
  readonly newestMs: number | null;
  readonly range: ChartRange;
  /** True if the nodes behind the chart reported in the range. */
  readonly isReported: boolean;
  /** True if the user chose the labels, which series may not match. */
  readonly isFiltered: boolean;
}

export type EmptyReason =
  | { readonly kind: "no match" }
  | { readonly kind: "never" }
  | { readonly kind: "text"; readonly sentence: string; readonly newestMs: number };

/** Explains an empty chart without contradicting the time of its newest figure, which ends the sentence. */
export function emptyReason({ newestMs, range, isReported, isFiltered }: Empty): EmptyReason {
  if (newestMs === null) return isFiltered ? { kind: "no match" } : { kind: "never" };
  const isInRange = newestMs > range.fromMs && newestMs <= range.toMs;
  const sentence = isInRange
    ? "Too few measurements in this time range to draw"
    : isReported
      ? "The nodes reported, but there was nothing to measure in this time range"
      : "Nothing was reported in this time range";
  return { kind: "text", sentence, newestMs };
}

/**
 * Time up to which a chart knows that nothing happened; null if it shows something. Its last point ends before the
 * newest window, which a figure beside it may count already, or after it.
 */
export function zeroEndMs(drawnUntilMs: number | undefined, reportedMs: number | null): number | null {
  return drawnUntilMs === undefined ? null : Math.min(drawnUntilMs, reportedMs ?? Number.POSITIVE_INFINITY);
}
