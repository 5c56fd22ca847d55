/** Recomputes figures of earlier editions from the samples of their runs, imported ones too, by today's rules. */
import type { Base } from "../base.ts";
import { type Statements, transact } from "../statements.ts";
import { hasEarlierLatency, isOfEarlierEdition } from "./figures-edition.ts";
import { prepareGroups, writeGroups } from "./groups.ts";
import { unpackSamples } from "./pack.ts";

/** Limited because a run of the largest size takes a second, during which other work of the worker waits. */
const RUNS_AT_ONCE = 5;

interface Row {
  id: string;
  planId: string | null;
  endpointId: string | null;
  slotAt: Date;
}

/** Returns the number of recomputed runs; zero if none is left. */
export async function recomputeFigures({ metrics }: Pick<Base, "metrics">): Promise<number> {
  // Runs whose latencies change come first, because verdicts wait for them, the newest before others.
  const { rows } = await metrics.query<Row>(
    `SELECT g.run_id AS id, g.plan_id AS "planId", g.endpoint_id AS "endpointId", g.slot_at AS "slotAt"
       FROM benchmark_group g JOIN benchmark_run run ON run.id = g.run_id
       JOIN benchmark_group_samples s USING (run_id, operation, size_bytes, connection_count)
      WHERE ${isOfEarlierEdition("g")}
      GROUP BY g.run_id, g.plan_id, g.endpoint_id, g.slot_at
      ORDER BY bool_or(${hasEarlierLatency("g", "run")}) DESC, g.slot_at DESC, g.run_id LIMIT ${RUNS_AT_ONCE}`,
  );
  const failures: unknown[] = [];
  for (const run of rows) {
    // A run that cannot be recomputed does not block the others.
    await transact(metrics, (tx) => recomputeRun(tx, run)).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

async function recomputeRun(tx: Statements, run: Row): Promise<void> {
  const stored = await tx.query<{ connectionCount: number; packed: Buffer }>(
    `DELETE FROM benchmark_group g USING benchmark_group_samples s
      WHERE g.run_id = $1 AND (g.run_id, g.operation, g.size_bytes, g.connection_count)
            = (s.run_id, s.operation, s.size_bytes, s.connection_count)
      RETURNING s.connection_count AS "connectionCount", s.packed`,
    [run.id],
  );
  const groups = stored.flatMap(({ connectionCount, packed }) =>
    prepareGroups(unpackSamples(packed), () => connectionCount),
  );
  await writeGroups(tx, run, groups);
}
