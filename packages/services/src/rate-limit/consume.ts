import { StashlightError } from "@stashlight/contracts/errors";
import type { Statements } from "../statements.ts";

export interface RateLimitRule {
  windowSeconds: number;
  requestCountMax: number;
}

/**
 * Counts one request against `key` in a fixed window and returns whether it may pass. One statement, so two processes
 * never both take the last slot; it runs outside the caller's transaction, so a rollback does not refund it.
 */
export async function consumeRateLimit(
  statements: Statements,
  key: string,
  rule: RateLimitRule,
  now: Date,
): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
  const windowEndsAt = new Date(now.getTime() + rule.windowSeconds * 1000);
  const [row] = await statements.query<{ request_count: number; window_ends_at: Date }>(
    `INSERT INTO rate_limit AS counter (key, request_count, window_started_at, window_ends_at)
     VALUES ($1::text, 1, $2::timestamptz, $3::timestamptz)
     ON CONFLICT (key) DO UPDATE SET
       request_count = CASE WHEN counter.window_ends_at <= $2::timestamptz THEN 1 ELSE counter.request_count + 1 END,
       window_started_at =
         CASE WHEN counter.window_ends_at <= $2::timestamptz THEN $2::timestamptz ELSE counter.window_started_at END,
       window_ends_at =
         CASE WHEN counter.window_ends_at <= $2::timestamptz THEN $3::timestamptz ELSE counter.window_ends_at END
     RETURNING request_count, window_ends_at`,
    [key, now.toISOString(), windowEndsAt.toISOString()],
  );
  if (row === undefined) throw new Error("INSERT ... RETURNING gave no row");
  const retryAfterSeconds = Math.max(1, Math.ceil((row.window_ends_at.getTime() - now.getTime()) / 1000));
  return { allowed: row.request_count <= rule.requestCountMax, retryAfterSeconds };
}

/** Does the same as `consumeRateLimit`, but throws `rate_limited` if the request may not pass. */
export async function enforceRateLimit(
  statements: Statements,
  key: string,
  rule: RateLimitRule,
  now: Date,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await consumeRateLimit(statements, key, rule, now);
  if (allowed) return;
  throw new StashlightError("rate_limited", `Too many attempts; try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
