/**
 * Asks again what failed while Stashlight or its database did not answer, once another query has been answered. Queries
 * that are not refreshed by a timer would otherwise show the failure until the page is left.
 */
import type { QueryCache } from "@tanstack/react-query";
import { toProblem } from "./errors.ts";

/** Minimum age of a first failure; it doubles with each further one, as a query may keep failing alone. */
const FAILED_MS_MIN = 2_000;
const FAILED_MS_MAX = 60_000;

const waitMs = (failureCount: number): number =>
  Math.min(FAILED_MS_MAX, FAILED_MS_MIN * 2 ** (failureCount - 1));

const hadNoAnswer = (error: unknown): boolean => ["network", "unavailable"].includes(toProblem(error).reason);

export function askAgain(cache: QueryCache, nowMs = Date.now()): void {
  const failed = cache.findAll({
    type: "active",
    fetchStatus: "idle",
    predicate: ({ state: { error, errorUpdatedAt, errorUpdateCount } }) =>
      error !== null && nowMs - errorUpdatedAt >= waitMs(errorUpdateCount) && hadNoAnswer(error),
  });
  for (const query of failed) query.fetch().catch(() => {});
}

/** Asks again whenever a query is answered after another has failed. */
export function followFailures(cache: QueryCache): void {
  let hasFailed = false;
  cache.subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type === "error") hasFailed = true;
    else if (event.action.type === "success" && hasFailed) askAgain(cache);
  });
}
