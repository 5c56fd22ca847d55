/**
 * How the operations of a load started. At a constant rate each is due at a moment: none is skipped, and one that finds
 * no free connection starts late, which is part of its latency. In a closed loop each starts a pause after the one before
 * it on its connection.
 */
import { z } from "zod";

const ms = z.number().min(0);
const percentiles = {
  p50Ms: ms,
  /** Null with too few samples. */
  p99Ms: ms.nullable(),
  maxMs: ms,
};

export const benchmarkStartsSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("due"),
    /** How long after they were due operations started. */
    ...percentiles,
    /** Counts starts that came 5 ms or more after they were due (`lateStartMsMin`). */
    lateCount: z.int().min(0),
    /** From when requests were written; ranks of failures are behind all that succeeded. */
    service: z.strictObject({ medianMs: ms.nullable(), p95Ms: ms.nullable(), maxMs: ms.nullable() }),
  }),
  z.strictObject({
    kind: z.literal("pause"),
    /** Between the end of an operation and the start of the next one on its connection. */
    ...percentiles,
  }),
]);
export type BenchmarkStarts = z.infer<typeof benchmarkStartsSchema>;
