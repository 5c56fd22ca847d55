/** Arrival times and refusals of batches, as recorded in the store. */
import type { Queryable } from "./write-rows.ts";

export interface NodeArrival {
  readonly nodeId: string;
  readonly newestAt: Date | null;
  readonly windowMs: number | null;
  readonly refusedCount: number;
}

/** Finds the arrivals of every node that ever sent data. */
export async function findArrivals(db: Queryable): Promise<NodeArrival[]> {
  const { rows } = await db.query<NodeArrival>(
    `SELECT coalesce(s.node_id, r.node_id) AS "nodeId", s.newest AS "newestAt", s.window_ms AS "windowMs",
            coalesce(r.count, 0)::float8 AS "refusedCount"
       FROM metric.node_state s
       FULL JOIN (SELECT node_id, sum(count) AS count FROM metric.refused GROUP BY 1) r ON r.node_id = s.node_id`,
  );
  return rows;
}

export interface FoundRefusal {
  readonly nodeId: string;
  readonly metric: string;
  readonly reason: string;
  readonly count: number;
  readonly lastAt: Date;
}

/** Finds refusals, latest first. */
export async function findRefused(db: Queryable, countMax: number): Promise<FoundRefusal[]> {
  const { rows } = await db.query<FoundRefusal>(
    `SELECT node_id AS "nodeId", metric, reason, count::float8 AS count, last_at AS "lastAt"
       FROM metric.refused ORDER BY last_at DESC, node_id, metric, reason LIMIT $1`,
    [countMax],
  );
  return rows;
}
