/** Watches on a plan's results, and their effect when an endpoint becomes slower. */
import { z } from "zod";
import { type AlertSeverity, alertSeverities } from "../alert/rule.ts";
import { type BenchmarkOperation, benchmarkOperations } from "../sample/sample.ts";
import { HOUR_MS } from "../time/duration.ts";

export const benchmarkRegressionSchema = z.discriminatedUnion("kind", [
  /** The newest level of an endpoint is slower than the previous one. */
  z.object({ kind: z.literal("change-point") }),
  z
    .object({
      kind: z.literal("n-of-m"),
      thresholdMs: z.number("Enter a number.").positive("Above 0 ms.").max(HOUR_MS, "At most an hour."),
      n: z.int().min(1).max(100),
      m: z.int().min(1).max(100),
    })
    .refine(({ n, m }) => n <= m, { message: "N cannot exceed M.", path: ["n"] }),
]);
export type BenchmarkRegression = z.infer<typeof benchmarkRegressionSchema>;

export const setBenchmarkWatchInput = z.object({
  planId: z.uuid("There is no such benchmark schedule."),
  operation: z.enum(benchmarkOperations),
  sizeBytes: z.int().min(0),
  connectionCount: z.int().min(1).default(1),
  regression: benchmarkRegressionSchema,
  severity: z.enum(alertSeverities).default("warning"),
});
export const benchmarkWatchIdInput = z.object({ watchId: z.uuid("There is no such watch.") });

export interface BenchmarkWatchRow {
  id: string;
  operation: BenchmarkOperation;
  sizeBytes: number;
  connectionCount: number;
  regression: BenchmarkRegression;
  severity: AlertSeverity;
  /** Time of the newest slot that was checked. */
  judgedSlotAt: Date | null;
  firingEndpointIds: string[];
}
