import {
  type BenchmarkReport,
  benchmarkMethodSchema,
  benchmarkRunLabels,
  benchmarkRunStates,
  missedPolicies,
} from "@stashlight/contracts/benchmark";
import { diskAccesses, diskCellResultSchema } from "@stashlight/contracts/disk";
import { storedNumber } from "@stashlight/contracts/json";
import {
  benchmarkOperations,
  benchmarkStageSchema,
  benchmarkStartsSchema,
} from "@stashlight/contracts/sample";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

const report: z.ZodType<BenchmarkReport> = z.object({
  isContaminated: z.boolean(),
  flags: z.array(z.object({ name: z.string(), sentence: z.string() })),
  results: z.array(
    z.object({
      name: z.string(),
      value: storedNumber,
      unit: z.string(),
      label: z.string(),
      isExtrapolated: z.boolean(),
    }),
  ),
  /** Missing in reports of earlier versions. */
  stages: z.array(benchmarkStageSchema).default([]),
  openedConnectionCount: z.number().nullable(),
  cpu: z.object({ userMs: storedNumber, systemMs: storedNumber }).nullable(),
});

export const benchmarkPlanColumns = {
  method: jsonColumn("benchmark_plan.method", benchmarkMethodSchema),
  missedPolicy: wordColumn("schedule.missed_policy", missedPolicies),
};

export const benchmarkRunColumns = {
  method: jsonColumn("benchmark_run.method", benchmarkMethodSchema),
  state: wordColumn("benchmark_run.state", benchmarkRunStates),
  label: wordColumn("benchmark_run.label", benchmarkRunLabels),
  /** A run's page shows everything that the sampler recorded. */
  manifest: jsonColumn("benchmark_run.manifest", z.record(z.string(), z.unknown())),
  report: jsonColumn("benchmark_run.report", report),
};

export const benchmarkDiskCellColumns = {
  access: wordColumn("benchmark_disk_cell.access", diskAccesses),
  result: jsonColumn("benchmark_disk_cell.result", diskCellResultSchema),
};

export const benchmarkGroupColumns = {
  operation: wordColumn("benchmark_group.operation", benchmarkOperations),
  starts: jsonColumn("benchmark_group.starts", benchmarkStartsSchema),
};
