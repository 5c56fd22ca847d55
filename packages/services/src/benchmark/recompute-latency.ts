/**
 * Figures of constant-rate runs from releases that counted latency from when a request was written. Their samples are
 * stored with the moment at which each was due, so the figures are computed again, as they would be today.
 */
import type { Base } from "../base.ts";
import { type Statements, transact } from "../statements.ts";
import { prepareGroups, writeGroups } from "./groups.ts";
import { unpackSamples } from "./pack.ts";

/** A run of the largest size takes a second, and other work of the worker waits meanwhile. */
const RUNS_AT_ONCE = 5;

interface Row {
  id: string;
  planId: string | null;
  endpointId: string | null;
  slotAt: Date;
}

/** Returns how many runs were recomputed; zero when there is none left. */
export async function recomputeLatencies({ metrics }: Pick<Base, "metrics">): Promise<number> {
  // Runs of one slot follow each other, so that a comparison seldom has one endpoint of before and one of today.
  const { rows } = await metrics.query<Row>(
    `SELECT DISTINCT g.run_id AS id, g.plan_id AS "planId", g.endpoint_id AS "endpointId", g.slot_at AS "slotAt"
       FROM benchmark_run run
       JOIN benchmark_group g ON g.run_id = run.id AND g.operation <> 'TCP_CONNECT' AND g.starts IS NULL
       JOIN benchmark_group_samples s USING (run_id, operation, size_bytes, connection_count)
      WHERE run.method -> 'parameters' ->> 'mode' = 'constant-rate'
      ORDER BY g.slot_at DESC, g.run_id LIMIT ${RUNS_AT_ONCE}`,
  );
  const failures: unknown[] = [];
  for (const run of rows) {
    // One that cannot be recomputed holds up none of the others.
    await transact(metrics, (tx) => recomputeRun(tx, run)).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

async function recomputeRun(tx: Statements, run: Row): Promise<void> {
  const stored = await tx.query<{ connectionCount: number; packed: Buffer }>(
    `SELECT connection_count AS "connectionCount", packed FROM benchmark_group_samples
      WHERE run_id = $1 AND operation <> 'TCP_CONNECT'`,
    [run.id],
  );
  const groups = stored.flatMap(({ connectionCount, packed }) =>
    prepareGroups(unpackSamples(packed), () => connectionCount),
  );
  await tx.query("DELETE FROM benchmark_group WHERE run_id = $1 AND operation <> 'TCP_CONNECT'", [run.id]);
  await writeGroups(tx, run, groups);
}
