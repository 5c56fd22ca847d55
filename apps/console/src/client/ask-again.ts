/**
 * Asks again what failed while Stashlight or its database did not answer, once another query has been answered. Queries
 * that are not refreshed by a timer would otherwise show the failure until the page is left.
 */
import type { Query, QueryCache } from "@tanstack/react-query";

/** Minimum age of a failure, so that a query that keeps failing alone is not repeated at once. */
const FAILED_MS_MIN = 2_000;

export function askAgain(
  cache: QueryCache,
  { hadNoAnswer, nowMs }: { readonly hadNoAnswer: (error: unknown) => boolean; readonly nowMs: number },
): void {
  const isDue = ({ state }: Query): boolean =>
    state.error !== null &&
    state.fetchStatus === "idle" &&
    nowMs - state.errorUpdatedAt >= FAILED_MS_MIN &&
    hadNoAnswer(state.error);
  for (const query of cache.getAll())
    if (query.isActive() && isDue(query)) void query.fetch().catch(() => {});
}
