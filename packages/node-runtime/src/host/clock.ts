/** Milliseconds since 1970, counted on from the start of the process: it never goes back, whatever is done to the wall clock. */
export const monotonicNowMs = (): number => performance.timeOrigin + performance.now();
