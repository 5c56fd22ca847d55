/**
 * Assigns a window to a point of a chart and to a bucket, by the middle of the window. Windows end some milliseconds
 * early or late: assigned by its end, a window that ends near a bound would fall to either side, so that now and then a
 * bucket has a window too few beside one with a window too many.
 */

/** Length of the end of a longer window that counts, which bounds how far beyond a bucket its windows can end. */
export const SPAN_MS_MAX = 60_000;

export const windowMoment = (endMs: number, spanMs: number): number => endMs - spanMs / 2;
