import { alertSeverities } from "@stashlight/contracts/alert";
import {
  type BenchmarkComparison,
  type BenchmarkContamination,
  type BenchmarkReportDocument,
  type BenchmarkRestoreTime,
  type BenchmarkSweep,
  type BenchmarkSweepPlace,
  benchmarkCaveatKinds,
  benchmarkRegressionSchema,
  benchmarkRunLabels,
  formatComparison,
  formatFastest,
  gateVerdict,
  isGateOpen,
  minimumEffectSchema,
  sweepReasons,
} from "@stashlight/contracts/benchmark";
import { endpointKinds } from "@stashlight/contracts/endpoint";
import { storedInstant, storedNumber } from "@stashlight/contracts/json";
import { benchmarkOperations } from "@stashlight/contracts/sample";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

const estimate = z.object({ value: storedNumber, low: z.number().nullable(), high: z.number().nullable() });
const endpoint = z.object({
  id: z.string(),
  name: z.string(),
  label: z.enum(benchmarkRunLabels),
  // Missing in answers and reports of earlier releases.
  place: z.number().nullable().default(null),
});
const side = z.object({
  endpoint,
  runCount: storedNumber,
  sampleCount: storedNumber,
  failureCount: storedNumber,
  taggedCount: storedNumber,
  meanMs: estimate,
});

/** Number of slots that earlier releases required, not counting contaminated runs. */
const EARLIER_SLOTS_MIN = 6;

const slots = z.object({
  measuredCount: storedNumber,
  undisturbedCount: storedNumber,
  neededCount: storedNumber,
});

const contamination: z.ZodType<BenchmarkContamination & { cleanPairCount?: number | undefined }> = z.object({
  runCount: storedNumber,
  contaminatedCount: storedNumber,
  worst: z.array(
    z
      .object({
        endpointName: z.string(),
        startedMs: storedNumber.optional(),
        // Earlier releases stored the planned time alone.
        slotMs: storedNumber.optional(),
        taggedShare: storedNumber,
      })
      .transform(({ slotMs, startedMs, ...run }) => ({
        ...run,
        startedMs: startedMs ?? slotMs ?? Number.NaN,
      })),
  ),
  slotCount: storedNumber,
  cleanPairCount: z.number().optional(),
});

const storedComparison = z.object({
  question: z.object({
    planId: z.string(),
    operation: z.enum(benchmarkOperations),
    sizeBytes: storedNumber,
    connectionCount: storedNumber,
    fromMs: storedNumber,
    toMs: storedNumber,
    endpointAId: z.string(),
    endpointBId: z.string(),
    minimumEffect: minimumEffectSchema,
  }),
  planName: z.string(),
  a: side,
  b: side,
  // Missing in answers and reports of earlier releases.
  slots: slots.optional(),
  pairCount: storedNumber,
  unpairedCount: storedNumber,
  ratio: estimate,
  differenceMs: estimate,
  shiftMs: estimate,
  pValue: z.number().nullable(),
  // Both are missing in reports of earlier releases.
  success: z
    .object({ a: storedNumber, b: storedNumber, slotCount: storedNumber, pValue: storedNumber })
    .nullable()
    .default(null),
  rule: z.enum(["paid for looks", "earlier"]).default("earlier"),
  faster: z.object({
    which: z.enum(["a", "b", "neither"]),
    words: z.tuple([z.string(), z.string()]),
  }),
  verdict: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("faster"), which: z.enum(["a", "b"]) }),
    z.object({ kind: z.literal("not distinguishable"), because: z.enum(["interval", "minimum"]) }),
    z.object({ kind: z.literal("unequal success"), better: z.enum(["a", "b"]).nullable() }),
    z.object({
      kind: z.literal("leads"),
      which: z.enum(["a", "b"]),
      count: storedNumber,
      countMin: storedNumber,
    }),
    z.object({ kind: z.literal("too few runs"), count: storedNumber, countMin: storedNumber }),
  ]),
  sentence: z.string(),
  // All three are missing in answers and reports of earlier releases.
  contamination: contamination.nullable().default(null),
  caveats: z
    .array(z.object({ kind: z.enum(benchmarkCaveatKinds), count: storedNumber, runCount: storedNumber }))
    .default([]),
  backToBackCount: storedNumber.default(0),
  computedAt: storedInstant,
});

/** Earlier releases named a winner of contaminated slots if too few others remained. */
const comparison: z.ZodType<BenchmarkComparison> = storedComparison.transform((stored) => {
  if (stored.slots !== undefined) return { ...stored, slots: stored.slots };
  const found = stored.contamination;
  const counted = {
    measuredCount: stored.pairCount,
    undisturbedCount: Math.min(stored.pairCount, found?.cleanPairCount ?? stored.pairCount),
    neededCount: EARLIER_SLOTS_MIN,
  };
  const verdict = gateVerdict(stored.verdict, counted);
  const told = { ...stored, slots: counted, verdict };
  if (isGateOpen(counted)) return told;
  return { ...told, pValue: null, sentence: formatComparison(told) };
});

const cell = z.object({
  operation: z.enum(benchmarkOperations),
  sizeBytes: storedNumber,
  connectionCount: storedNumber,
  entries: z.array(
    z.object({
      series: storedNumber,
      medianMs: estimate,
      runCount: storedNumber,
      sampleCount: storedNumber,
      failureCount: storedNumber,
      contaminatedCount: storedNumber,
    }),
  ),
  slots: slots
    .extend({ ofSeries: z.tuple([z.number(), z.number()]) })
    .nullable()
    .default(null),
  fastest: z.number().nullable(),
  // Missing in reports of earlier releases.
  leader: z.number().nullable().default(null),
  because: z.enum(sweepReasons).nullable(),
  pValue: z.number().nullable(),
});

const place = z.object({
  planId: z.string(),
  planName: z.string(),
  vantageName: z.string(),
  series: z.array(
    z.object({ endpoint, kind: z.enum(endpointKinds).nullable(), region: z.string().nullable() }),
  ),
  cells: z.array(cell),
  sentences: z.array(z.string()),
  basis: z.string().optional(),
  contaminatedRuns: z.array(z.unknown()).optional(),
});

/** Removes the fastest endpoints that earlier releases based on one slot or on contaminated runs. */
function gatePlace({ basis, contaminatedRuns, ...stored }: z.output<typeof place>): BenchmarkSweepPlace {
  if (basis === undefined || (basis === "slots" && contaminatedRuns?.length === 0)) return stored;
  const cells = stored.cells.map((each) =>
    each.because === "alone" ? each : { ...each, fastest: null, pValue: null, because: "slots" as const },
  );
  return { ...stored, cells, sentences: formatFastest({ ...stored, cells }) };
}

const sweep: z.ZodType<BenchmarkSweep> = z.object({
  question: z.object({
    planIds: z.array(z.string()),
    fromMs: storedNumber,
    toMs: storedNumber,
    minimumEffect: minimumEffectSchema,
  }),
  places: z.array(place.transform(gatePlace)),
  comparisonCount: storedNumber,
});

const restoreTime: z.ZodType<BenchmarkRestoreTime> = z.object({
  endpoint,
  measuredConnectionCount: storedNumber,
  runCount: storedNumber,
  sampleCount: storedNumber,
  failureCount: storedNumber,
  seconds: estimate.nullable(),
  mbPerSecond: estimate.nullable(),
  isExtrapolated: z.boolean(),
  sentence: z.string(),
});

const report: z.ZodType<BenchmarkReportDocument> = z.object({
  title: z.string(),
  createdAt: storedInstant,
  comparison,
  history: z.object({
    series: z.array(
      z
        .object({
          endpoint,
          runCount: storedNumber,
          atMs: z.array(storedNumber).optional(),
          // Reports of earlier releases store the planned times of slots instead.
          slotMs: z.array(storedNumber).optional(),
          medianMs: z.array(z.number().nullable()),
          lowMs: z.array(z.number().nullable()),
          highMs: z.array(z.number().nullable()),
          n: z.array(storedNumber),
          failureCount: z.array(storedNumber),
        })
        .transform(({ slotMs, atMs, ...series }) => ({ ...series, atMs: atMs ?? slotMs ?? [] })),
    ),
    stepMs: storedNumber,
    isBucketed: z.boolean(),
    events: z.array(
      z.object({ atMs: storedNumber, label: z.string(), status: z.enum(["info", "warning", "bad"]) }),
    ),
  }),
  changes: z.array(
    z.object({
      endpointId: z.string(),
      endpointName: z.string(),
      atMs: storedNumber,
      beforeMs: storedNumber,
      afterMs: storedNumber,
      changeShare: storedNumber,
      pValue: storedNumber,
    }),
  ),
  method: z.object({ title: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  // All are missing in reports of earlier releases.
  sweep: sweep.nullable().default(null),
  restore: z
    .object({
      question: z.object({
        planId: z.string(),
        objectBytes: storedNumber,
        objectCount: storedNumber,
        connectionCount: storedNumber,
        fromMs: storedNumber,
        toMs: storedNumber,
      }),
      times: z.array(restoreTime),
    })
    .nullable()
    .default(null),
  provenance: z
    .array(
      z.object({
        planName: z.string(),
        endpointName: z.string(),
        slotMs: storedNumber,
        startedMs: storedNumber.optional(),
        items: z.array(z.object({ term: z.string(), value: z.string() })),
      }),
    )
    .default([]),
});

export const benchmarkComparisonColumns = { answer: jsonColumn("benchmark_comparison.answer", comparison) };

export const benchmarkReportColumns = { document: jsonColumn("report_link.document", report) };

export const benchmarkWatchColumns = {
  operation: wordColumn("benchmark_watch.operation", benchmarkOperations),
  severity: wordColumn("benchmark_watch.severity", alertSeverities),
  regression: jsonColumn("benchmark_watch.regression", benchmarkRegressionSchema),
  /** Event with which each endpoint began to fire, by endpoint. */
  firing: jsonColumn("benchmark_watch.firing", z.record(z.string(), z.string())),
};
