import type { BenchmarkUnpaired, compareBenchmarkRunsInput } from "@stashlight/contracts/benchmark/result";
import type { BenchmarkOperation } from "@stashlight/contracts/benchmark/sample";
import { StashlightError } from "@stashlight/contracts/errors";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";
import type { WithCalculator } from "./calculator.ts";

interface Row {
  id: string;
  name: string;
  wire_ms: number[];
  failed_at: number[];
}

/**
 * Two runs without common slots, such as imported ones, by their samples: how the two differ and how sure that is of
 * these samples. It is no verdict on the endpoints, because the samples of one run are one occasion.
 */
export async function compareBenchmarkRuns({
  ctx,
  input,
}: Verb<z.output<typeof compareBenchmarkRunsInput>, WithCalculator>): Promise<BenchmarkUnpaired> {
  requireRole(ctx, "viewer");
  const { runAId, runBId, operation, sizeBytes, connectionCount } = input;
  const { rows } = await ctx.platform.metrics.query<Row>(
    `SELECT run.id, run.endpoint_name AS name, s.wire_ms, s.failed_at FROM benchmark_run run
       JOIN benchmark_group_samples s ON s.run_id = run.id
      WHERE run.id = ANY($1) AND s.operation = $2 AND s.size_bytes = $3 AND s.connection_count = $4`,
    [[runAId, runBId], operation satisfies BenchmarkOperation, sizeBytes, connectionCount],
  );
  const sideOf = (runId: string) => {
    const row = rows.find(({ id }) => id === runId);
    const failed = new Set(row?.failed_at);
    const values = Float64Array.from((row?.wire_ms ?? []).filter((_, place) => !failed.has(place)));
    if (row === undefined || values.length === 0) {
      throw new StashlightError(
        "precondition_failed",
        "Both runs need samples of this operation and size that succeeded; choose what both have.",
      );
    }
    return { runId, name: row.name, sampleCount: values.length, failureCount: failed.size, values };
  };
  const [{ values: valuesA, ...a }, { values: valuesB, ...b }] = [sideOf(runAId), sideOf(runBId)];
  const { comparison } = await ctx.platform.calculator.compute<"unpaired">({
    kind: "unpaired",
    a: valuesA,
    b: valuesB,
  });
  const { shift, test } = comparison;
  return {
    a,
    b,
    shiftMs: { value: shift.shift, low: shift.interval?.low ?? null, high: shift.interval?.high ?? null },
    pValue: test.pValue,
    cliffsDelta: test.cliffsDelta,
    magnitude: test.magnitude,
  };
}
