/**
 * To which point of a chart, and which bucket, a window belongs. Windows end some milliseconds early or late: by their
 * ends, one that ends about a bound would fall to this side or to that, and leave every now and then a bucket with a
 * window too few beside one with a window too many. So the middle of a window decides.
 */

/** Only so much of the end of a longer window counts, which bounds how far beyond a bucket its windows can end. */
export const SPAN_MS_MAX = 60_000;

export const momentOf = (endMs: number, spanMs: number): number => endMs - spanMs / 2;
