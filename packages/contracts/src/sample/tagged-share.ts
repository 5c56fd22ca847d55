/**
 * A run with a larger share of tagged samples is contaminated, and marked accordingly. In a separate file, so that a
 * page can import it without a schema.
 */
export const taggedShareMax = 0.05;
