/**
 * Starts of a load's operations. At a constant rate each has a due moment: none is skipped, and one without a free
 * connection starts late, which is part of its latency. In a closed loop each starts a pause after the previous one on
 * its connection.
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
    /** Delay of starts after their due moments. */
    ...percentiles,
    /** Counts starts 5 ms or more after their due moments (`lateStartMsMin`). */
    lateCount: z.int().min(0),
    /** Service times, counted from when requests were written; failures rank last. */
    service: z.strictObject({ medianMs: ms.nullable(), p95Ms: ms.nullable(), maxMs: ms.nullable() }),
  }),
  z.strictObject({
    kind: z.literal("pause"),
    /** Between the end of an operation and the start of the next one on its connection. */
    ...percentiles,
  }),
]);
export type BenchmarkStarts = z.infer<typeof benchmarkStartsSchema>;
