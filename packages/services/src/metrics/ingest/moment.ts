/**
 * Assigns a window to a point of a chart and to a bucket by its middle. Windows end some milliseconds early or late: if
 * assigned by their ends, windows near a bound would fall to either side, and buckets would sometimes have a window too
 * few beside one with a window too many.
 */

/**
 * Limit on a window's counted length, measured from its end, which limits how far beyond a bucket its windows can end.
 */
export const SPAN_MS_MAX = 60_000;

export const windowMoment = (endMs: number, spanMs: number): number => endMs - spanMs / 2;
