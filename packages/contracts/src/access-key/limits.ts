/** Limits and wording of access keys, kept apart from the schemas, which browsers need not load. */

/** Seconds until a change has reached every coordinator: one interval, one request, and a margin for the database. */
export const accessKeyEffectSeconds = 10;
