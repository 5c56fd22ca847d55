/** Why an upload did not go by the stash. */
export const FALLBACK_REASONS = ["stash full", "too few stash drives", "stash too slow"] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];
