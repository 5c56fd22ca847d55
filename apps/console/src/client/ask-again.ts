/**
 * Asks again what failed while Stashlight or its database did not answer, once another query has been answered. Queries
 * that are not refreshed by a timer would otherwise show the failure until the page is left.
 */
import type { QueryCache } from "@tanstack/react-query";
import { toProblem } from "./errors.ts";

/** Minimum age of a failure, so that a query that keeps failing alone is not repeated at once. */
const FAILED_MS_MIN = 2_000;

const hadNoAnswer = (error: unknown): boolean => ["network", "unavailable"].includes(toProblem(error).reason);

export function askAgain(cache: QueryCache, nowMs = Date.now()): void {
  const failed = cache.findAll({
    type: "active",
    fetchStatus: "idle",
    predicate: ({ state: { error, errorUpdatedAt } }) =>
      error !== null && nowMs - errorUpdatedAt >= FAILED_MS_MIN && hadNoAnswer(error),
  });
  for (const query of failed) query.fetch().catch(() => {});
}
