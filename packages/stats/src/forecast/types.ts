/** The answer of a forecast, and the points that it is made of. */

export interface HistoryPoint {
  /** The end of the window that the value is of. */
  readonly atMs: number;
  /** The lowest of the window where that is known, because a peak in it was gone at its end. */
  readonly value: number;
  /** The highest, where it is known. */
  readonly peak?: number;
}

/** An estimate with its 95 % interval. */
export interface Estimate95 {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export type NoForecastReason =
  | { readonly kind: "no-capacity" }
  | { readonly kind: "no-history" }
  | { readonly kind: "stale"; readonly ageMs: number }
  /** `isChange`: the level changed at once, and only what came after it counts. */
  | {
      readonly kind: "short-history";
      readonly spanMs: number;
      readonly neededMs: number;
      readonly isChange: boolean;
    }
  | { readonly kind: "small-share"; readonly share: number; readonly neededShare: number }
  /** It shrinks, stays level, or grows by less than chance may have made of it. */
  | { readonly kind: "no-growth"; readonly spanMs: number }
  /** It grows so slowly that the history is too short for a day. */
  | { readonly kind: "beyond-reach"; readonly spanMs: number; readonly reachMs: number };

export type Forecast =
  | { readonly kind: "none"; readonly reason: NoForecastReason }
  | { readonly kind: "full" }
  | {
      readonly kind: "filling";
      /** Counted from `nowMs`. */
      readonly fullInMs: Estimate95;
      readonly growthPerDay: Estimate95;
      /** The history that the growth is of. */
      readonly spanMs: number;
      readonly sampleCount: number;
    };
