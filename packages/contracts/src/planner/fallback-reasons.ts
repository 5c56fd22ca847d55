/** Reasons why an upload did not take the stash path. */
export const FALLBACK_REASONS = ["stash full", "too few stash drives", "stash too slow"] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];
