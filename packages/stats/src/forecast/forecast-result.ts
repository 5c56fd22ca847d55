/** Result of a forecast, and the points from which it is computed. */

export interface HistoryPoint {
  /** End of the window that the value covers. */
  readonly atMs: number;
  /** Lowest value of the window if known, because a peak was over at the end of the window. */
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
  /** `isChange`: the level jumped, and only the time after the jump counts. */
  | {
      readonly kind: "short-history";
      readonly spanMs: number;
      readonly neededMs: number;
      readonly isChange: boolean;
    }
  /** The store is no longer full, as it was when the forecast was made. */
  | { readonly kind: "outdated" }
  | { readonly kind: "small-share"; readonly share: number; readonly neededShare: number }
  /** The level shrinks, stays the same, or grows by less than chance may have caused. */
  | { readonly kind: "no-growth"; readonly spanMs: number }
  /** The level grows so slowly that the history is too short to name a day. */
  | { readonly kind: "beyond-reach"; readonly spanMs: number; readonly reachMs: number };

export type Forecast =
  | { readonly kind: "none"; readonly reason: NoForecastReason }
  | { readonly kind: "full" }
  | {
      readonly kind: "filling";
      /** Time from `nowMs` until the store is full. */
      readonly fullInMs: Estimate95;
      readonly growthPerDay: Estimate95;
      /** Length of the history from which the growth was computed. */
      readonly spanMs: number;
      readonly sampleCount: number;
    };
