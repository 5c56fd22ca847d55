import type { DailyDeletions } from "@stashlight/contracts/bucket";
import { requireRole, type Verb } from "../context.ts";

const LISTED_MAX = 100;

interface Row {
  day: string;
  ruleId: string;
  action: DailyDeletions["action"];
  count: string;
  bytes: string;
  lastAt: Date;
}

const sql = `
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, rule_id AS "ruleId", action,
         sum(count)::text AS count, sum(bytes)::text AS bytes, max(at) AS "lastAt"
    FROM lifecycle_deletion
   WHERE vault = $1 AND bucket = $2
   GROUP BY 1, 2, 3
   ORDER BY max(at) DESC, rule_id
   LIMIT ${LISTED_MAX}`;

/** Lists the deletions of lifecycle rules in a bucket by day and rule, newest first. */
export async function listDeletions({
  ctx,
  input,
}: Verb<{ vault: string; bucket: string }>): Promise<DailyDeletions[]> {
  requireRole(ctx, "viewer");
  const { rows } = await ctx.platform.metrics.query<Row>(sql, [input.vault, input.bucket]);
  return rows.map((row) => ({ ...row, count: Number(row.count), bytes: Number(row.bytes) }));
}
