import type { benchmarkGroupInput } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { requireRole, type Verb } from "../context.ts";
import { countConnections } from "./groups.ts";
import { methodLegs } from "./method.ts";
import { unpackSamples } from "./pack.ts";
import { runMethod } from "./stored-plan.ts";

/** Returns every sample of a run for one operation and size, in order of start; for a run in progress, those so far. */
export async function getBenchmarkSamples({
  ctx,
  input,
}: Verb<typeof benchmarkGroupInput>): Promise<BenchmarkSample[]> {
  requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const { runId, operation, sizeBytes, connectionCount } = input;
  const group = { runId, operation, sizeBytes: BigInt(sizeBytes), connectionCount };
  const stored = await db.benchmarkGroupSamples.findUnique({
    where: { runId_operation_sizeBytes_connectionCount: group },
    select: { packed: true },
  });
  if (stored !== null) return unpackSamples(stored.packed);
  const run = await db.benchmarkRun.findUnique({ where: { id: runId }, select: { id: true, method: true } });
  if (run === null) throw new StashlightError("not_found", "There is no such run.");
  const parts = await db.benchmarkSamplePart.findMany({ where: { runId }, orderBy: { part: "asc" } });
  const samples = parts.flatMap(({ packed }) => unpackSamples(packed));
  const connectionsOf = countConnections(methodLegs(runMethod(run)), samples);
  return samples.filter(
    (sample) =>
      sample.operation === operation &&
      sample.sizeBytes === sizeBytes &&
      connectionsOf(sample.leg ?? 0) === connectionCount,
  );
}
