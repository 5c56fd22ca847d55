export const POD_SEGMENT_BYTES = 8 * 1_048_576;
/** A pod reserves two segments; with fewer than these it could hold hardly anything. */
export const POD_BYTES_MIN = 6 * POD_SEGMENT_BYTES;
