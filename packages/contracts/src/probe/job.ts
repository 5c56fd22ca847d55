/**
 * Messages between a probe and the ingest. A probe claims a slot, runs it, and reports its progress; a report that
 * comes late or repeatedly counts once.
 *
 *     POST /v1/jobs           ProbeAsk -> 200 ProbeJob: a slot or a drive to measure if one is due, and the objects
 *                                         that earlier runs left
 *     POST /v1/jobs/report    report   -> 200 {"isCancelled": false}; 409 when the slot is no longer the probe's
 *
 * Bodies are JSON in zstd. A probe asks only when idle, so a slot that it still held is interrupted.
 */
import { z } from "zod";
import type { BenchmarkMethodChoice } from "../benchmark/plan.ts";
import { diskCellResultSchema } from "../disk/cell-schema.ts";
import type { EndpointCredentials } from "../endpoint/credentials.ts";
import type { EndpointAddressing } from "../endpoint/endpoint.ts";
import type { StoreKind } from "../endpoint/endpoint-kind.ts";
import { benchmarkSampleSchema } from "../sample/sample.ts";
import { benchmarkStageSchema, stageCountMax } from "../sample/stage.ts";
import { instantMs } from "../time/instant.ts";
import { type FsyncJob, fsyncReportSchema } from "./fsync.ts";

export const probeReportSamplesMax = 5000;
export const probeReportCellsMax = 500;

/**
 * Endpoint in the form that runners accept, but without an IP address: the probe resolves the name on its own machine.
 */
export interface ProbeEndpoint {
  name: string;
  kind: StoreKind;
  url: string;
  region: string;
  bucket: string;
  prefix: string;
  addressing: EndpointAddressing;
  caPem: string;
}

export interface ProbeStoreRun {
  runId: string;
  seed: number;
  endpoint: ProbeEndpoint;
  credentials: EndpointCredentials;
}

/** A drive in the probe's own file, which has its location. */
export interface ProbeDriveRun {
  runId: string;
  seed: number;
  drive: { name: string; node: string; device: string };
}

export type ProbeRun = ProbeStoreRun | ProbeDriveRun;

export interface ProbeSlot {
  scheduleId: string;
  plannedAtMs: number;
  attempt: number;
  method: BenchmarkMethodChoice;
  runs: ProbeRun[];
}

export interface ProbeLeftover {
  runId: string;
  runPrefix: string;
  endpoint: ProbeEndpoint;
  credentials: EndpointCredentials;
}

export interface ProbeJob {
  slot: ProbeSlot | null;
  /** Null if there is a slot, because the two would disturb each other. */
  fsync: FsyncJob | null;
  leftovers: ProbeLeftover[];
  /** Special networks, such as loopback, to which the probe may connect nevertheless. */
  allowedNetworks: string[];
}

const sentence = z.string().max(2000);
const figure = z.number();

const probeRunEndSchema = z.strictObject({
  state: z.enum(["succeeded", "failed", "cancelled", "interrupted"]),
  sentence: sentence.nullable(),
  sampleCount: z.int().min(0),
  failureCount: z.int().min(0),
  isContaminated: z.boolean(),
  flags: z.array(z.strictObject({ name: z.string().max(60), sentence })).max(50),
  results: z
    .array(
      z.strictObject({
        name: z.string().max(100),
        value: figure,
        unit: z.string().max(20),
        label: z.string().max(500),
        isExtrapolated: z.boolean(),
      }),
    )
    .max(100),
  /** Missing from probes of earlier versions. */
  stages: z.array(benchmarkStageSchema).max(stageCountMax).default([]),
  openedConnectionCount: z.int().min(0).nullable(),
  cpu: z.strictObject({ userMs: figure, systemMs: figure }).nullable(),
});
export type ProbeRunEnd = z.infer<typeof probeRunEndSchema>;

const ofRun = z.strictObject({
  runId: z.uuid(),
  /** Index of this report among the run's reports that carry samples; a repeated index has the same samples. */
  part: z.int().min(0),
  samples: z.array(benchmarkSampleSchema).max(probeReportSamplesMax),
  progress: z
    .strictObject({
      share: z.number().min(0).max(1),
      text: z.string().max(200),
      leftMs: z.number().min(0).nullable(),
    })
    .nullable(),
  manifest: z.record(z.string(), z.unknown()).nullable(),
  /** Cells of a drive that ended since the last report, each with its index in the order of completion. */
  cells: z
    .array(z.strictObject({ place: z.int().min(0), run: z.int().min(0), result: diskCellResultSchema }))
    .max(probeReportCellsMax)
    .default([]),
  end: probeRunEndSchema.nullable(),
});

export const probeReportSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("slot"),
    scheduleId: z.string().min(1).max(64),
    plannedAtMs: instantMs,
    attempt: z.int().min(1),
    run: ofRun.nullable(),
    isOver: z.boolean(),
  }),
  z.strictObject({
    type: z.literal("cleaned"),
    runId: z.uuid(),
    /** Reason why the objects of a run could not be deleted; null when they are gone. */
    error: sentence.nullable(),
  }),
  fsyncReportSchema,
]);
export type ProbeReport = z.infer<typeof probeReportSchema>;
export type ProbeSlotReport = Extract<ProbeReport, { type: "slot" }>;
