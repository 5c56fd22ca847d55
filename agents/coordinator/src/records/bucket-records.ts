/** Markers of buckets are kept in an internal bucket that no client can name. */
export const BUCKETS = ".buckets";
