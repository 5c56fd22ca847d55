/** Result of a forecast, and the points that it is made from. */

export interface HistoryPoint {
  /** End of the window that the value covers. */
  readonly atMs: number;
  /** Lowest value of the window if known, because a peak in it was gone at its end. */
  readonly value: number;
  /** Highest value, if known. */
  readonly peak?: number;
}

/** Estimate with its 95 % interval. */
export interface Estimate95 {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export type NoForecastReason =
  | { readonly kind: "no-capacity" }
  | { readonly kind: "no-history" }
  | { readonly kind: "stale"; readonly ageMs: number }
  /** `isChange`: the level changed at once, and only the time after it counts. */
  | {
      readonly kind: "short-history";
      readonly spanMs: number;
      readonly neededMs: number;
      readonly isChange: boolean;
    }
  | { readonly kind: "small-share"; readonly share: number; readonly neededShare: number }
  /** It shrinks, stays level, or grows by less than chance may have caused. */
  | { readonly kind: "no-growth"; readonly spanMs: number }
  /** It grows so slowly that the history is too short to name a day. */
  | { readonly kind: "beyond-reach"; readonly spanMs: number; readonly reachMs: number };

export type Forecast =
  | { readonly kind: "none"; readonly reason: NoForecastReason }
  | { readonly kind: "full" }
  | {
      readonly kind: "filling";
      /** Counted from `nowMs`. */
      readonly fullInMs: Estimate95;
      readonly growthPerDay: Estimate95;
      /** History behind the growth. */
      readonly spanMs: number;
      readonly sampleCount: number;
    };
