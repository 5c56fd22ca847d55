/**
 * Separate file, so that a page can import it without a schema. A run in which more than this share of samples is
 * tagged is contaminated, and is marked so.
 */
export const taggedShareMax = 0.05;
