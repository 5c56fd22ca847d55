import type {
  BenchmarkUnpaired,
  ComparedBy,
  compareBenchmarkRunsInput,
  UnpairedSide,
} from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import { benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import type { z } from "zod";
import { hasEarlierLatency } from "../benchmark/figures-edition.ts";
import { requireRole, type Verb } from "../context.ts";
import type { WithCalculator } from "./calculator.ts";
import { expandDistribution, storedDistributions } from "./distributions.ts";

type Input = z.output<typeof compareBenchmarkRunsInput>;

interface Row {
  id: string;
  name: string;
  manifest: unknown;
  is_earlier: boolean;
  latency_ms: number[] | null;
  failed_at: number[] | null;
}

/**
 * Compares two runs without common slots, such as imported ones, by how far apart their samples are. This is not a
 * verdict on the endpoints, because the samples of one run are one occasion. A file without samples is compared by its
 * bins or segments; segments, which are means, only with segments.
 */
export async function compareBenchmarkRuns({
  ctx,
  input,
}: Verb<Input, WithCalculator>): Promise<BenchmarkUnpaired> {
  requireRole(ctx, "viewer");
  const { runAId, runBId, operation, sizeBytes, connectionCount } = input;
  const { rows } = await ctx.platform.metrics.query<Row>(
    `SELECT run.id, run.endpoint_name AS name, run.manifest, s.latency_ms, s.failed_at,
            coalesce(${hasEarlierLatency("g", "run")}, false) AS is_earlier
       FROM benchmark_run run
       LEFT JOIN benchmark_group_samples s
         ON s.run_id = run.id AND s.operation = $2 AND s.size_bytes = $3 AND s.connection_count = $4
       LEFT JOIN benchmark_group g
         ON g.run_id = s.run_id AND g.operation = $2 AND g.size_bytes = $3 AND g.connection_count = $4
      WHERE run.id = ANY($1)`,
    [[runAId, runBId], operation satisfies BenchmarkOperation, sizeBytes, connectionCount],
  );
  if (rows.some(({ is_earlier }) => is_earlier)) {
    throw new StashlightError(
      "precondition_failed",
      "The figures of one of the runs are being computed again after the upgrade, which takes minutes; compare them afterwards.",
    );
  }
  const [a, b] = [toSide(rows, runAId, input), toSide(rows, runBId, input)];
  if ((a.by === "segments") !== (b.by === "segments")) {
    throw new StashlightError(
      "precondition_failed",
      "One run has means of segments and the other single operations, which vary more; choose two runs of the same kind.",
    );
  }
  const { comparison, ...figures } = await ctx.platform.calculator.compute<"unpaired">({
    kind: "unpaired",
    a: a.values,
    b: b.values,
  });
  const { shift, test } = comparison;
  const told = ({ values: _, ...side }: Side, { meanMs, percentilesMs }: typeof figures.a): UnpairedSide => ({
    ...side,
    meanMs,
    percentilesMs: [...percentilesMs],
  });
  return {
    a: told(a, figures.a),
    b: told(b, figures.b),
    shiftMs: shift.shift,
    cliffsDelta: test.cliffsDelta,
    magnitude: test.magnitude,
  };
}

interface Side {
  readonly runId: string;
  readonly name: string;
  readonly by: ComparedBy;
  readonly sampleCount: number;
  readonly failureCount: number | null;
  readonly values: Float64Array;
}

function toSide(rows: readonly Row[], runId: string, input: Input): Side {
  const row = rows.find(({ id }) => id === runId);
  const failed = new Set(row?.failed_at);
  const values = Float64Array.from((row?.latency_ms ?? []).filter((_, place) => !failed.has(place)));
  if (row !== undefined && values.length > 0) {
    const counts = { sampleCount: values.length, failureCount: failed.size };
    return { runId, name: row.name, by: "samples", ...counts, values };
  }
  const manifest = row?.manifest ? benchmarkRunColumns.manifest.read(row.manifest, runId) : null;
  const counted = storedDistributions(manifest).find(
    (subject) =>
      subject.operation === input.operation &&
      subject.sizeBytes === input.sizeBytes &&
      subject.connectionCount === input.connectionCount,
  );
  if (row === undefined || counted === undefined) {
    throw new StashlightError(
      "precondition_failed",
      "Both runs need successful samples of this operation and size; choose an operation and size that both have.",
    );
  }
  const { by, sampleCount, distribution } = counted;
  return {
    runId,
    name: row.name,
    by,
    sampleCount,
    failureCount: null,
    values: expandDistribution(distribution),
  };
}
