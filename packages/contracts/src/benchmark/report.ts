/** Shareable report: figures at the time of its creation, with everything needed to measure them again. */
import { z } from "zod";
import { reportFields } from "../report-link.ts";
import {
  type BenchmarkChange,
  type BenchmarkComparison,
  type BenchmarkHistory,
  comparisonFields,
  isPair,
  isPeriod,
  pairIssue,
  periodIssue,
} from "./result.ts";
import {
  type BenchmarkRestoreQuestion,
  type BenchmarkRestoreTime,
  type BenchmarkSweep,
  benchmarkRestoreInput,
  benchmarkSweepInput,
} from "./sweep.ts";

const { objectBytes, objectCount, connectionCount } = benchmarkRestoreInput.shape;

export const createBenchmarkReportInput = z
  .object({
    ...comparisonFields,
    ...reportFields,
    /** The report's own plan first; the others are shown beside it by size. */
    sweepPlanIds: benchmarkSweepInput.shape.planIds.nullable().default(null),
    restore: z.object({ objectBytes, objectCount, connectionCount }).nullable().default(null),
  })
  .refine(isPeriod, periodIssue)
  .refine(isPair, pairIssue);

/** Provenance of an endpoint's newest run: vantage, tool and target. */
export interface BenchmarkProvenance {
  planName: string;
  endpointName: string;
  slotMs: number;
  /** Start of that run; absent in reports of earlier releases. */
  startedMs?: number | undefined;
  /** Vantage, machine, software, endpoint, network and seed, each in words. */
  items: { term: string; value: string }[];
}

/** Content of a report behind a link. Reports of earlier releases have no sweep, restore times or provenance. */
export interface BenchmarkReportDocument {
  title: string;
  createdAt: Date;
  comparison: BenchmarkComparison;
  history: BenchmarkHistory;
  changes: BenchmarkChange[];
  method: { title: string; parameters: Record<string, unknown> };
  sweep: BenchmarkSweep | null;
  restore: { question: BenchmarkRestoreQuestion; times: BenchmarkRestoreTime[] } | null;
  provenance: BenchmarkProvenance[];
}
